/** Conversions between types: every value of one type that the other has, and an error for the rest. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../../src/base/limits.ts";
import { compiled, evaluated, FACTS } from "../evaluate.ts";

const [NO_INT, NO_UINT] = ["error: not a 64-bit integer", "error: not an unsigned 64-bit integer"];
const NO_NUMBER = "error: not a number";
const NO_BOOL = "error: not a bool: write `true` or `false`";
const [INT_MAX, UINT_MAX] = ["9223372036854775807", "18446744073709551615"];
const INT_BEYOND = "9223372036854775808";
const long = "1".repeat(LIMITS.celNumberUnitsMax + 1);

describe("a number is read from a text", () => {
  test.each([
    ...["0", "7", INT_MAX, `-${INT_BEYOND}`].map((text) => [text, text]),
    ...[
      ["+7", "7"],
      ["007", "7"],
      ["-0", "0"],
      ["0".repeat(LIMITS.celNumberUnitsMax), "0"],
    ],
    ...[
      "",
      "-",
      " 1",
      "1 ",
      "1.0",
      "1e3",
      "0x1",
      "--1",
      "\u0661",
      INT_BEYOND,
      `-${UINT_MAX}`,
      long,
    ].map((text) => [text, NO_INT]),
  ])("int(%j) is %s", (text, value) => {
    expect(evaluated(`int(${JSON.stringify(text)})`)).toBe(value);
  });

  test.each([
    ...["0", "7", UINT_MAX].map((text) => [text, `${text}u`]),
    ...["", "+7", "-1", "7u", "1.0", " 1", "1 ", "18446744073709551616", long].map((text) => [
      text,
      NO_UINT,
    ]),
  ])("uint(%j) is %s", (text, value) => {
    expect(evaluated(`uint(${JSON.stringify(text)})`)).toBe(value);
  });

  test.each([
    ...[
      ["1", "1.0"],
      ["1.5", "1.5"],
      ["1.", "1.0"],
      [".5", "0.5"],
      ["+.5", "0.5"],
      ["-1e3", "-1000.0"],
    ],
    ...[
      ["1E+2", "100.0"],
      ["25e-2", "0.25"],
      ["12.25", "12.25"],
      ["1".repeat(9), "111111111.0"],
    ],
    ...["inf", "+INF", "Infinity"].map((text) => [text, 'double("Infinity")']),
    ...["-inf", "-infinity"].map((text) => [text, 'double("-Infinity")']),
    ...["nan", "NaN", "-nan"].map((text) => [text, 'double("NaN")']),
    ...["", ".", "e3", "1e", "1e+", "1.5.", " 1", "1 ", "0x1", "xinf", "infx", long].map((text) => [
      text,
      NO_NUMBER,
    ]),
  ])("double(%j) is %s", (text, value) => {
    expect(evaluated(`double(${JSON.stringify(text)})`)).toBe(value);
  });

  test.each([
    ...["1", "t", "true", "TRUE", "True"].map((text) => [text, "true"]),
    ...["0", "f", "false", "FALSE", "False"].map((text) => [text, "false"]),
    ...["", "yes", "T", "tRUE", " true", "2"].map((text) => [text, NO_BOOL]),
  ])("bool(%j) is %s", (text, value) => {
    expect(evaluated(`bool(${JSON.stringify(text)})`)).toBe(value);
  });
});

test.each([
  ["int(1.9)", "1"],
  ["int(-1.9)", "-1"],
  ["int(9223372036854774784.0)", "9223372036854774784"],
  ["int(9223372036854775808.0)", NO_INT],
  ["int(-9223372036854775808.0)", NO_INT],
  ["int(0.0 / 0.0)", NO_INT],
  ["int(1.0 / 0.0)", NO_INT],
  [`int(${INT_MAX}u)`, INT_MAX],
  [`int(${INT_BEYOND}u)`, NO_INT],
  ["int(5)", "5"],
  ["int(timestamp('1970-01-01T00:01:00.9Z'))", "60"],
  ["uint(1.9)", "1u"],
  ["uint(0.0)", "0u"],
  ["uint(-0.5)", NO_UINT],
  ["uint(18446744073709549568.0)", "18446744073709549568u"],
  ["uint(18446744073709551616.0)", NO_UINT],
  ["uint(0.0 / 0.0)", NO_UINT],
  ["uint(0)", "0u"],
  ["uint(-1)", NO_UINT],
  ["uint(5u)", "5u"],
  ["double(3)", "3.0"],
  ["double(3u)", "3.0"],
  ["double(1.5)", "1.5"],
  ["bool(true)", "true"],
  ["timestamp(60) == timestamp('1970-01-01T00:01:00Z')", "true"],
  ["timestamp(timestamp(60)) == timestamp(60)", "true"],
  ["duration(duration('60s')) == duration('1m')", "true"],
  ["duration('1.m.5s10.25s') == duration('70.75s')", "true"],
  ["bytes('é') == b'é' && bytes(b'a') == b'a'", "true"],
  ["dyn(1)", "1"],
])("%s = %s", (source, value) => {
  expect(evaluated(source)).toBe(value);
});

test.each([
  ["'a'", "a"],
  ["true", "true"],
  ["-7", "-7"],
  [INT_MAX, INT_MAX],
  ["7u", "7"],
  ["1.5", "1.5"],
  ["-0.0", "-0"],
  ["1.0 / 0.0", "+Inf"],
  ["-1.0 / 0.0", "-Inf"],
  ["0.0 / 0.0", "NaN"],
  ["b'\\xc3\\xa9'", "é"],
  ["b'\\xef\\xbb\\xbfa'", "\ufeffa"],
  ["timestamp(60)", "1970-01-01T00:01:00Z"],
  ["duration('90s')", "90s"],
])("string(%s) is %j", (source, text) => {
  expect(evaluated(`string(${source}) == ${JSON.stringify(text)}`)).toBe("true");
});

test.each(["", "1", ".s", "1..5s", "1s.", "1.5", "11m".repeat(49)])(
  "duration(%j) is an error: the last one, with a letter after it, was read in 2⁴⁹ ways",
  (text) => {
    const error = "error: not a duration such as `1h30m`";
    expect(evaluated(`duration(${JSON.stringify(`${text}x`)})`)).toBe(error);
  },
);

test("bytes that are not UTF-8 are no text", () => {
  expect(evaluated("string(b'\\xff')")).toBe("error: bytes that are not UTF-8");
});

test("`type` gives the type that a name stands for", () => {
  for (const [value, type] of [
    ...[
      ["1", "int"],
      ["1u", "uint"],
      ["1.5", "double"],
      ["'a'", "string"],
      ["b'a'", "bytes"],
    ],
    ...[
      ["true", "bool"],
      ["null", "null_type"],
      ["[1]", "list"],
      ["{}", "map"],
      ["int", "type"],
    ],
    ...[
      ["timestamp(0)", "google.protobuf.Timestamp"],
      ["duration('1s')", "google.protobuf.Duration"],
    ],
    ["optional.none()", "optional_type"],
  ]) {
    expect({ value, is: evaluated(`type(${value}) == ${type}`) }).toEqual({ value, is: "true" });
  }
});

test.each(["bytes(subject) == b''", "string(bytes(subject)) == ''"])(
  "fuel pays for every octet of `%s`",
  (source) => {
    const fuelOf = (units: number): number =>
      compiled(source).evaluate({ ...FACTS, subject: "é".repeat(units) }).fuel;
    const octets = source.startsWith("string") ? 400 : 200;
    expect(fuelOf(200) - fuelOf(100)).toBeGreaterThanOrEqual(octets);
  },
);

test("fuel pays for numbers that are read or written", () => {
  const fuelOf = (source: string): number => compiled(source).evaluate(FACTS).fuel;
  for (const source of ["string(size)", "uint(size)", "string(dyn(1u))", "string(dyn(1.5))"]) {
    expect(fuelOf(`${source} == ${source}`)).toBeGreaterThan(fuelOf("size == size"));
  }
  for (const [short, longer] of [
    ["1", "11111"],
    ["1.5", "1.11111"],
  ]) {
    const type = short!.includes(".") ? "double" : "int";
    const read = (text: string): number => fuelOf(`${type}([subject, "${text}"][1]) == ${type}(1)`);
    expect(read(longer!)).toBeGreaterThan(read(short!));
  }
});
