/** Rule type `alias`: the recipient's local part against one alias, in any of its forms. */
import { LIMITS } from "../../../base/limits.ts";
import { type AliasMatch, type AliasMatcher, compileAlias } from "../aliases/alias-matcher.ts";
import type { MessageView } from "../message-view.ts";
import type { Gate } from "../plan/gate.ts";
import type { AliasForm } from "../resolution.ts";
import {
  type ExplainedRule,
  MISSED,
  OVER_BUDGET,
  type RuleMatcher,
  type RuleOutcome,
  type Trial,
} from "./rule-matcher.ts";
import { type RuleType, ruleType, textField } from "./rule-type.ts";

/**
 * `config` of a rule of type `alias`.
 * @inline
 */
export interface AliasRuleConfig {
  /** A local part, `*`, a wildcard such as `sales-*`, or a pattern such as `^(in|out)voice$`. */
  readonly alias: string;
  /** Destinations, separated by commas; `$1` is what the first group of a pattern captured. */
  readonly forward: string;
}

/**
 * What a trace says of a rule of type `alias`.
 * @inline
 */
export interface AliasRuleDetail {
  readonly type: "alias";
  readonly alias: string;
  readonly form: AliasForm;
  /** The recipient's local part that was compared; absent when unreached or unknown. */
  readonly actual?: string;
  /** Groups of a pattern that matched; `captures[0]` is `$1`. */
  readonly captures?: readonly (string | undefined)[];
}

const UNDECIDED: RuleOutcome = { verdict: "undecided", needs: "envelope" };

// ASSUMPTION(alias-rule-forms): an alias rule matches by the forms of an alias; between rules only rank decides
class AliasRule implements RuleMatcher {
  constructor(private readonly matcher: AliasMatcher) {}

  get groupCount(): number {
    return this.matcher.groupCount;
  }

  gate(): Gate | null {
    return this.matcher.gate();
  }

  match({ localPart }: MessageView, { guard }: Trial): RuleOutcome {
    if (localPart === undefined) return UNDECIDED;
    const parts = this.matcher.match(localPart, guard);
    if (parts !== null) return { verdict: "matched", parts };
    return guard.isSpent ? OVER_BUDGET : MISSED;
  }

  explain(message: MessageView, trial: Trial): ExplainedRule<AliasRuleDetail> {
    const outcome = this.match(message, trial);
    const { localPart: actual } = message;
    const tried = actual === undefined ? this.untried() : { ...this.untried(), actual };
    if (outcome.verdict !== "matched") return { outcome, detail: tried };
    const { form, captures } = outcome.parts as AliasMatch;
    return { outcome, detail: { ...tried, form, ...(captures !== undefined && { captures }) } };
  }

  untried(): AliasRuleDetail {
    const { alias, form } = this.matcher;
    return { type: "alias", alias, form };
  }
}

export const aliasType: RuleType = ruleType<{ alias: AliasMatcher }>({
  type: "alias",
  description: "compares the address",
  fields: {
    alias: textField<AliasMatcher>(
      LIMITS.aliasUnitsMax,
      (alias, { engine }) => {
        const matcher = compileAlias(alias, engine);
        return "code" in matcher ? [matcher] : matcher;
      },
      { $ref: "#/definitions/aliasText" },
    ),
  },
  compile: ({ alias }) => new AliasRule(alias),
});
