/** Rule type `cel`: a CEL expression over the facts. */
import { LIMITS } from "../../../base/limits.ts";
import { compileExpression } from "../../cel/compile-expression.ts";
import type { Evaluation, Expression } from "../../cel/expression.ts";
import type { MessageView } from "../message-view.ts";
import type { Gate, Opening } from "../plan/gate.ts";
import {
  OVER_BUDGET,
  type RuleMatcher,
  type RuleOutcome,
  type RuleTraceDetail,
  type Trial,
} from "./rule-matcher.ts";
import { type RuleType, ruleType, textField } from "./rule-type.ts";

/** `config` of a rule of type `cel`. */
export interface CelRuleConfig {
  /** An expression of type bool over `sender`, `recipient`, `subject`, `body`, `headers`, `attachments` and `size`. */
  readonly expression: string;
  /** Destinations, separated by commas. */
  readonly forward: string;
}

type Untried = Extract<RuleTraceDetail, { readonly type: "cel" }>;

/** Pays for an evaluation and returns its outcome; the evaluation has stopped if less was left than it needed. */
function paidOutcome({ outcome, fuel }: Evaluation, { guard }: Trial): RuleOutcome {
  if (!guard.take(Math.min(fuel, LIMITS.celFuelMax))) return OVER_BUDGET;
  switch (outcome.kind) {
    case "value":
      return outcome.value ? { verdict: "matched", parts: {} } : { verdict: "missed" };
    case "unknown":
      return { verdict: "undecided", needs: outcome.needs };
    case "failed":
      return { verdict: "failed", failure: outcome.message };
  }
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

  /** Units of evaluating all its nodes once, which its fuel does not count: every node has at least one character. */
  get #nodeFuel(): number {
    return this.#expression.source.length;
  }

  match(message: MessageView, trial: Trial): RuleOutcome {
    if (!trial.guard.take(this.#nodeFuel)) return OVER_BUDGET;
    return paidOutcome(this.#expression.evaluate(message, trial.guard), trial);
  }

  explain(
    message: MessageView,
    trial: Trial,
  ): { readonly outcome: RuleOutcome; readonly detail: RuleTraceDetail } {
    if (!trial.guard.take(this.#nodeFuel)) return { outcome: OVER_BUDGET, detail: this.untried() };
    const traced = this.#expression.explain(message, trial.guard);
    const { steps, earlier, fuel, outcome: own } = traced;
    const outcome = paidOutcome(traced, trial);
    const detail = { ...this.untried(), steps, fuel, ...(earlier.length > 0 && { earlier }) };
    if (outcome.verdict !== "failed" || own.kind !== "failed" || own.span === undefined) {
      return { outcome, detail };
    }
    return { outcome, detail: { ...detail, failureSpan: own.span } };
  }

  untried(): Untried {
    return { type: "cel", expression: this.#expression.source, steps: [] };
  }
}

export const celType: RuleType = ruleType<{ expression: Expression }>({
  type: "cel",
  fields: {
    expression: textField<Expression>(Number.POSITIVE_INFINITY, (source, { engine, programs }) => {
      const result = compileExpression(source, engine, programs);
      return result.ok ? result.expression : result.problems;
    }),
  },
  compile: ({ expression }) => new CelRule(expression),
});
