/** What every type of rule compiles to. */
import type { Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import type { Stage } from "../../facts/facts.ts";
import type { PatternTree } from "../../pattern/syntax/pattern-tree.ts";
import type { RequiredLiterals } from "../../pattern/syntax/required-literals.ts";
import type { MatchParts } from "../forward.ts";
import type { MessageView } from "../message-view.ts";
import type { Gate } from "../plan/gate.ts";
import type { Scope } from "../resolution.ts";

/** The outcome of one rule on one message. */
export type RuleOutcome =
  | { readonly verdict: "matched"; readonly parts: MatchParts }
  | { readonly verdict: "missed" }
  | { readonly verdict: "failed"; readonly failure: string }
  /** An unknown fact can change it. */
  | { readonly verdict: "undecided"; readonly needs: Stage }
  /** The guard refused to pay for it. */
  | { readonly verdict: "over-budget" };

/** It needs no captures. */
export const MATCHED: RuleOutcome = { verdict: "matched", parts: {} };
export const MISSED: RuleOutcome = { verdict: "missed" };
export const OVER_BUDGET: RuleOutcome = { verdict: "over-budget" };

/** What a trace entry says of a rule beyond its identity and verdict; each type has fields of its own. */
export interface RuleDetail {
  readonly type: string;
}

/**
 * The outcome of one rule, and what a trace says of it.
 * @inline
 */
export interface ExplainedRule<Detail extends RuleDetail = RuleDetail> {
  readonly outcome: RuleOutcome;
  readonly detail: Detail;
}

/** The circumstances under which a rule is tried. */
export interface Trial {
  /** Pays for what the rule does; ask it before the work. */
  readonly guard: Guard;
  /** Whether the forward is filled from captures. */
  readonly captures: "needed" | "unused";
  /** Whether to skip a scope now: it has no match, or is searched later. Its text is known. */
  isPassed(scope: Scope): boolean;
  /** Parts of the scope's text; any match lies in one of them. `null`: the whole text. */
  windows(scope: Scope): readonly Span[] | null;
}

/** A pattern that is searched in scopes. */
export interface SearchedPattern {
  readonly source: string;
  readonly scopes: readonly Scope[];
  readonly tree: PatternTree;
  /** Texts of which every match contains one; `null` if nothing is known. */
  required(): RequiredLiterals | null;
}

/** What a rule compiles to: whether it matches a message, and what a trace says about that. */
export interface RuleMatcher {
  /**
   * Set if the rule does nothing but search this pattern, in the scopes that the trial does not pass: a plan may then
   * try it on the body apart from the other scopes, and on parts of the body.
   */
  readonly searches?: SearchedPattern;
  /** Groups that fill `$1`…`$9` of the forward. */
  readonly groupCount: number;
  /** What must hold for it to match; `null` if nothing is known. */
  gate(): Gate | null;
  /** Never throws, and resolves no message of its own domain. */
  match(message: MessageView, trial: Trial): RuleOutcome;
  /** The same outcome, and the details of a trace entry. */
  explain(message: MessageView, trial: Trial): ExplainedRule;
  /** The details of a trace entry for a rule that was not tried. */
  untried(): RuleDetail;
}
