/** A rule, compiled. */
import type { Forward } from "../forward.ts";
import type { RuleMatcher } from "./rule-matcher.ts";
import type { RuleType } from "./rule-type.ts";

export interface CompiledRule {
  readonly id: string;
  readonly rank: number;
  readonly active: boolean;
  readonly createdMs: number;
  readonly type: RuleType;
  readonly matcher: RuleMatcher;
  readonly forward: Forward;
}

/** A matcher, and what finding its rule takes of the budget of a domain. */
export interface PricedMatcher {
  readonly matcher: RuleMatcher;
  readonly fuel: number;
}
