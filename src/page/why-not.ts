/** “Why not here?”: a question about the current message, answered again by a worker when the message or the rules change. */
import { effect, signal } from "@preact/signals";
import { openWorker } from "./open-worker.ts";
import { compiled, mail } from "./state.ts";
import { answerWhy, type WhyAnswer, type WhyRequest } from "./worker/why-worker.ts";

/** Milliseconds of quiet before the worker is asked. */
const QUIET_MS = 150;

export const isWhyOpen = signal(false);
/** Where the message should have gone, as it is typed. */
export const whyTarget = signal("");
/** `null`: nothing is asked, or the answer is still to come. */
export const whyAnswer = signal<WhyAnswer | null>(null);

export function askWhy(target: string): void {
  isWhyOpen.value = true;
  whyTarget.value = target;
}

/** Starts watching. A new question ends one that is not answered yet. */
export function watchWhy(script: string): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let worker: Worker | undefined;
  let isBusy = false;
  let id = 0;
  let request: WhyRequest | undefined;
  const show = (answer: WhyAnswer | null): void => {
    isBusy = false;
    whyAnswer.value = answer;
  };
  const open = (): Worker =>
    openWorker(script, show, () => {
      worker = undefined;
      if (request !== undefined) show(answerWhy(request));
    });
  effect(() => {
    const target = whyTarget.value.trim();
    const { domain, deciding } = compiled.value;
    const asked = mail.value;
    clearTimeout(timer);
    id++;
    if (!isWhyOpen.value || target === "" || domain === null) {
      whyAnswer.value = null;
      return;
    }
    timer = setTimeout(() => {
      if (isBusy) {
        worker?.terminate();
        worker = undefined;
      }
      worker ??= open();
      isBusy = true;
      request = { kind: "why", id, domain: deciding, mail: asked, target };
      worker.postMessage(request);
    }, QUIET_MS);
  });
}
