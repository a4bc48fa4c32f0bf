/** Which clauses of an alias or a rule failed on a message. */
import type { Facts } from "../../engine/facts/facts.ts";
import type { TraceEntry } from "../../engine/routing/explain.ts";
import { toolsOf } from "../rules/tools-table.ts";
import type { FailedClause } from "./failed-clause.ts";

/** The clauses that failed, for an entry of a trace that missed or failed; none for one that matched. */
export function failedClauses(entry: TraceEntry, facts: Facts): readonly FailedClause[] {
  if (entry.verdict === "matched") return [];
  if (entry.verdict === "over-budget") {
    return [{ kind: "failure", failure: "the budget of the message is spent" }];
  }
  return toolsOf(entry).failedClauses(entry, facts);
}
