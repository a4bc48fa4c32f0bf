/** `--explain`: shows what the rules saw of a message, and every alias or rule in the order of trial. */
import type { Facts } from "../../engine/facts/facts.ts";
import type { TraceEntry } from "../../engine/routing/explain.ts";
import { count, number } from "../../rehearse/words/count.ts";
import { describeEntry } from "../../rehearse/words/describe-entry.ts";
import { quoted } from "../../rehearse/words/excerpt.ts";
import { type Line, styled, type TerminalStyle } from "../../rehearse/words/line.ts";

/** Adjacent entries of one verdict to show one by one; more are shown as one line. */
const SHOWN_ONE_BY_ONE = { inactive: 3, unreached: 2 } as const;
/** Widest column of ids: that of a UUID. */
const ID_UNITS_MAX = 36;
const ATTACHMENTS_SHOWN = 5;

const VERDICTS: Readonly<
  Record<TraceEntry["verdict"], { readonly word: string; readonly style: TerminalStyle }>
> = {
  matched: { word: "matched", style: "green" },
  missed: { word: "missed", style: "dim" },
  inactive: { word: "inactive", style: "dim" },
  failed: { word: "failed", style: "red" },
  undecided: { word: "undecided", style: "yellow" },
  "over-budget": { word: "over budget", style: "red" },
  unreached: { word: "not reached", style: "dim" },
};

const VERDICT_UNITS = Math.max(...Object.values(VERDICTS).map(({ word }) => word.length));

function text(value: string | undefined): string {
  if (value === undefined) return "unknown";
  return value === "" ? "empty" : quoted(value);
}

function showFacts({ recipient, sender, subject, body, attachments, size }: Facts): Line[] {
  const length = body === undefined || body === "" ? "" : ` (${count(body.length, "character")})`;
  const files = (attachments ?? [])
    .slice(0, ATTACHMENTS_SHOWN)
    .map(
      (file) => `${file.filename || "no name"} (${file.contentType}, ${number(file.size)} octets)`,
    );
  const more = (attachments ?? []).length - files.length;
  if (more > 0) files.push(`${number(more)} more`);
  const rows: (readonly [string, string])[] = [
    ["recipient", recipient ?? "unknown"],
    ["sender", sender === "" ? "none (null sender)" : (sender ?? "unknown")],
    ["subject", text(subject)],
    ["body", `${text(body)}${length}`],
    ["attachments", files.join(", ") || "none"],
    ["size", size === undefined ? "unknown" : count(size, "octet")],
  ];
  return [["  what rules see"], ...rows.map(([name, value]) => [`    ${name.padEnd(13)}${value}`])];
}

interface Columns {
  readonly rank: number;
  readonly name: number;
}

function nameOf(entry: TraceEntry): string {
  return entry.kind === "alias" ? entry.alias : entry.id;
}

function rankOf(entry: TraceEntry): string {
  return entry.kind === "alias" ? "" : `rank ${entry.rank}`;
}

function showEntry(entry: TraceEntry, columns: Columns): Line {
  const { word, style } = VERDICTS[entry.verdict];
  const said = describeEntry(entry);
  const rank = columns.rank === 0 ? "" : `${rankOf(entry).padEnd(columns.rank)}  `;
  return [
    `    ${rank}`,
    styled("bold", nameOf(entry).padEnd(columns.name)),
    "  ",
    styled(style, said.length === 0 ? word : word.padEnd(VERDICT_UNITS)),
    ...(said.length === 0 ? [] : ["  ", ...said]),
  ];
}

interface EntryRun {
  readonly verdict: TraceEntry["verdict"];
  readonly entries: TraceEntry[];
}

/** Groups adjacent entries of one verdict; after the one that decided, inactive rules count as unreached. */
function runsOf(trace: readonly TraceEntry[]): EntryRun[] {
  const runs: EntryRun[] = [];
  let decided = false;
  for (const entry of trace) {
    const verdict = decided && entry.verdict === "inactive" ? "unreached" : entry.verdict;
    const last = runs.at(-1);
    if (last?.verdict === verdict) last.entries.push(entry);
    else runs.push({ verdict, entries: [entry] });
    decided ||= entry.verdict === "matched";
  }
  return runs;
}

function isCollapsed({ verdict, entries }: EntryRun): boolean {
  return (
    (verdict === "inactive" || verdict === "unreached") &&
    entries.length > SHOWN_ONE_BY_ONE[verdict]
  );
}

function showCollapsed({ verdict, entries }: EntryRun): Line {
  const things =
    entries[0]?.kind === "alias"
      ? count(entries.length, "alias", "aliases")
      : count(entries.length, "rule");
  return ["    ", styled("dim", `… ${things} ${VERDICTS[verdict].word}`)];
}

/** The facts and the trace; `showDecision` shows the decision. */
export function showExplanation(facts: Facts, trace: readonly TraceEntry[]): Line[] {
  const runs = runsOf(trace);
  const shown = runs.filter((run) => !isCollapsed(run)).flatMap(({ entries }) => entries);
  const widest = (units: (entry: TraceEntry) => number): number =>
    shown.reduce((most, entry) => Math.max(most, units(entry)), 0);
  const columns: Columns = {
    rank: widest((entry) => rankOf(entry).length),
    name: Math.min(
      ID_UNITS_MAX,
      widest((entry) => nameOf(entry).length),
    ),
  };
  const tried = trace[0]?.kind === "alias" ? "aliases" : "rules";
  const title = trace.length === 0 ? "  nothing was tried" : `  ${tried} in the order of trial`;
  const lines = runs.flatMap((run) =>
    isCollapsed(run) ? [showCollapsed(run)] : run.entries.map((entry) => showEntry(entry, columns)),
  );
  return [...showFacts(facts), [title], ...lines];
}
