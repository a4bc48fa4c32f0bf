/** Runs the comparison of edited and saved rules on the open mail, in slices shorter than a frame, anew after each edit. */
import { effect, signal } from "@preact/signals";
import { type Changes, compareOn } from "./model/changes.ts";
import { compiled, compiledSaved, mails } from "./state.ts";

/** Milliseconds of a slice: half a frame, so that typing and painting keep their share. */
const SLICE_MS = 8;
/** Milliseconds of quiet before a comparison begins. */
const QUIET_MS = 120;

export const changes = signal<Changes | null>(null);

/** Begins to watch; gives the function that stops. */
export function watchChanges(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = effect(() => {
    const [before, after] = [compiledSaved.value.domain, compiled.value.domain];
    const all = mails.value;
    clearTimeout(timer);
    if (before === null || after === null || all.length < 2) {
      changes.value = null;
      return;
    }
    const work = compareOn(before, after, all);
    const slice = (): void => {
      const end = performance.now() + SLICE_MS;
      for (;;) {
        const { value, done } = work.next();
        if (done || performance.now() > end) {
          changes.value = value;
          if (!done) timer = setTimeout(slice, 0);
          return;
        }
      }
    };
    timer = setTimeout(slice, QUIET_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
