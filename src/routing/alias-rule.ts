/** Rule type `alias`: the recipient's local part against one alias, in any of its forms. */
import type { AliasMatcher } from "./alias-matcher.ts";
import type { Gate } from "./gate.ts";
import type { MessageView } from "./message-view.ts";
import type { RuleMatcher, RuleOutcome, RuleTraceDetail } from "./rule-matcher.ts";

type Untried = Extract<RuleTraceDetail, { readonly type: "alias" }>;

const MISSED: RuleOutcome = { verdict: "missed" };
const UNDECIDED: RuleOutcome = { verdict: "undecided", needs: "envelope" };

// ASSUMPTION(alias-rule-forms): an alias rule matches by the forms of an alias; between rules only rank decides
class AliasRule implements RuleMatcher {
  readonly #matcher: AliasMatcher;

  constructor(matcher: AliasMatcher) {
    this.#matcher = matcher;
  }

  get groupCount(): number {
    return this.#matcher.groupCount;
  }

  gate(): Gate | null {
    return this.#matcher.gate();
  }

  match({ localPart }: MessageView): RuleOutcome {
    if (localPart === undefined) return UNDECIDED;
    const parts = this.#matcher.match(localPart);
    return parts === null ? MISSED : { verdict: "matched", parts };
  }

  explain(message: MessageView): {
    readonly outcome: RuleOutcome;
    readonly detail: RuleTraceDetail;
  } {
    const outcome = this.match(message);
    const untried = this.untried();
    if (message.localPart === undefined) return { outcome, detail: untried };
    const actual = message.localPart;
    const found = this.#matcher.match(actual);
    if (found === null) return { outcome, detail: { ...untried, actual } };
    const { captures } = found;
    const detail = { ...untried, form: found.form, actual };
    return { outcome, detail: captures === undefined ? detail : { ...detail, captures } };
  }

  untried(): Untried {
    const { alias, form } = this.#matcher;
    return { type: "alias", alias, form };
  }
}

export function aliasRuleMatcher(matcher: AliasMatcher): RuleMatcher {
  return new AliasRule(matcher);
}
