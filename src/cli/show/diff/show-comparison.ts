/** Shows a comparison of two domains: for people, and as Markdown for a pull request. */
import type { Change, ChangeGroup, Comparison, Way } from "../../../rehearse/diff/compare.ts";
import { deciderKey, deciderOf } from "../../../rehearse/outcome.ts";
import { count, number } from "../../../rehearse/words/count.ts";
import { describeMatch } from "../../../rehearse/words/describe-entry.ts";
import { type Line, styled } from "../../../rehearse/words/line.ts";
import { plainText, printable } from "../../line.ts";
import type { CommandReport } from "../../report.ts";
import { ACTION_WORDS } from "../show-decision.ts";
import {
  describeCause,
  describeDecider,
  describeDelta,
  describeOwner,
  isNobody,
} from "./describe-delta.ts";

function wayText({ outcome, decidedBy, failure }: Way): string {
  const { action, destinations, reason } = outcome;
  const whither =
    action === "forward" ? `to ${destinations.join(", ")}` : ACTION_WORDS[action].word;
  const line = decidedBy === null ? [] : describeMatch(decidedBy);
  const why = plainText(line);
  const by =
    decidedBy === null
      ? `${reason === "fallback" ? "by" : "because of"} ${describeDecider(deciderOf(outcome))}`
      : `by ${decidedBy.kind} ${decidedBy.kind === "alias" ? decidedBy.alias : decidedBy.id}: ${why}`;
  const failed =
    failure === null ? "" : `; ${describeDecider(failure.decider)} fails: ${failure.why}`;
  return `${whither}, ${by}${failed}`;
}

function causeText(change: Change): string {
  const { cause } = change;
  if (cause.length === 0) return "several differences together";
  return cause.map((delta) => describeCause(delta, change)).join("; and ");
}

/** `2 of the 3 messages`, `all 3 messages`, `the only message`. */
export function partText(part: number, whole: number): string {
  if (part < whole) return `${number(part)} of the ${count(whole, "message")}`;
  return whole === 1 ? "the only message" : `all ${count(whole, "message")}`;
}

/** `the fallback address takes 2 of the 3 messages that rule invoices had`. */
export function groupText({ from, to, count: moved, fromHad }: ChangeGroup): string {
  const part = `${partText(moved, fromHad)} ${describeOwner(from, "past")}`;
  if (deciderKey(from) === deciderKey(to)) {
    return `${describeDecider(to)} sends ${partText(moved, fromHad)} that it takes to another destination than before`;
  }
  if (isNobody(to)) {
    return `${part} ${moved === 1 ? "is" : "are"} now taken by nothing`;
  }
  return `${describeDecider(to)} takes ${part}`;
}

function showGroup(group: ChangeGroup): Line[] {
  const more = group.count - group.examples.length;
  return [
    [styled("bold", groupText(group))],
    ...group.examples.flatMap((change): Line[] => [
      ["  ", change.message, " for ", change.recipient],
      ["    was      ", wayText(change.before)],
      ["    now      ", wayText(change.after)],
      ["    because  ", styled("cyan", causeText(change))],
    ]),
    ...(more > 0 ? [[`  … and ${number(more)} more`]] : []),
    [],
  ];
}

function totals({
  changed,
  decisions,
  messages,
  withoutRecipient,
  unreadable,
}: Comparison): string {
  const head =
    changed === 0
      ? `nothing changes: ${count(decisions, "decision")}`
      : `${number(changed)} of ${count(decisions, "decision")} ${changed === 1 ? "changes" : "change"}`;
  const rest = [
    ...(withoutRecipient > 0 ? [`${number(withoutRecipient)} without a recipient`] : []),
    ...(unreadable.length > 0 ? [`${number(unreadable.length)} not readable`] : []),
  ];
  return `${head} on ${[count(messages, "message"), ...rest].join(", ")}`;
}

function showDeltas({ deltas }: Comparison): Line[] {
  return [
    [styled("bold", "what differs")],
    ...(deltas.length === 0
      ? [["  nothing"]]
      : deltas.map((delta) => [`  ${describeDelta(delta)}`])),
    [],
  ];
}

/** Each group with its examples. */
export function showGroups({ groups }: Comparison): Line[] {
  return groups.flatMap(showGroup);
}

export function comparisonReport(comparison: Comparison): CommandReport {
  return {
    text: () => [
      ...showDeltas(comparison),
      ...showGroups(comparison),
      [styled("bold", totals(comparison))],
    ],
    json: () => comparison,
    markdown: () => comparisonMarkdown(comparison),
  };
}

/** Escapes text for Markdown; the cell of a table stays on one line. */
function escaped(text: string): string {
  return printable(text).replace(/[\\`*_{}[\]<>()#+!|~$&@]/g, (unit) => `\\${unit}`);
}

function exampleMarkdown(change: Change): string[] {
  return [
    `- **${escaped(change.message)}** for ${escaped(change.recipient)}`,
    `  - was ${escaped(wayText(change.before))}`,
    `  - now ${escaped(wayText(change.after))}`,
    `  - because ${escaped(causeText(change))}`,
  ];
}

function comparisonMarkdown(comparison: Comparison): string {
  const { groups, deltas } = comparison;
  const rows = groups.map(
    ({ from, to, count: moved, fromHad }) =>
      `| ${escaped(describeDecider(from))} | ${escaped(describeDecider(to))} | ${number(moved)} of ${number(fromHad)} |`,
  );
  const table =
    rows.length === 0
      ? []
      : ["", "| was decided by | is decided by | messages |", "|---|---|---:|", ...rows];
  const details = groups.flatMap((group) => [
    "",
    `#### ${escaped(groupText(group))}`,
    "",
    ...group.examples.flatMap(exampleMarkdown),
  ]);
  const differences = deltas.map((delta) => `- ${escaped(describeDelta(delta))}`);
  return `${[
    `### Mail flow: ${escaped(totals(comparison))}`,
    "",
    ...(differences.length === 0 ? ["The configurations do not differ."] : differences),
    ...table,
    ...details,
  ].join("\n")}\n`;
}
