/** Rule type `alias`: the recipient's local part against one alias, in any of its forms. */
import type { AliasMatcher } from "./alias-matcher.ts";
import type { MessageView } from "./message-view.ts";
import type { RuleMatcher, RuleOutcome } from "./rule-matcher.ts";

const MISSED: RuleOutcome = { verdict: "missed" };
const UNDECIDED: RuleOutcome = { verdict: "undecided", needs: "envelope" };

// ASSUMPTION(alias-rule-forms): an alias rule matches by the forms of an alias; between rules only rank decides
export function aliasRuleMatcher(matcher: AliasMatcher): RuleMatcher {
  const { alias, form, groupCount } = matcher;
  const untried = { type: "alias", alias, form } as const;

  function match({ localPart }: MessageView): RuleOutcome {
    if (localPart === undefined) return UNDECIDED;
    const parts = matcher.match(localPart);
    return parts === null ? MISSED : { verdict: "matched", parts };
  }

  return {
    groupCount,
    match,
    explain(message) {
      const outcome = match(message);
      if (message.localPart === undefined) return { outcome, detail: untried };
      const actual = message.localPart;
      const found = matcher.match(actual);
      if (found === null) return { outcome, detail: { ...untried, actual } };
      const { captures } = found;
      const detail = { ...untried, form: found.form, actual };
      return { outcome, detail: captures === undefined ? detail : { ...detail, captures } };
    },
    untried: () => untried,
  };
}
