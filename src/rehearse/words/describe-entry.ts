/** Describes a trace entry: why an alias or rule matched, or how closely it missed. */
import type { TraceEntry } from "../../engine/routing/explain.ts";
import { toolsOf } from "../rules/tools-table.ts";
import { cutSource } from "./excerpt.ts";
import type { Line } from "./line.ts";

function failed(entry: TraceEntry): string {
  const failure = ("failure" in entry && entry.failure) || "no reason given";
  if (!("failureSpan" in entry) || entry.failureSpan === undefined) return failure;
  const { start, end } = entry.failureSpan;
  return `${failure}, at \`${cutSource(entry.expression.slice(start, end))}\``;
}

/** Why the entry matched. */
export function describeMatch(entry: TraceEntry): Line {
  return toolsOf(entry).matched(entry);
}

/** Describes the entry, whatever its verdict. */
export function describeEntry(entry: TraceEntry): Line {
  switch (entry.verdict) {
    case "matched":
      return describeMatch(entry);
    case "failed":
      return [failed(entry)];
    case "undecided":
      return ["depends on a fact that is not known"];
    case "over-budget":
      return ["the budget of the message was spent before this was decided"];
    case "inactive":
    case "unreached":
      return [];
    case "missed":
      return toolsOf(entry).missed(entry);
  }
}
