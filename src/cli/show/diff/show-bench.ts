/** Shows costs of messages and rules: for people, and as Markdown for a pull request. */
import { BENCH_STAGES, type BenchReport } from "../../../rehearse/bench/bench.ts";
import type { BenchComparison } from "../../../rehearse/bench/compare-bench.ts";
import type { Measure } from "../../../rehearse/bench/measure-time.ts";
import { count, number } from "../../../rehearse/words/count.ts";
import { type Line, styled } from "../../../rehearse/words/line.ts";

/** Rules and messages to list. */
const LISTED_MAX = 5;
const NAME_UNITS = 34;

function time({ microseconds }: Measure): string {
  return microseconds < 1_000
    ? `${microseconds.toFixed(1)} µs`
    : `${(microseconds / 1_000).toFixed(1)} ms`;
}

const STAGE_NAMES = {
  header: "read the header",
  body: "read the message",
  rules: "try the rules",
} as const;

interface BenchRow {
  readonly name: string;
  readonly cells: readonly string[];
}

function rowsOf(report: BenchReport): Readonly<Record<string, readonly BenchRow[]>> {
  const each = (total: Measure): string =>
    time({ ...total, microseconds: total.microseconds / report.messages });
  return {
    "a message costs (median, worst)": BENCH_STAGES.map((stage) => ({
      name: STAGE_NAMES[stage],
      cells: [time(report.stages[stage].median), time(report.stages[stage].worst)],
    })),
    "the most expensive rules, each alone (a message, fuel of all)": report.rules
      .slice(0, LISTED_MAX)
      .map(({ id, cost, fuel }) => ({ name: id, cells: [each(cost), number(fuel)] })),
    "the most expensive messages (rules, fuel)": report.dearest
      .slice(0, LISTED_MAX)
      .map(({ name, cost, fuel }) => ({ name, cells: [time(cost), number(fuel)] })),
  };
}

function factsOf({ messages, bodiesRead, compile, compiledBytes, fuel }: BenchReport): string {
  const bodies = `${number(bodiesRead)} of ${count(messages, "decision")} needed the body`;
  const memory =
    compiledBytes === 0 ? "" : ` and some ${number(Math.round(compiledBytes / 1024))} KB`;
  return `${bodies}; ${number(fuel)} fuel in all; compiling takes ${time(compile)}${memory}`;
}

function comparisonLines({ changes, slower, verdict }: BenchComparison): readonly string[] {
  const ratios = changes.map(({ what, ratio, verdict: each }) => {
    const said = each === "same" ? "within the spread" : each;
    return `${what} takes ${ratio.toFixed(2)} times as long as before: ${said}`;
  });
  const rises = slower
    .slice(0, LISTED_MAX)
    .map(({ id, before, now }) =>
      before === null
        ? `rule ${id} is new`
        : `rule ${id} costs ${(now / before).toFixed(1)} times as much`,
    );
  return [...ratios, ...rises, verdict === "regression" ? "regression" : "no regression"];
}

export function showBench(report: BenchReport, comparison: BenchComparison | null): Line[] {
  const tables = Object.entries(rowsOf(report)).flatMap(([title, rows]): Line[] => [
    [styled("bold", title)],
    ...rows.map(
      ({ name, cells }): Line => [
        `  ${name.padEnd(NAME_UNITS)}${cells.map((cell) => cell.padStart(14)).join("")}`,
      ],
    ),
  ]);
  const compared = comparison === null ? [] : comparisonLines(comparison);
  const style = comparison?.verdict === "regression" ? "red" : "green";
  return [
    ...tables,
    [factsOf(report)],
    ...compared.map(
      (line, index): Line => (index === compared.length - 1 ? [styled(style, line)] : [line]),
    ),
  ];
}

export function benchMarkdown(report: BenchReport, comparison: BenchComparison | null): string {
  const cell = (text: string): string => text.replace(/[\\`*_[\]<>|~]/g, (unit) => `\\${unit}`);
  const tables = Object.entries(rowsOf(report)).flatMap(([title, rows]) => [
    "",
    `| ${title} | | |`,
    "|---|---:|---:|",
    ...rows.map(({ name, cells }) => `| ${cell(name)} | ${cells.map(cell).join(" | ")} |`),
  ]);
  const compared =
    comparison === null ? [] : comparisonLines(comparison).map((line) => `- ${cell(line)}`);
  return `${["### Mail flow: what messages cost", "", ...compared, ...tables, "", cell(factsOf(report))].join("\n")}\n`;
}
