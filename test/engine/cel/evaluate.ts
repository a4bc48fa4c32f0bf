/** Short ways to evaluate an expression in a test. */

import {
  type CelOutcome,
  compileExpression,
  type Expression,
} from "../../../src/engine/cel/compile-expression.ts";
import { compileProgram } from "../../../src/engine/cel/compile-program.ts";
import { MAIL_VARIABLES } from "../../../src/engine/cel/mail-variables.ts";
import { renderResult } from "../../../src/engine/cel/values/render-value.ts";
import type { Facts } from "../../../src/engine/facts/facts.ts";

export const FACTS: Facts = {
  sender: "ann@example.com",
  recipient: "sales@acme.test",
  subject: "Your invoice 42",
  body: "Dear customer,\nplease pay.",
  headers: new Map([
    ["list-id", ["<announce.example.org>"]],
    ["received", ["from a", "from b"]],
    ["constructor", ["plain"]],
    ["__proto__", ["data"]],
  ]),
  attachments: [
    { filename: "invoice.pdf", contentType: "application/pdf", size: 2_000 },
    { filename: "", contentType: "image/png", size: 10 },
  ],
  size: 4_321,
};

export function compiled(source: string): Expression {
  const result = compileExpression(source);
  if (!result.ok) throw new Error(`${source}: ${result.problems[0]?.message}`);
  return result.expression;
}

export function outcome(source: string, facts: Facts = FACTS): CelOutcome {
  return compiled(source).evaluate(facts).outcome;
}

/** The value of an expression of any type as CEL source, or `error: …`. */
export function evaluated(source: string, checking: "strict" | "lenient" = "strict"): string {
  const result = compileProgram(source, {
    variables: MAIL_VARIABLES,
    engine: null,
    checking,
  });
  if (!result.ok) return `refused: ${result.problems.map(({ message }) => message).join("; ")}`;
  return renderResult(result.program.evaluate(FACTS));
}
