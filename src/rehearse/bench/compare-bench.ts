/** Compares a bench with a kept one, in units of the calibration loop. Only a change beyond the spread of both counts. */
import type { BenchReport, RuleCost } from "./bench.ts";
import type { Measure } from "./measure-time.ts";

/** How one cost compares with the kept one. */
export interface BenchChange {
  readonly what: "routing" | "compiling";
  /** The cost now divided by the kept cost. */
  readonly ratio: number;
  /** `regression`: slower than allowed, and beyond the spread. */
  readonly verdict: "regression" | "same" | "faster";
}

/** The result of `compareBench`. */
export interface BenchComparison {
  readonly changes: readonly BenchChange[];
  /** Rules that are new or cost more, the largest rise first; listed only if routing is slower. */
  readonly slower: readonly {
    readonly id: string;
    readonly before: number | null;
    readonly now: number;
  }[];
  readonly verdict: "regression" | "ok";
}

/** Smallest rise to name, as a fraction of the present cost of routing. */
const RISE_PART_MIN = 0.1;

function changeOf(
  what: BenchChange["what"],
  kept: Measure,
  now: Measure,
  failOver: number,
): BenchChange {
  const ratio = now.units / kept.units;
  const isSlower = ratio > failOver && now.low > kept.high * Math.sqrt(failOver);
  const isFaster = ratio < 1 / failOver && now.high < kept.low;
  return { what, ratio, verdict: isSlower ? "regression" : isFaster ? "faster" : "same" };
}

function risesOf(
  kept: readonly RuleCost[],
  now: readonly RuleCost[],
  total: Measure,
): BenchComparison["slower"] {
  const before = new Map(kept.map(({ id, cost }) => [id, cost.units]));
  return now
    .map(({ id, cost }) => ({ id, before: before.get(id) ?? null, now: cost.units }))
    .filter(({ before: was, now: after }) => after - (was ?? 0) > RISE_PART_MIN * total.units)
    .sort((a, b) => b.now - (b.before ?? 0) - (a.now - (a.before ?? 0)));
}

/** `failOver`: the ratio above which slower is a regression, such as 1.3. */
export function compareBench(
  kept: BenchReport,
  now: BenchReport,
  failOver: number,
): BenchComparison {
  const changes = [
    changeOf("routing", kept.total, now.total, failOver),
    changeOf("compiling", kept.compile, now.compile, failOver * 2),
  ];
  const isRegression = changes.some(({ verdict }) => verdict === "regression");
  return {
    changes,
    slower: isRegression ? risesOf(kept.rules, now.rules, now.total) : [],
    verdict: isRegression ? "regression" : "ok",
  };
}
