/** Our evaluation against the library's own evaluator, on random expressions and on what they differ in. */
import { Environment } from "@marcbachmann/cel-js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileProgram } from "../../../src/engine/cel/compile-program.ts";
import { MAIL_VARIABLES } from "../../../src/engine/cel/mail-variables.ts";
import { renderResult } from "../../../src/engine/cel/values/render-value.ts";
import { CelError } from "../../../src/engine/cel/values/value.ts";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { boolSource, knownFacts } from "./arbitrary-expression.ts";

const library = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
  .registerVariable("sender", "string")
  .registerVariable("recipient", "string")
  .registerVariable("subject", "string")
  .registerVariable("body", "string")
  .registerVariable("headers", "map<string, list<string>>")
  .registerVariable("size", "int");

/** The library's answer as text: its value, `error`, or `refused`. */
function byLibrary(source: string, facts: Facts): string {
  const program = library.parse(source);
  if (!program.check().valid) return "refused";
  try {
    const value: unknown = program({ ...facts, size: BigInt(facts.size ?? 0) });
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  } catch {
    return "error";
  }
}

function byUs(source: string, facts: Facts): string {
  const compiled = compileProgram(source, {
    variables: MAIL_VARIABLES,
    engine: null,
    checking: "strict",
  });
  if (!compiled.ok) return "refused";
  const result = compiled.program.evaluate(facts);
  return result instanceof CelError ? "error" : renderResult(result);
}

const EMPTY: Facts = {
  sender: "",
  recipient: "",
  subject: "",
  body: "",
  headers: new Map(),
  attachments: [],
  size: 0,
};

describe("the library's evaluator", () => {
  it("agrees on random expressions", () => {
    const answers = new Map<string, number>();
    fc.assert(
      fc.property(boolSource, knownFacts, (source, facts) => {
        const answer = byUs(source, facts);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
        expect(answer).toBe(byLibrary(source, facts));
      }),
      { seed: 20261120, numRuns: 4_000 },
    );
    for (const kind of ["true", "false", "error"]) {
      expect(answers.get(kind) ?? 0, kind).toBeGreaterThan(200);
    }
  });

  // Each row: the expression, our answer, which the definition of CEL and its conformance cases bear out, and
  // the library's.
  it.each([
    ['"🐱".size() == 1 && "🐱a".indexOf("a") == 1', "true", "false"],
    ['"É".lowerAscii()', '"É"', '"é"'],
    ['"\\ufeffa".trim().size()', "2", "1"],
    ["-(-9223372036854775808)", "error", "9223372036854775808"],
    ["9223372036854775808", "refused", "9223372036854775808"],
    ['int("")', "error", "0"],
    ['int("0b1")', "error", "1"],
    ["int(1e99) > 0", "error", "true"],
    ["int(5u)", "5", "refused"],
    ['dyn({1: 2})["1"]', "error", "2"],
    ['b"á".size()', "2", "1"],
    ["true == 1 < 2", "refused", "true"],
    ['{"constructor": 1}.size()', "1", "0"],
    ['"a".matches("^(?!b)")', "refused", "true"],
    ["{1.5: 2}.size()", "refused", "1"],
    ["[1].exists(i, v, i == 0)", "true", "refused"],
    ["has([{'a': 1}][0].a)", "true", "refused"],
  ])("differs on %s", (source, ours, theirs) => {
    expect(byUs(source, EMPTY)).toBe(ours);
    expect(byLibrary(source, EMPTY)).toBe(theirs);
  });
});
