/** Kept results: ratios of one machine and one day, to hold later runs against. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import type { CaseResult, Measurement } from "./measure.ts";
import { ROOT } from "./paths.ts";

export interface Kept {
  readonly node: string;
  readonly cpu: string;
  /** Processes that wanted a core when the run ended, over one minute: the benches themselves are one or two. */
  readonly load: number;
  readonly measurements: readonly Measurement[];
  /** Contestants that took part in no case, and why. */
  readonly skipped: Readonly<Record<string, string>>;
}

export interface Change {
  readonly case: string;
  readonly contestant: string;
  readonly before: number;
  readonly after: number;
  readonly verdict: "slower" | "faster" | "same";
}

/** A ratio may move by this share, and by both spreads, before it counts as changed. */
const NOISE = 0.1;

export const RESULTS: string = join(ROOT, "bench", "results");

export function readKept(benchName: string): Kept | null {
  const file = join(RESULTS, `${benchName}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Kept) : null;
}

export function keptOf(results: readonly CaseResult[]): Kept {
  const measurements = results.flatMap((result) => result.measurements);
  const took = new Set(measurements.map(({ contestant }) => contestant));
  const absent = results
    .flatMap(({ skipped }) => skipped)
    .filter(({ contestant }) => !took.has(contestant))
    .map(({ contestant, reason }) => [contestant, reason]);
  return {
    node: process.version,
    cpu: cpus()[0]?.model ?? "unknown",
    load: Number(loadavg()[0]!.toFixed(1)),
    measurements,
    skipped: Object.fromEntries(absent),
  };
}

/** Cases that were not run now stay as they were kept. */
export function keepResults(benchName: string, now: Kept): Kept {
  const before = readKept(benchName);
  const again = new Set(now.measurements.map((each) => each.case));
  const others = before?.measurements.filter((each) => !again.has(each.case)) ?? [];
  const measurements = [...others, ...now.measurements];
  const took = new Set(measurements.map(({ contestant }) => contestant));
  const skipped = Object.entries({ ...before?.skipped, ...now.skipped });
  const kept: Kept = {
    ...now,
    measurements,
    skipped: Object.fromEntries(skipped.filter(([contestant]) => !took.has(contestant))),
  };
  const rounded = (_key: string, value: unknown): unknown =>
    typeof value === "number" ? Number(value.toPrecision(4)) : value;
  writeFileSync(join(RESULTS, `${benchName}.json`), `${JSON.stringify(kept, rounded, 2)}\n`);
  return kept;
}

/** How each ratio moved. Ratios are a rival's cost over the subject's: a smaller one means a slower subject. */
export function changesSince(
  kept: readonly Measurement[],
  now: readonly Measurement[],
): readonly Change[] {
  return now.flatMap((each) => {
    const was = kept.find((old) => old.case === each.case && old.contestant === each.contestant);
    if (was === undefined || (was.ratio === 1 && each.ratio === 1)) return [];
    const change = each.ratio / was.ratio - 1;
    const moved = Math.abs(Math.log(each.ratio / was.ratio)) > NOISE + each.spread + was.spread;
    return {
      case: each.case,
      contestant: each.contestant,
      before: was.ratio,
      after: each.ratio,
      verdict: !moved ? "same" : change < 0 ? "slower" : "faster",
    };
  });
}

/** Cases where the subject is slower against most rivals: a single one that moved has itself changed. */
export function regressions(changes: readonly Change[]): readonly string[] {
  const cases = [...new Set(changes.map((change) => change.case))];
  return cases.filter((name) => {
    const own = changes.filter((change) => change.case === name);
    return own.filter(({ verdict }) => verdict === "slower").length * 2 > own.length;
  });
}
