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

describe("a `dyn` argument where a parameterised type is expected", () => {
  it.each([
    [
      '(["a"] + dyn([1]))[1].lowerAscii()',
      "error: `lowerAscii` of values of types it does not take",
    ],
    [
      '(["a"] + dyn([1]))[1].contains("x")',
      "error: `contains` of values of types it does not take",
    ],
    [
      '(dyn([1]) + ["a"])[0].contains("x")',
      "error: `contains` of values of types it does not take",
    ],
    ['(["a"] + [dyn(1)])[1] == "a"', "false"],
    ['(["a"] + dyn([1])).exists(x, x == 1)', "true"],
  ])("%s = %s", (source, value) => expect(evaluated(source)).toBe(value));
});

describe("zero values", () => {
  it.each([
    'duration("0s")',
    "0",
    "0u",
    "0.0",
    "-0.0",
    '""',
    "b''",
    "false",
    "null",
    "[]",
    "{}",
    "optional.none()",
  ])("%s is one", (zero) =>
    expect(evaluated(`optional.ofNonZeroValue(${zero}).hasValue()`)).toBe("false"),
  );

  it.each(['duration("1ns")', 'duration("-1ns")', "timestamp(0)", "double('nan')", "[0]", "int"])(
    "%s is none",
    (value) => expect(evaluated(`optional.ofNonZeroValue(${value}).hasValue()`)).toBe("true"),
  );
});

describe("a format", () => {
  it.each([
    ['"%s %d".format([-0.0, -0.0])', '"-0 -0"'],
    ['"%f %e".format([-0.0, -0.0])', '"-0.000000 -0.000000e+00"'],
    ['"%.0f %.0e".format([-0.0, -0.0])', '"-0 -0e+00"'],
    ['"%s".format([[-0.0, 0.0]])', '"[-0, 0]"'],
    ['"%f".format([-0.001])', '"-0.001000"'],
    // Ties go to the even digit, near ones do not.
    ['"%.0f %.0f %.1f %.1f".format([0.5, 1.5, 0.25, 0.35])', '"0 2 0.2 0.3"'],
    ['"%.0e %.1e %.2e".format([2.5e10, 1.25, 1.125])', '"2e+10 1.2e+00 1.12e+00"'],
    ['"%s".format([{"": -1, "\\t": 255}])', '"{: -1, \\t: 255}"'],
    ['"%s".format([{"a b": 1, "a": 2}])', '"{a: 2, a b: 1}"'],
    ['"%s".format([{"1": 2, 1: 1}])', '"{1: 1, 1: 2}"'],
    ['"%%%s%%%%".format(["%"])', '"%%%%"'],
    ['"%x %X".format(["aé日😀\\n", b"\\xff\\x00"])', '"61c3a9e697a5f09f98800a FF00"'],
    ['"%X %x".format([255, -255])', '"FF -ff"'],
    ['"%".format([])', "error: a format ends in `%`: write `%%` for a percent sign"],
    ['"%.5".format([1])', "error: a format ends in `%`: write `%%` for a percent sign"],
    ['"%.12345f".format([1.0])', "error: a format ends in `%`: write `%%` for a percent sign"],
    ['"%s".format([b"\\xef\\xbb\\xbfa"]) == string(b"\\xef\\xbb\\xbfa")', "true"],
  ])("%s = %s", (source, value) => expect(evaluated(source)).toBe(value));
});

describe("times at the edge of their ranges", () => {
  it.each([
    ['timestamp("2020-01-01T00:00:00.1234567890Z")', 'timestamp("2020-01-01T00:00:00.123456789Z")'],
    [`timestamp("2020-01-01T00:00:00.${"9".repeat(300)}Z").getSeconds()`, "0"],
    ['timestamp("2020-01-02T00:00:00+23:59")', 'timestamp("2020-01-01T00:01:00Z")'],
    ...["+24:00", "-24:00", "+23:60", "+99:99"].map((zone) => [
      `timestamp("2020-01-01T00:00:00${zone}") == timestamp(0)`,
      "error: not a timestamp such as `2026-01-31T09:30:00Z`",
    ]),
    ...["+25:00", "+24:00", "-99:99", "00:60"].map((zone) => [
      `timestamp(0).getHours("" + "${zone}")`,
      "error: time zones are `UTC` or an offset such as `+02:00`",
    ]),
    ['duration("-9223372036.854775808s")', 'duration("-9223372036.854775808s")'],
    ['duration("-9223372036.854775809s")', "error: duration out of range"],
    ['duration("9223372036.854775808s")', "error: duration out of range"],
    ['duration("-9223372036.854775807s") - duration("1ns")', 'duration("-9223372036.854775808s")'],
    ['timestamp(0) - duration("-9223372036.854775808s") > timestamp(9223372036)', "true"],
  ])("%s = %s", (source, value) => expect(evaluated(source!)).toBe(value));

  test("a constant offset out of range is refused when compiled", () => {
    const problems = problemsOf('timestamp(0).getHours("+25:00") == 1');
    expect(problems).toMatchObject([{ code: "cel/unsupported" }]);
  });
});

describe("bytes that are not UTF-8", () => {
  it.each([
    ['string(b"\\xff")', "error: bytes that are not UTF-8"],
    ['string(b"\\xef\\xbf\\xbd\\xff")', "error: bytes that are not UTF-8"],
    ['string(b"\\xed\\xa0\\x80")', "error: bytes that are not UTF-8"],
    ['string(b"\\xef\\xbf\\xbd") == "\\ufffd"', "true"],
    ['string(b"\\xef\\xbb\\xbf") == "\\ufeff"', "true"],
  ])("%s = %s", (source, value) => expect(evaluated(source)).toBe(value));
});
