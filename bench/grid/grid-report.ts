/** What a run over the grid prints: a line for each case, then the worst, the means, each text and each N. */
import type { Bench } from "../bench.ts";
import type { CaseResult, Measurement } from "../measure.ts";
import { geometricMean, showCost, showRatio } from "../report.ts";
import { NONE } from "./contestants.ts";
import { COUNTS, type GridCase, gridCase, TEXT_KINDS } from "./grid.ts";

/** mailflow's time divided by a peer's, in one case. */
interface Share {
  readonly name: string;
  readonly of: GridCase;
  /** Whether a rule matched any message of the first turn. */
  readonly decides: boolean;
  readonly times: number;
}

function sharesOf(peer: string, measurements: readonly Measurement[]): Share[] {
  return measurements
    .filter(({ contestant }) => contestant === peer)
    .map((each) => ({
      name: each.case,
      of: gridCase(each.case),
      decides: each.onlyAnswer !== NONE,
      times: 1 / each.ratio,
    }));
}

export function renderGridCase(bench: Bench, caseName: string, result: CaseResult): string {
  const { measurements, skipped } = result;
  const [subject, ...peers] = measurements;
  if (subject === undefined) return `  ${caseName}: ${skipped[0]!.reason}`;
  const cells = peers.map((each) => `${showRatio(1 / each.ratio).padStart(8)} ${each.contestant}`);
  const absences = skipped.map(({ contestant, reason }) => `${contestant} skipped: ${reason}`);
  const own = showCost(subject.perOperation, bench.unit).padStart(8);
  return `  ${caseName.padEnd(46)} ${own}  ${[...cells, ...absences].join("  ")}`;
}

/** `0.45 × (worst 2.4 ×)`. */
function meanAndWorst(shares: readonly Share[]): string {
  if (shares.length === 0) return "–";
  const times = shares.map((share) => share.times);
  return `${showRatio(geometricMean(times)).trim()} (${showRatio(Math.max(...times)).trim()})`;
}

function table(
  title: string,
  rows: readonly (readonly [name: string, belongs: (share: Share) => boolean])[],
  shares: ReadonlyMap<string, readonly Share[]>,
): string[] {
  const heads = [...shares.keys()].map((peer) => peer.padStart(22)).join("");
  const lines = rows.flatMap(([name, belongs]) => {
    const cells = [...shares.values()].map((all) => meanAndWorst(all.filter(belongs)).padStart(22));
    return cells.every((cell) => cell.trim() === "–")
      ? []
      : [`  ${name.padEnd(14)}${cells.join("")}`];
  });
  return [`  ${title.padEnd(14)}${heads}`, ...lines];
}

/** How time grows from 1,000 to 10,000 rules, on the same texts. */
function growth(measurements: readonly Measurement[], subject: string): string[] {
  const own = measurements.filter(({ contestant }) => contestant === subject);
  const costOf = new Map(own.map((each) => [each.case, each.perOperation]));
  const times = own.flatMap(({ case: name, perOperation }) => {
    const fewer = costOf.get(name.replace(", 10000 rules", ", 1000 rules"));
    return name.endsWith(", 10000 rules") && fewer !== undefined ? [perOperation / fewer] : [];
  });
  if (times.length === 0) return [];
  const mean = showRatio(geometricMean(times)).trim();
  return [
    `  10,000 rules take ${mean} (${showRatio(Math.max(...times)).trim()}) the time of 1,000`,
  ];
}

export function renderGridSummary(bench: Bench, measurements: readonly Measurement[]): string {
  const [subject, ...peers] = bench.contestants.map(({ name }) => name);
  const shares = new Map(peers.map((peer) => [peer, sharesOf(peer, measurements)]));
  const worst = [...shares].flatMap(([peer, all]) => {
    if (all.length === 0) return [];
    const most = all.reduce((a, b) => (b.times > a.times ? b : a));
    return [
      `  worst against ${peer.padEnd(18)} ${showRatio(most.times).padStart(8)}  ${most.name}`,
    ];
  });
  const means = [...shares].flatMap(([peer, all]) => {
    if (all.length === 0) return [];
    const ahead = all.filter(({ times }) => times < 1).length;
    const mean = showRatio(geometricMean(all.map(({ times }) => times))).padStart(8);
    return [`  mean against ${peer.padEnd(19)} ${mean}  ahead in ${ahead} of ${all.length} cases`];
  });
  const byText = TEXT_KINDS.map((kind) => [kind, ({ of }: Share) => of.kind === kind] as const);
  const byCount = COUNTS.map(
    (count) => [`${count} rules`, ({ of }: Share) => of.count === count] as const,
  );
  const sizes = [...new Set([...shares.values()].flat().map(({ of }) => of.size))];
  const bySize = sizes
    .sort((a, b) => a - b)
    .map((size) => [`${size / 1_000} KB`, ({ of }: Share) => of.size === size] as const);
  const byOutcome = [
    ["none matches", ({ decides }: Share) => !decides],
    ["some match", ({ decides }: Share) => decides],
  ] as const;
  return [
    `${bench.name}: ${subject}'s time divided by a peer's: the worst, the geometric mean (and the worst of its kind)`,
    ...worst,
    ...means,
    ...table("by text", byText, shares),
    ...table("by size", bySize, shares),
    ...table("by N", byCount, shares),
    ...table("by answers", byOutcome, shares),
    ...growth(measurements, subject!),
  ].join("\n");
}
