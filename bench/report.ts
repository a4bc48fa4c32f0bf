/** What a run prints: a table with bars for each case, who sat out, the means, what changed. */
import type { Bench } from "./bench.ts";
import type { CaseResult, Measurement } from "./measure.ts";
import { type Change, type Kept, regressions } from "./results.ts";

const BAR_WIDTH = 24;
const EIGHTHS = " ▏▎▍▌▋▊▉";

export function showCost(cost: number, unit: Bench["unit"]): string {
  const steps =
    unit === "bytes"
      ? ([
          [1e3, 1, "B"],
          [1e6, 1e3, "kB"],
          [1e9, 1e6, "MB"],
          [Infinity, 1e9, "GB"],
        ] as const)
      : ([
          [1e3, 1, "ns"],
          [1e6, 1e3, "µs"],
          [1e9, 1e6, "ms"],
          [Infinity, 1e9, "s"],
        ] as const);
  const [, by, name] = steps.find(([below]) => cost < below)!;
  const value = cost / by;
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${name}`;
}

export function showRatio(ratio: number): string {
  return `${ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(ratio < 100 ? 1 : 0)} ×`;
}

/** A bar of `share` of the width. */
function bar(share: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH * 8);
  const rest = EIGHTHS[eighths % 8]!.trim();
  return "█".repeat(Math.floor(eighths / 8)) + rest;
}

/** Lengths on a logarithmic scale from a third of the least cost to the largest. */
function barsOf(measurements: readonly Measurement[]): (cost: number) => string {
  const costs = measurements.map(({ perOperation }) => perOperation);
  const [least, most] = [Math.min(...costs) / 3, Math.max(...costs)];
  return (cost) => bar(Math.log(cost / least) / Math.log(most / least));
}

const UNITS = { ns: "processor time", "wall ns": "wall time", bytes: "bytes" } as const;

export function renderTitle({ name, title, operation, unit, report }: Bench): string {
  const what = UNITS[unit ?? "ns"];
  const columns =
    report === undefined
      ? "its ratio to the first; bars are logarithmic"
      : "how many times that of each peer it is";
  return `${name}: ${title}\n  ${what} for one ${operation}, and ${columns}`;
}

export function renderCase(bench: Bench, caseName: string, result: CaseResult): string {
  const { measurements, skipped } = result;
  const width = Math.max(...bench.contestants.map(({ name }) => name.length));
  const toBar = barsOf(measurements);
  const rows = measurements.map((each) => {
    const spread = `±${(each.spread * 100).toFixed(0)} %`.padStart(6);
    const agreement =
      each.agreement < 1 ? `  agrees on ${(each.agreement * 100).toFixed(1)} %` : "";
    return `    ${each.contestant.padEnd(width)} ${showCost(each.perOperation, bench.unit).padStart(9)} ${showRatio(each.ratio).padStart(8)} ${spread}  ${toBar(each.perOperation)}${agreement}`;
  });
  const absences = skipped.map(
    ({ contestant, reason }) => `    ${contestant.padEnd(width)}   skipped: ${reason}`,
  );
  const decided = measurements[0] === undefined ? "" : ` (decisions ${measurements[0].hash})`;
  return [`  ${caseName}${decided}`, ...rows, ...absences].join("\n");
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** The geometric mean of each rival's ratios over the cases it took part in. */
export function renderMeans(bench: Bench, measurements: readonly Measurement[]): string {
  const apart = bench.meansWithout ?? [];
  const means = bench.contestants.slice(1).flatMap(({ name }) => {
    const own = measurements.filter((each) => each.contestant === name);
    const ratios = own.filter((each) => !apart.includes(each.case)).map((each) => each.ratio);
    return ratios.length === 0 ? [] : `${name} ${showRatio(geometricMean(ratios))}`;
  });
  const over = apart.length === 0 ? "the cases" : `the cases but ${apart.join(", ")}`;
  return `  geometric means over ${over}: ${means.join(" · ")}`;
}

/** What moved beyond the spread; all that did not is one line. */
export function renderChanges(changes: readonly Change[], kept: Kept): string {
  const moved = changes.filter(({ verdict }) => verdict !== "same");
  const width = Math.max(0, ...moved.map((each) => each.case.length));
  const rows = moved.map((each) => {
    const sign = each.verdict === "slower" ? "▼ slower" : "▲ faster";
    const ratios = `${showRatio(each.before)} → ${showRatio(each.after)}`;
    return `    ${sign}  ${each.case.padEnd(width)}  ${ratios.padEnd(22)} against ${each.contestant}`;
  });
  const same = `${changes.length - moved.length} of ${changes.length} ratios within the spread`;
  const worse = regressions(changes);
  const verdict =
    worse.length === 0 ? "no regression" : `REGRESSED against most rivals: ${worse.join("; ")}`;
  const heading = `  against the kept results (Node ${kept.node}, ${kept.cpu}, load ${kept.load})`;
  return [heading, ...rows, `    ${same}; ${verdict}`].join("\n");
}
