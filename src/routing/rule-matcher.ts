/** What every type of rule compiles to. */
import type { Stage } from "../mail/facts.ts";
import type { Budget } from "./budget.ts";
import type { MatchParts } from "./forward.ts";
import type { Gate } from "./gate.ts";
import type { MessageView } from "./message-view.ts";
import type {
  AliasRuleTraceEntry,
  CelRuleTraceEntry,
  RegexRuleTraceEntry,
  Scope,
} from "./resolution.ts";

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

/** The circumstances under which a rule is tried. */
export interface Trial {
  readonly budget: Budget;
  /** Whether the forward is filled from captures. */
  readonly captures: "needed" | "unused";
  /** Whether the rule's gate is open; `perhaps`: only because facts are unknown. A shut rule costs nothing. */
  readonly gate: "open" | "perhaps" | "shut";
  /**
   * What is known of a scope before it is searched. `shut`: there is no match, and searching costs nothing;
   * `passed`: nor need it be searched. Its text is known.
   */
  scopeGate(scope: Scope): "open" | "shut" | "passed";
  /** Parts of the scope's text of which one holds any match that there is; `null`: all of it. */
  windows(scope: Scope): readonly string[] | null;
}

export interface RuleMatcher {
  /** Groups that fill `$1`…`$9` of the forward. */
  readonly groupCount: number;
  /** What must hold for it to match; `null` if nothing is known. Made when first asked for. */
  gate(): Gate | null;
  /** Total. */
  match(message: MessageView, trial: Trial): RuleOutcome;
  /** The same outcome, and the details of a trace entry. */
  explain(
    message: MessageView,
    trial: Trial,
  ): { readonly outcome: RuleOutcome; readonly detail: RuleTraceDetail };
  /** The details of a trace entry for a rule that was not tried. */
  untried(): RuleTraceDetail;
}
