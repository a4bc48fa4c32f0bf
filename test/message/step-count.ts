/**
 * Counts the steps that reading takes, which are the same on every machine: V8's counts of the blocks that ran in the
 * reader's files, and the lengths of what native functions went through for them. Code must be loaded after `start`,
 * for V8 counts blocks only of what it compiles from then on.
 */
import { Session } from "node:inspector/promises";

const READER = /\/src\/(?:base|mail|message)\//;

type Native = (this: unknown, ...args: never[]) => unknown;
/** What a call goes through, from its receiver, its arguments and its result. */
type Cost = (self: { length: number }, args: readonly unknown[], result: unknown) => number;

const all: Cost = ({ length }) => length;
/** A search that ends at what it found. */
const searched: Cost = ({ length }, [, from], result) =>
  (result === -1 ? length : (result as number) + 1) - (typeof from === "number" ? from : 0);
const given: Cost = (_self, [argument]) =>
  (argument as { length?: number } | undefined)?.length ?? 0;

const NATIVES: readonly (readonly [object, string, Cost])[] = [
  [String.prototype, "indexOf", searched],
  [String.prototype, "includes", all],
  [String.prototype, "replace", all],
  [String.prototype, "replaceAll", all],
  [String.prototype, "split", all],
  [String.prototype, "toLowerCase", all],
  [String.prototype, "toWellFormed", all],
  [String.prototype, "trim", all],
  [Array.prototype, "join", all],
  [Uint8Array.prototype, "indexOf", searched],
  [Uint8Array.prototype, "set", given],
  [Buffer.prototype, "indexOf", searched],
  [TextDecoder.prototype, "decode", given],
  [TextEncoder.prototype, "encode", given],
];

export interface StepCounter {
  /** The steps that `run` takes. */
  steps(run: () => unknown): Promise<number>;
  stop(): Promise<void>;
}

export async function startStepCounter(): Promise<StepCounter> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const blocks = async (): Promise<number> => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result
      .filter(({ url }) => READER.test(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  };

  let native = 0;
  const wrap = ([owner, name, cost]: (typeof NATIVES)[number]): (() => void) => {
    const original = Reflect.get(owner, name) as Native;
    const counting = function (this: { length: number }, ...args: never[]): unknown {
      const result = Reflect.apply(original, this, args);
      native += Math.max(0, cost(this, args, result));
      return result;
    };
    const hadOwn = Object.hasOwn(owner, name);
    Object.defineProperty(owner, name, { value: counting, configurable: true, writable: true });
    return () => {
      if (hadOwn)
        Object.defineProperty(owner, name, { value: original, configurable: true, writable: true });
      else Reflect.deleteProperty(owner, name);
    };
  };

  return {
    async steps(run) {
      await blocks();
      native = 0;
      const unwrap = NATIVES.map(wrap);
      try {
        run();
      } finally {
        for (const restore of unwrap) restore();
      }
      return native + (await blocks());
    },
    async stop() {
      await session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
}
