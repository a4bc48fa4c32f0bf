/** An alias or a rule, compiled. */
import type { Forward } from "../forward.ts";
import type { AliasMatcher } from "./alias-rule.ts";
import type { RuleMatcher } from "./rule-matcher.ts";
import type { RuleType } from "./rule-type.ts";

export interface CompiledAlias {
  readonly id: string;
  readonly createdMs: number;
  readonly matcher: AliasMatcher;
  readonly forward: Forward;
}

export interface CompiledRule extends Omit<CompiledAlias, "matcher"> {
  readonly rank: number;
  readonly active: boolean;
  readonly type: RuleType;
  readonly matcher: RuleMatcher;
}

/** A matcher, and what finding its entry takes of the budget of a domain. */
export interface PricedMatcher<Matcher = RuleMatcher> {
  readonly matcher: Matcher;
  readonly fuel: number;
}
