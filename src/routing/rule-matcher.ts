/** What every type of rule compiles to. */
import type { Stage } from "../mail/facts.ts";
import type { MatchParts } from "./forward.ts";
import type { MessageView } from "./message-view.ts";
import type { AliasRuleTraceEntry, CelRuleTraceEntry, RegexRuleTraceEntry } from "./resolution.ts";

/** The outcome of one rule on one message. */
export type RuleOutcome =
  | { readonly verdict: "matched"; readonly parts: MatchParts }
  | { readonly verdict: "missed" }
  | { readonly verdict: "failed"; readonly failure: string }
  /** An unknown fact can change it. */
  | { readonly verdict: "undecided"; readonly needs: Stage };

type Own<Entry> = Omit<Entry, "kind" | "id" | "rank" | "verdict" | "failure">;

/** What a trace entry says beyond the rule's identity and verdict, by rule type. */
export type RuleTraceDetail =
  | Own<AliasRuleTraceEntry>
  | Own<RegexRuleTraceEntry>
  | Own<CelRuleTraceEntry>;

export interface RuleMatcher {
  /** Groups that fill `$1`…`$9` of the forward. */
  readonly groupCount: number;
  /** Total. `captures: "needed"` when the forward is filled from them. */
  match(message: MessageView, captures: "needed" | "unused"): RuleOutcome;
  /** The same outcome, and the details of a trace entry. */
  explain(
    message: MessageView,
    captures: "needed" | "unused",
  ): { readonly outcome: RuleOutcome; readonly detail: RuleTraceDetail };
  /** The details of a trace entry for a rule that was not tried. */
  untried(): RuleTraceDetail;
}
