/** A rule, compiled. */
import type { Forward } from "./forward.ts";
import type { RuleMatcher } from "./rule-matcher.ts";

export interface CompiledRule {
  readonly id: string;
  readonly rank: number;
  readonly active: boolean;
  readonly createdMs: number;
  readonly matcher: RuleMatcher;
  readonly forward: Forward;
}
