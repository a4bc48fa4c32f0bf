/** Runs long work in slices, so that a page or a server can do other things in between. */

/** Work that pauses regularly, and ends with a value. */
export type Sliced<Value> = Generator<void, Value>;

/** How long work runs before it yields the thread, and what ends it. */
export interface SliceOptions {
  /** Milliseconds after which the work yields the thread. Default: 10. */
  readonly sliceMs?: number | undefined;
  /** Ends the work early; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

const SLICE_MS = 10;

export async function inSlices<Value>(
  steps: Sliced<Value>,
  { sliceMs = SLICE_MS, signal }: SliceOptions = {},
): Promise<Value> {
  for (;;) {
    const until = performance.now() + sliceMs;
    do {
      signal?.throwIfAborted();
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Runs the work to its end without a pause. */
export function atOnce<Value>(steps: Sliced<Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
