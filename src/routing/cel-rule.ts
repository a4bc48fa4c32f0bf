/** Rule type `cel`: a CEL expression over the facts. */
import type { Expression, Outcome } from "../cel/expression.ts";
import type { RuleMatcher, RuleOutcome } from "./rule-matcher.ts";

function ruleOutcome(outcome: Outcome): RuleOutcome {
  switch (outcome.kind) {
    case "value":
      return outcome.value ? { verdict: "matched", parts: {} } : { verdict: "missed" };
    case "unknown":
      return { verdict: "undecided", needs: outcome.needs };
    case "failed":
      return { verdict: "failed", failure: outcome.message };
  }
}

export function celRuleMatcher(expression: Expression): RuleMatcher {
  const untried = { type: "cel", expression: expression.source, steps: [] } as const;
  return {
    groupCount: 0,
    match: (message) => ruleOutcome(expression.evaluate(message).outcome),
    explain(message) {
      const { outcome, steps, fuel } = expression.explain(message);
      const detail = { ...untried, steps, fuel };
      if (outcome.kind !== "failed" || outcome.span === undefined) {
        return { outcome: ruleOutcome(outcome), detail };
      }
      return { outcome: ruleOutcome(outcome), detail: { ...detail, failureSpan: outcome.span } };
    },
    untried: () => untried,
  };
}
