/** Expressions that were once read otherwise than CEL says. */
import { describe, expect, it, test } from "vitest";
import { compileExpression } from "../../../src/engine/cel/compile-expression.ts";
import { compiled, evaluated, FACTS, outcome } from "./evaluate.ts";

function problemsOf(source: string) {
  const result = compileExpression(source);
  return result.ok ? [] : result.problems;
}

describe("a double may begin with its point", () => {
  it.each([
    [".5 + 1.0", "1.5"],
    ["-.5", "-0.5"],
    ["- .5e1", "-5.0"],
    ["1.0/.25", "4.0"],
    ["[.5, .25][1]", "0.25"],
    ["(.5)", "0.5"],
    ['".5" + string(.5)', '".50.5"'],
    [".00000000000000000000000001 > 0.0", "true"],
  ])("%s = %s", (source, value) => expect(evaluated(source)).toBe(value));

  it.each(["size.5 > 1", "1.5.5 > 1", "size > .", "(size).5 > 1", "size > ..5"])(
    "`%s` stays an error",
    (source) => expect(problemsOf(source)).toMatchObject([{ code: "cel/syntax" }]),
  );

  test("problems behind it point into the author's text", () => {
    const [problem] = problemsOf("double(size) > .5 && nme == 1");
    expect(problem).toMatchObject({ code: "cel/unknown-identifier", span: { start: 21, end: 24 } });
  });
});

describe("`cel.bind` with a value that errs", () => {
  it.each([
    ["cel.bind(x, 1 / 0, true)", "true"],
    ["cel.bind(x, headers['none'][0], 2)", "2"],
    ["cel.bind(x, 1 / 0, x == 1 || true)", "true"],
    ["cel.bind(x, 1 / 0, [1, 2].exists(i, i == x))", "error: division by zero"],
    ["cel.bind(x, 1 / 0, cel.bind(y, x, 3))", "3"],
    ["cel.bind(x, 1 / 0, x)", "error: division by zero"],
  ])("%s = %s", (source, value) => expect(evaluated(source)).toBe(value));

  test("an unknown that is bound asks for its stage", () => {
    const { body: _, ...facts } = FACTS;
    expect(outcome('cel.bind(x, body, x == "a")', facts)).toEqual({
      kind: "unknown",
      needs: "body",
    });
    expect(outcome("cel.bind(x, body, false)", facts)).toEqual({ kind: "value", value: false });
  });
});

describe("a time zone that is the name of a place", () => {
  const source = (zone: string) => `timestamp("2026-01-01T00:00:00Z").getHours(${zone}) == 1`;

  it.each(["Europe/Berlin", "GMT+1", "utc", "+1:00", ""])(
    "`%s` is refused when compiled",
    (zone) => {
      const problems = problemsOf(source(JSON.stringify(zone)));
      expect(problems).toMatchObject([{ code: "cel/unsupported", span: { start: 43 } }]);
      expect(problems[0]!.message).toContain("`+02:00`");
    },
  );

  test("an offset is taken, and a computed zone is looked at with the message", () => {
    expect(compiled(source('"+01:00"')).evaluate(FACTS).outcome).toEqual({
      kind: "value",
      value: true,
    });
    expect(outcome(source('"Europe/" + subject'))).toMatchObject({ kind: "failed" });
  });
});
