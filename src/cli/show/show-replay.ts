/** Shows the summary of a replay for people, and the line with its progress. */
import type { ReplayProgress } from "../../rehearse/replay/replay.ts";
import type { EntryHits, ReplaySummary } from "../../rehearse/replay/replay-summary.ts";
import { count, number } from "../../rehearse/words/count.ts";
import { type Line, styled } from "../../rehearse/words/line.ts";

/** Rows of a table to show; `--json` has more. */
const ROWS_MAX = 10;

function share(part: number, whole: number): string {
  return whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`;
}

/** Rows with a name, a number and its share. */
function table(rows: readonly (readonly [string, number])[], whole: number): Line[] {
  const name = Math.max(0, ...rows.map(([text]) => text.length));
  const digits = Math.max(0, ...rows.map(([, times]) => number(times).length));
  return rows.map(([text, times]): Line => {
    const row = `  ${text.padEnd(name)}  ${number(times).padStart(digits)}  ${share(times, whole).padStart(7)}`;
    return times === 0 ? [styled("yellow", row.trimEnd())] : [row];
  });
}

function nameOf({ kind, id, rank }: EntryHits): string {
  return rank === undefined ? `${kind} ${id}` : `${kind} ${id} (rank ${rank})`;
}

function entryLines(entries: ReplaySummary["warnings"]["first"]): Line[] {
  return entries.slice(0, ROWS_MAX).map(({ name, message }) => [`  ${name}: ${message}`]);
}

function titled(title: string, lines: readonly Line[]): Line[] {
  return lines.length === 0 ? [] : [[], [styled("bold", title)], ...lines];
}

export function showReplay(summary: ReplaySummary): Line[] {
  const { messages, decisions, actions, entries, fallback, noMatch, overBudget } = summary;
  const { withoutRecipient, unreadable, failures, destinations, slowest } = summary;
  const hits: [string, number][] = [
    ...entries.map((entry): [string, number] => [nameOf(entry), entry.decisions]),
    ["the fallback address", fallback],
    ...(noMatch > 0 ? [["nothing", noMatch] as [string, number]] : []),
    ...(overBudget > 0 ? [["a spent budget", overBudget] as [string, number]] : []),
  ];
  const { forward, discard, reject } = actions;
  const rest = [
    ...(withoutRecipient > 0
      ? [`${number(withoutRecipient)} without a recipient at the domain`]
      : []),
    ...(unreadable.count > 0 ? [`${number(unreadable.count)} not readable`] : []),
    ...(summary.warnings.count > 0 ? [`${number(summary.warnings.count)} doubtful`] : []),
    ...(summary.skipped.count > 0 ? [`${number(summary.skipped.count)} not mail`] : []),
  ];
  return [
    [
      styled("bold", `${count(messages, "message")}, ${count(decisions, "decision")}`),
      `: ${number(forward)} forwarded, ${number(discard)} discarded, ${number(reject)} rejected`,
    ],
    ...rest.map((text): Line => [`  ${text}`]),
    ...titled("decided by", table(hits, decisions)),
    ...titled(
      "rules that failed",
      failures
        .slice(0, ROWS_MAX)
        .map(({ rule, count: times, message, failure }) => [
          `  rule ${rule}, ${count(times, "time")}, first on ${message}: ${failure}`,
        ]),
    ),
    ...titled(
      "most frequent destinations",
      table(
        destinations
          .slice(0, ROWS_MAX)
          .map(({ destination, deliveries }) => [destination, deliveries]),
        summary.deliveries,
      ),
    ),
    ...titled(
      "slowest messages",
      slowest.slice(0, 3).map(({ message, ms }) => [`  ${ms.toFixed(1)} ms  ${message}`]),
    ),
    ...titled(
      "not readable",
      unreadable.first.slice(0, ROWS_MAX).map(({ name, failure }) => [`  ${name}: ${failure}`]),
    ),
    ...titled("doubtful", entryLines(summary.warnings.first)),
    ...titled(
      "not mail",
      Object.entries(summary.skipped.reasons).map(([reason, times]): Line => {
        const examples = summary.skipped.first.filter((entry) => entry.reason === reason);
        const names = examples.slice(0, 3).map(({ name }) => name);
        const more = times > names.length ? ", …" : "";
        return [`  ${number(times)} ${reason}: ${names.join(", ")}${more}`];
      }),
    ),
    ...titled(
      "mbox files",
      Object.entries(summary.dialects).map(
        ([dialect, files]): Line => [`  ${count(files, "file")}: ${dialect}`],
      ),
    ),
  ];
}

const BAR_UNITS = 20;

function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "?";
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `[=====>    ] 41 %  62,000 messages  3,912/s  18.2 MB/s  12 s left`; `start` is where this run began. */
export function progressText(
  now: ReplayProgress,
  start: ReplayProgress | null,
  seconds: number,
): string {
  const done = now.bytesTotal === 0 ? 0 : Math.min(1, now.bytes / now.bytesTotal);
  const filled = Math.round(done * BAR_UNITS);
  const bar = `[${"=".repeat(filled)}${" ".repeat(BAR_UNITS - filled)}]`;
  const messages = (now.messages - (start?.messages ?? 0)) / seconds;
  const bytes = (now.bytes - (start?.bytes ?? 0)) / seconds;
  const left = duration((now.bytesTotal - now.bytes) / bytes);
  const isKnown = now.bytesTotal > 0 && seconds > 0;
  const rate = `${number(Math.round(messages))}/s  ${(bytes / 1e6).toFixed(1)} MB/s`;
  const percent = `${Math.floor(done * 100)} %`;
  return isKnown
    ? `${bar} ${percent.padStart(5)}  ${count(now.messages, "message")}  ${rate}  ${left} left`
    : `${count(now.messages, "message")} …`;
}
