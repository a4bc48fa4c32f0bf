/** A rule's expression: the variables of mail, a bool result, and answers that no later fact can change. */
import type { Problem } from "../base/diagnostic.ts";
import type { Stage } from "../mail/facts.ts";
import type { PatternEngine } from "../regex/pattern-engine.ts";
import { compileProgram } from "./compile-program.ts";
import type { Expression, Outcome } from "./expression.ts";
import { MAIL_VARIABLES } from "./mail-variables.ts";
import { describeType } from "./type.ts";
import { CelError, type Result } from "./value.ts";

export type ExpressionResult =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const TRUE: Outcome = { kind: "value", value: true };
const FALSE: Outcome = { kind: "value", value: false };
const SPENT: Outcome = {
  kind: "failed",
  message: "the fuel of the expression is spent: it handles too much of this message",
};

/**
 * Compiles the expression of a rule. Its type must be bool for certain: a `dyn` result is refused, because
 * it could turn out to be anything on some message.
 */
export function compileExpression(source: string, engine: PatternEngine): ExpressionResult {
  const compiled = compileProgram(source, {
    variables: MAIL_VARIABLES,
    engine,
    checking: "strict",
  });
  if (!compiled.ok) return compiled;
  const { program } = compiled;
  if (program.type.kind !== "bool") {
    const message = `the expression gives ${describeType(program.type)}: a rule needs a bool, so compare it with something`;
    const span = { start: 0, end: source.length };
    return { ok: false, problems: [{ code: "cel/not-bool", message, span }] };
  }
  const { evaluate, frame } = program;
  const expression: Expression = {
    source,
    evaluate(facts) {
      const result = evaluate(facts);
      return { outcome: outcomeOf(result, frame.needs), fuel: frame.fuel };
    },
    explain(facts) {
      const { result, needs, fuel, steps } = program.explain(facts);
      return { outcome: outcomeOf(result, needs), fuel, steps };
    },
  };
  return { ok: true, expression };
}

/**
 * Once an unknown fact was read only `false` is final. `true` may have been reached over an operand that
 * the fact would make spend the fuel, and an error over one that would decide.
 */
function outcomeOf(result: Result, needs: Stage | null): Outcome {
  if (result === false) return FALSE;
  if (needs !== null) return { kind: "unknown", needs };
  if (result === true) return TRUE;
  if (!(result instanceof CelError)) return SPENT;
  const { message, span } = result;
  return span === null ? { kind: "failed", message } : { kind: "failed", message, span };
}
