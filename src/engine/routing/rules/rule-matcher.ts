/** What every type of rule compiles to. */
import type { Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import type { Stage } from "../../facts/facts.ts";
import type { PatternTree } from "../../pattern/syntax/pattern-tree.ts";
import type { RequiredLiterals } from "../../pattern/syntax/required-literals.ts";
import type { MatchParts } from "../forward.ts";
import type { MessageView } from "../message-view.ts";
import type { Gate } from "../plan/gate.ts";
import type {
  AliasRuleTraceEntry,
  CelRuleTraceEntry,
  RegexRuleTraceEntry,
  Scope,
} from "../resolution.ts";

/** The outcome of one rule on one message. */
export type RuleOutcome =
  | { readonly verdict: "matched"; readonly parts: MatchParts }
  | { readonly verdict: "missed" }
  | { readonly verdict: "failed"; readonly failure: string }
  /** An unknown fact can change it. */
  | { readonly verdict: "undecided"; readonly needs: Stage }
  /** The guard refused to pay for it. */
  | { readonly verdict: "over-budget" };

export const MISSED: RuleOutcome = { verdict: "missed" };
export const OVER_BUDGET: RuleOutcome = { verdict: "over-budget" };

type Own<Entry> = Omit<Entry, "kind" | "id" | "rank" | "verdict" | "failure">;

/** What a trace entry says beyond the rule's identity and verdict, by rule type. */
export type RuleTraceDetail =
  | Own<AliasRuleTraceEntry>
  | Own<RegexRuleTraceEntry>
  | Own<CelRuleTraceEntry>
  | HostRuleDetail;

/** What a trace entry says of a rule of a host's own type. */
export interface HostRuleDetail {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The circumstances under which a rule is tried. */
export interface Trial {
  /** Pays for what the rule does; ask it before the work. */
  readonly guard: Guard;
  /** Whether the forward is filled from captures. */
  readonly captures: "needed" | "unused";
  /** Whether a scope is not to be searched now: there is no match in it, or it is searched later. Its text is known. */
  isPassed(scope: Scope): boolean;
  /** Parts of the scope's text of which one holds any match that there is; `null`: all of it. */
  windows(scope: Scope): readonly Span[] | null;
}

/** A pattern that is searched in scopes. */
export interface SearchedPattern {
  readonly source: string;
  readonly scopes: readonly Scope[];
  readonly tree: PatternTree;
  /** Texts of which any match holds one; `null`: nothing is known. */
  required(): RequiredLiterals | null;
}

/** What a rule compiles to: whether it matches a message, and what a trace says of that. */
export interface RuleMatcher {
  /**
   * The pattern that it searches and nothing else, scope by scope as the trial says: a plan may then try it for the
   * body apart from the other scopes, and on parts of the body.
   */
  readonly searches?: SearchedPattern;
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
