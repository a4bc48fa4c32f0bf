/** Compares edited and saved rules on the open mail after each edit, in a worker: typing never waits for it. */
import { effect, signal } from "@preact/signals";
import type { Changes } from "./model/changes.ts";
import type { Mail } from "./model/mail.ts";
import { openWorker } from "./open-worker.ts";
import { compiled, compiledSaved, mails } from "./state.ts";
import type { CompareAnswer, CompareRequest } from "./worker/compare-worker.ts";
import { patchBetween } from "./worker/mail-patch.ts";

/** Milliseconds of quiet before a comparison begins. */
const QUIET_MS = 120;

export const changes = signal<Changes | null>(null);

/** Starts watching. If the worker fails, another is opened for the next edit. */
export function watchChanges(script: string): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let worker: Worker | undefined;
  let sent: readonly Mail[] = [];
  let id = 0;
  const show = (answer: CompareAnswer): void => {
    if (answer.id === id) changes.value = answer.changes;
  };
  const forget = (): void => {
    [worker, sent] = [undefined, []];
  };
  effect(() => {
    const [before, after] = [compiledSaved.value, compiled.value];
    const all = mails.value;
    clearTimeout(timer);
    id++;
    if (before.domain === null || after.domain === null || all.length < 2) {
      changes.value = null;
      return;
    }
    timer = setTimeout(() => {
      worker ??= openWorker(script, show, forget);
      const request: CompareRequest = {
        kind: "compare",
        id,
        patch: patchBetween(sent, all),
        before: before.deciding,
        after: after.deciding,
      };
      sent = all;
      worker.postMessage(request);
    }, QUIET_MS);
  });
}
