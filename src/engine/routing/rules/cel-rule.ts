/** Rule type `cel`: a CEL expression over the facts. */
import type { Span } from "../../../base/diagnostic.ts";
import { LIMITS } from "../../../base/limits.ts";
import {
  compileExpression,
  type Evaluation,
  type Expression,
} from "../../cel/compile-expression.ts";
import type { StepTally, StepTrace } from "../../cel/compile-program.ts";
import type { MessageView } from "../message-view.ts";
import type { Gate } from "../plan/gate.ts";
import {
  type ExplainedRule,
  MATCHED,
  MISSED,
  OVER_BUDGET,
  type RuleMatcher,
  type RuleOutcome,
  type RuleType,
  ruleType,
  type Trial,
  textField,
} from "./rule-type.ts";

/**
 * `config` of a rule of type `cel`.
 * @inline
 */
export interface CelRuleConfig {
  /** An expression of type bool over `sender`, `recipient`, `subject`, `body`, `headers`, `attachments` and `size`. */
  readonly expression: string;
  /** Destinations, separated by commas. */
  readonly forward: string;
}

/**
 * What a trace says of a rule of type `cel`.
 * @inline
 */
export interface CelRuleDetail {
  readonly type: "cel";
  readonly expression: string;
  /** Empty when inactive or unreached. */
  readonly steps: readonly StepTrace[];
  /** The iterations of macros before the one among the steps; left out if there were none. */
  readonly earlier?: readonly StepTally[];
  /** Where in the expression the failure occurred. */
  readonly failureSpan?: Span;
  /** Fuel spent: loop iterations plus characters handled. */
  readonly fuel?: number;
}

/** Pays for an evaluation and returns its outcome; the evaluation has stopped if less was left than it needed. */
function paidOutcome({ outcome, fuel }: Evaluation, { guard }: Trial): RuleOutcome {
  if (!guard.take(Math.min(fuel, LIMITS.celFuelMax))) return OVER_BUDGET;
  if (outcome.kind === "value") return outcome.value ? MATCHED : MISSED;
  if (outcome.kind === "unknown") return { verdict: "undecided", needs: outcome.needs };
  return { verdict: "failed", failure: outcome.message };
}

class CelRule implements RuleMatcher {
  constructor(private readonly expression: Expression) {}

  get groupCount(): number {
    return 0;
  }

  gate(): Gate | null {
    return this.expression.guard;
  }

  /** Units of evaluating all its nodes once, which its fuel does not count: every node has at least one character. */
  get #nodeFuel(): number {
    return this.expression.source.length;
  }

  match(message: MessageView, trial: Trial): RuleOutcome {
    if (!trial.guard.take(this.#nodeFuel)) return OVER_BUDGET;
    return paidOutcome(this.expression.evaluate(message, trial.guard), trial);
  }

  explain(message: MessageView, trial: Trial): ExplainedRule<CelRuleDetail> {
    if (!trial.guard.take(this.#nodeFuel)) return { outcome: OVER_BUDGET, detail: this.untried() };
    const traced = this.expression.explain(message, trial.guard);
    const { steps, earlier, fuel, outcome: own } = traced;
    const outcome = paidOutcome(traced, trial);
    const detail = { ...this.untried(), steps, fuel, ...(earlier.length > 0 && { earlier }) };
    const failureSpan = outcome.verdict === "failed" && own.kind === "failed" ? own.span : null;
    return { outcome, detail: failureSpan === null ? detail : { ...detail, failureSpan } };
  }

  untried(): CelRuleDetail {
    return { type: "cel", expression: this.expression.source, steps: [] };
  }
}

export const celType: RuleType = ruleType<{ expression: Expression }>({
  type: "cel",
  description: "evaluates an expression",
  fields: {
    expression: textField<Expression>(
      Number.POSITIVE_INFINITY,
      (source, { engine, programs }) => {
        const result = compileExpression(source, engine, programs);
        return result.ok ? result.expression : result.problems;
      },
      {
        description:
          "A CEL expression that answers true or false, over `sender`, `recipient`, `subject`, `body`, `headers` (lower-case name to list of values), `attachments` (each with `filename`, `contentType`, `size`) and `size`.",
        maxLength: LIMITS.celUnitsMax,
        examples: ['sender.endsWith("@example.net") && size < 1000000'],
      },
    ),
  },
  compile: ({ expression }) => new CelRule(expression),
});
