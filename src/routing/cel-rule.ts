/** Rule type `cel`: a CEL expression over the facts. */
import { LIMITS } from "../base/limits.ts";
import type { Expression, Outcome } from "../cel/expression.ts";
import type { Stage } from "../mail/facts.ts";
import { BUDGET_SPENT } from "./budget.ts";
import type { Gate, Opening } from "./gate.ts";
import type { MessageView } from "./message-view.ts";
import type { RuleMatcher, RuleOutcome, RuleTraceDetail, Trial } from "./rule-matcher.ts";

type Untried = Extract<RuleTraceDetail, { readonly type: "cel" }>;

const SPENT: RuleOutcome = { verdict: "failed", failure: BUDGET_SPENT };

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

/** Why the expression may not be evaluated, or `null`. */
function refusal({ budget, gate }: Trial): RuleOutcome | null {
  if (gate === "shut") return null;
  switch (budget.take(0)) {
    case "taken":
      return null;
    case "spent":
      return SPENT;
    case "unsure":
      return { verdict: "undecided", needs: budget.needs };
  }
}

/** `read`: the earliest stage of a fact that was read while unknown, upon which knowing it may cost anything. */
function settle({ budget, gate }: Trial, fuel: number, read: Stage | null): void {
  if (gate === "shut") return;
  if (read !== null) budget.addAtMost(LIMITS.celFuelMax, read);
  else if (gate === "perhaps") budget.addAtMost(fuel, null);
  else budget.add(fuel);
}

function gateOf({ guard }: Expression): Gate | null {
  if (guard === null) return null;
  const openings = guard.openings.map(
    (opening): Opening =>
      "values" in opening ? { kind: "values", ...opening } : { kind: "literals", ...opening },
  );
  return { openings, alsoNeeds: guard.alsoNeeds };
}

class CelRule implements RuleMatcher {
  readonly #expression: Expression;

  constructor(expression: Expression) {
    this.#expression = expression;
  }

  get groupCount(): number {
    return 0;
  }

  gate(): Gate | null {
    return gateOf(this.#expression);
  }

  match(message: MessageView, trial: Trial): RuleOutcome {
    const refused = refusal(trial);
    if (refused !== null) return refused;
    const { outcome, fuel, read } = this.#expression.evaluate(message);
    settle(trial, fuel, read);
    return ruleOutcome(outcome);
  }

  explain(
    message: MessageView,
    trial: Trial,
  ): { readonly outcome: RuleOutcome; readonly detail: RuleTraceDetail } {
    const refused = refusal(trial);
    const untried = this.untried();
    if (refused !== null) return { outcome: refused, detail: untried };
    const { outcome, steps, earlier, fuel, read } = this.#expression.explain(message);
    settle(trial, fuel, read);
    const detail = { ...untried, steps, fuel, ...(earlier.length > 0 && { earlier }) };
    if (outcome.kind !== "failed" || outcome.span === undefined) {
      return { outcome: ruleOutcome(outcome), detail };
    }
    return { outcome: ruleOutcome(outcome), detail: { ...detail, failureSpan: outcome.span } };
  }

  untried(): Untried {
    return { type: "cel", expression: this.#expression.source, steps: [] };
  }
}

export function celRuleMatcher(expression: Expression): RuleMatcher {
  return new CelRule(expression);
}
