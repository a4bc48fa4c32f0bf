/** A line of progress that is overwritten, only on a terminal. */
import type { CliIo } from "./io.ts";

/** Milliseconds between two updates. */
const UPDATE_MS = 100;

export interface ProgressLine {
  /** Shows the text, unless the last one was shown just before. */
  show(text: () => string): void;
  clear(): Promise<void>;
}

export function progressLine({ stderr }: CliIo): ProgressLine {
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      const now = performance.now();
      if (!stderr.isTerminal || now - shownAt < UPDATE_MS) return;
      shownAt = now;
      void stderr.write(`\r${text()}\u001b[K`);
    },
    async clear() {
      if (shownAt > 0) await stderr.write("\r\u001b[K");
    },
  };
}
