/** How often a property is tried: so many times in CI, and as many times more as `FUZZ_TIMES` says. */
import type fc from "fast-check";

export function fuzzRuns(numRuns: number): fc.Parameters<unknown> {
  const times = Number(process.env.FUZZ_TIMES ?? "1");
  return { seed: Number(process.env.FUZZ_SEED ?? "20261120"), numRuns: numRuns * times };
}
