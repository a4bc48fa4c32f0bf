/** Explains to people why a message did not go where it should have. */

import type { TraceEntry } from "../../engine/routing/explain.ts";
import { shownFields } from "../rules/tools-table.ts";
import type { FailedClause } from "../why/failed-clause.ts";
import type { Missed } from "../why/why.ts";
import { describeMessageChange, describeNewRule, describeRuleChange } from "./describe-change.ts";
import { describeMatch } from "./describe-entry.ts";
import { cutSource, quoted } from "./excerpt.ts";
import { type Line, styled } from "./line.ts";

function shown(text: string): string {
  return text === "" ? "empty" : quoted(text);
}

function describeClause(clause: FailedClause): Line[] {
  switch (clause.kind) {
    case "engine": {
      const said =
        clause.engine === null
          ? "routing is disabled: `routing_engine` is null"
          : `the domain routes by ${clause.engine === "alias" ? "its aliases" : "its rules"}: \`routing_engine\` is \`${clause.engine}\``;
      return [[said]];
    }
    case "inactive":
      return [["it is switched off"]];
    case "alias":
      return [
        [
          "wanted  the address ",
          styled("bold", clause.alias),
          clause.form === "literal" ? "" : ` (${clause.form})`,
        ],
        [`actual  ${clause.actual}`],
      ];
    case "pattern": {
      const scopes = clause.texts.map(({ scope }) => scope).join(" or ");
      return [
        [`wanted  /${cutSource(clause.regex)}/ in ${scopes}`],
        ...clause.texts.map(({ scope, actual }): Line => [`actual  ${scope} ${shown(actual)}`]),
      ];
    }
    case "condition": {
      const operands = clause.operands.map(
        ({ source, value }) => `${cutSource(source)} is ${cutSource(value)}`,
      );
      return [
        [`wanted  ${cutSource(clause.source)}`],
        [`actual  ${[...new Set([...operands])].join(", ") || clause.value}`],
        ...(clause.value === "false" || operands.length === 0
          ? []
          : [[`        ${cutSource(clause.value)}`]]),
      ];
    }
    case "config":
      return [[`wanted  ${shownFields(clause.config)}`]];
    case "failure":
      return [[`it failed: ${clause.failure}`]];
  }
}

/** `rule invoices (rank 50)`. */
export function nameOfEntry(entry: Pick<Missed, "kind" | "id" | "rank"> | TraceEntry): Line {
  if (entry.kind === "fallback") return ["the fallback address"];
  const rank = "rank" in entry && entry.rank !== undefined ? ` (rank ${entry.rank})` : "";
  const name = "alias" in entry && entry.kind === "alias" ? entry.alias : (entry.id ?? "");
  return [`${entry.kind} `, styled("bold", name), rank];
}

function showEdits(missed: Missed): Line[] {
  const { messageEdits, ruleEdits, failed } = missed;
  const once = failed.some(({ kind }) => kind === "inactive")
    ? ", once the rule is switched on"
    : "";
  const list = (title: string, edits: readonly string[]): Line[] =>
    edits.length === 0
      ? []
      : [
          [`  ${title}`],
          ...edits.map((edit, index): Line => [index === 0 ? "      " : "   or ", edit]),
        ];
  const ofMessage = list(
    `smallest change to the message${once}`,
    messageEdits.map(({ changes }) => changes.map(describeMessageChange).join(", and ")),
  );
  const ofRule = list(
    "smallest change to the rules",
    ruleEdits.map((edit) =>
      edit.kind === "change"
        ? edit.changes.map(describeRuleChange).join(", and ")
        : describeNewRule(edit.added, edit.before),
    ),
  );
  if (ofMessage.length + ofRule.length > 0) return [...ofMessage, ...ofRule];
  return [["  no small change was found that would send it there"]];
}

const VERDICTS = {
  missed: "did not match",
  failed: "failed on this message",
  taken: "was not reached",
  "sent-elsewhere": "took it, and sends it elsewhere",
} as const;

/** One candidate: what failed, what took the message before it, and the edits. */
export function showMissed(missed: Missed): Line[] {
  const { verdict, failed, takenBy } = missed;
  const taken: Line[] =
    takenBy === null
      ? []
      : [
          ["  tried before it, ", ...nameOfEntry(takenBy), " took the message:"],
          ["    ", ...describeMatch(takenBy)],
        ];
  return [
    [...nameOfEntry(missed), " ", styled("yellow", VERDICTS[verdict])],
    ...failed.flatMap(describeClause).map((line): Line => ["    ", ...line]),
    ...taken,
    ...showEdits(missed),
  ];
}
