/** Ends commands that run until a signal. */
import type { CliIo } from "./io.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Waits for the first signal, or for `io.end`. The second signal has its usual effect: it ends the process. */
export interface UntilSignal {
  readonly signal: AbortSignal;
  /** Resolves when `signal` is aborted. */
  readonly ended: Promise<void>;
  /** Gives all signals their usual effect again. */
  ignore(): void;
}

export function untilSignal({ end }: CliIo): UntilSignal {
  const ending = new AbortController();
  const ended = new Promise<void>((resolve) => {
    ending.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  const abort = (): void => ending.abort();
  for (const signal of SIGNALS) process.once(signal, abort);
  end?.addEventListener("abort", abort);
  if (end?.aborted) abort();
  return {
    signal: ending.signal,
    ended,
    ignore() {
      for (const signal of SIGNALS) process.removeListener(signal, abort);
      end?.removeEventListener("abort", abort);
    },
  };
}
