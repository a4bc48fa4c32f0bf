/** Compares edited and saved rules on the open mail after each edit, in a worker: typing never waits for it. */
import { effect, signal } from "@preact/signals";
import type { Changes } from "./model/changes.ts";
import type { Mail } from "./model/mail.ts";
import { compiled, compiledSaved, mails } from "./state.ts";
import type { CompareAnswer, CompareRequest } from "./worker/compare-worker.ts";
import { patchBetween } from "./worker/mail-patch.ts";

/** Milliseconds of quiet before a comparison begins. */
const QUIET_MS = 120;

export const changes = signal<Changes | null>(null);

/** Starts watching. The worker runs the page's own script. */
export function watchChanges(script: string): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let worker: Worker | undefined;
  let sent: readonly Mail[] = [];
  let id = 0;
  const open = (): Worker => {
    const opened = new Worker(script, { type: "module" });
    opened.addEventListener("message", ({ data }: MessageEvent<CompareAnswer>) => {
      if (data.id === id) changes.value = data.changes;
    });
    return opened;
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
      worker ??= open();
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
