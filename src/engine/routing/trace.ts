/** The trace of `explain`: what happened to every alias or rule on the way to the resolution. */
import type { Resolution } from "./resolution.ts";
import type { AliasRuleDetail } from "./rules/alias-rule.ts";
import type { RuleShapes, RuleTypeName } from "./rules/rule-types.ts";

/** An alias in the trace: what it was compared with, and whether it matched. */
export interface AliasTraceEntry extends Omit<AliasRuleDetail, "type"> {
  readonly kind: "alias";
  readonly id: string;
  readonly verdict: "matched" | "missed" | "failed" | "undecided" | "over-budget" | "unreached";
  /** Why it failed although it matched. */
  readonly failure?: string;
}

interface RuleTraceBase {
  readonly kind: "rule";
  readonly id: string;
  readonly rank: number;
  /** `over-budget`: the budget was spent before the rule's outcome was known. */
  readonly verdict: AliasTraceEntry["verdict"] | "inactive";
  /** Why it failed on this message; a failed rule counts as missed. */
  readonly failure?: string;
}

/** A rule in the trace, with its outcome: `RuleTraceEntry<"regex">` is of that type. */
export type RuleTraceEntry<Type extends RuleTypeName = RuleTypeName> = {
  readonly [Each in Type]: RuleTraceBase & RuleShapes[Each]["detail"];
}[Type];
export type AliasRuleTraceEntry = RuleTraceEntry<"alias">;
export type RegexRuleTraceEntry = RuleTraceEntry<"regex">;
export type CelRuleTraceEntry = RuleTraceEntry<"cel">;

/** One alias or rule in the order of trial. */
export type TraceEntry = AliasTraceEntry | RuleTraceEntry;

/** `explain`'s answer: the resolution, and one entry per alias or per rule, in the order of trial. */
export interface Explanation {
  readonly resolution: Resolution;
  readonly trace: readonly TraceEntry[];
  /** Units of the message's budget that the resolution took. */
  readonly fuel: number;
}
