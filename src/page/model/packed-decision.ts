/** A decision on its way from the worker, without the texts of the message, which the trace repeats for each rule. */

import type { RuleTraceEntry, TraceEntry } from "../../engine/routing/explain.ts";
import type { Decision } from "../../engine/routing/resolution.ts";
import type { ScopeTrace } from "../../engine/routing/rules/regex-rule.ts";
import { type Decided, type Known, outcomeOf, type Verdict } from "./decide.ts";
import { factsOf, type Mail } from "./mail.ts";

interface PackedScope extends Omit<ScopeTrace, "actual"> {
  /** The text that was searched. A number says how many code units of the message's own text it has, from the start. */
  readonly actual?: string | number;
}

interface PackedOutcome {
  readonly entry: TraceEntry;
  readonly verdict: Verdict;
  /** For a pattern: replaces the entry's own scopes. */
  readonly scopes: readonly PackedScope[];
  readonly known: Known;
}

export interface PackedDecision {
  readonly decision: Decision;
  readonly outcomes: readonly PackedOutcome[];
  readonly marks: Decided["marks"];
  readonly captures: readonly string[];
}

function packScope(scope: ScopeTrace, mail: Mail): PackedScope {
  const { actual } = scope;
  const isOwn = actual !== undefined && mail[scope.scope].startsWith(actual);
  return isOwn ? { ...scope, actual: actual.length } : scope;
}

function unpackScope({ actual, ...rest }: PackedScope, mail: Mail): ScopeTrace {
  if (actual === undefined) return rest;
  if (typeof actual === "string") return { ...rest, actual };
  const text = mail[rest.scope];
  return { ...rest, actual: text.length === actual ? text : text.slice(0, actual) };
}

const isPattern = (entry: TraceEntry): entry is RuleTraceEntry<"regex"> =>
  entry.kind === "rule" && entry.type === "regex";

export function packDecision(decided: Decided, mail: Mail): PackedDecision {
  const { decision, marks, captures } = decided;
  const outcomes = decided.outcomes.map((outcome): PackedOutcome => {
    const { entry, verdict, held } = outcome;
    if (!isPattern(entry)) {
      return { entry, verdict, scopes: [], known: { held, failed: outcome.failed } };
    }
    // A pattern's entry already says why it missed.
    const scopes = entry.scopes.map((scope) => packScope(scope, mail));
    return { entry: { ...entry, scopes: [] }, verdict, scopes, known: { held } };
  });
  return { decision, outcomes, marks, captures };
}

/** `mail` is the one that was decided. */
export function unpackDecision(packed: PackedDecision, mail: Mail): Decided {
  const { decision, marks, captures } = packed;
  const facts = factsOf(mail);
  const outcomes = packed.outcomes.map(({ entry, verdict, scopes, known }) => {
    const whole = isPattern(entry)
      ? { ...entry, scopes: scopes.map((scope) => unpackScope(scope, mail)) }
      : entry;
    return outcomeOf(whole, facts, verdict, known);
  });
  return { decision, outcomes, marks, captures };
}
