/** Operators of numbers, texts, bytes and times against exact arithmetic, at the edges of the types and across them. */
import { describe, expect, test } from "vitest";
import { compiled, evaluated, FACTS } from "../evaluate.ts";

const [INT_MIN, INT_MAX, UINT_MAX] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 64n - 1n];
const SAFE = 2n ** 53n - 1n;
const MAGNITUDES = [0n, 1n, 2n, 7n, 3_037_000_500n, SAFE - 1n, SAFE, SAFE + 1n, 2n ** 62n, INT_MAX];
const INTS = [...MAGNITUDES, ...MAGNITUDES.map((value) => -value), INT_MIN];
const UINTS = [...MAGNITUDES, UINT_MAX - 1n, UINT_MAX];

const EXACT: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

describe.each([
  ["int", INTS, "", INT_MIN, INT_MAX],
  ["uint", UINTS, "u", 0n, UINT_MAX],
] as const)("%s", (_type, values, suffix, min, max) => {
  test.each(Object.entries(EXACT))("%s", (operator, exact) => {
    const wanted = (a: bigint, b: bigint): string => {
      if (b === 0n && operator === "/") return "error: division by zero";
      if (b === 0n && operator === "%") return "error: modulus by zero";
      const result = exact(a, b);
      return result < min || result > max ? "error: integer overflow" : `${result}${suffix}`;
    };
    for (const a of values) {
      for (const b of values) {
        const source = `${a}${suffix} ${operator} ${b}${suffix}`;
        expect({ source, gives: evaluated(source) }).toEqual({ source, gives: wanted(a, b) });
      }
    }
  });
});

test("an int keeps its one zero, and its sign can be turned unless it is the least", () => {
  for (const value of INTS) {
    const wanted = value === INT_MIN ? "error: integer overflow" : `${-value}`;
    expect(evaluated(`-(${value})`)).toBe(wanted);
  }
  expect(evaluated("[1.0 / double(0 * -1), 1.0 / double(-7 % 7), 1.0 / double(-(0))]")).toBe(
    '[double("Infinity"), double("Infinity"), double("Infinity")]',
  );
});

/** Holds of the sign of a comparison; `NaN` has none. */
const RELATIONS: Readonly<Record<string, (sign: number) => boolean>> = {
  "<": (sign) => sign < 0,
  "<=": (sign) => sign <= 0,
  ">": (sign) => sign > 0,
  ">=": (sign) => sign >= 0,
};

/** Expects every relation of all `sources` with each other, and of what is only known with the message. */
function expectRelations(
  sources: readonly string[],
  signOf: (a: number, b: number) => number,
): void {
  for (const [nth, a] of sources.entries()) {
    for (const [place, b] of sources.entries()) {
      for (const [operator, holds] of Object.entries(RELATIONS)) {
        const wanted = String(holds(signOf(nth, place)));
        for (const source of [`${a} ${operator} ${b}`, `[${a}][0] ${operator} [${b}][0]`]) {
          expect({ source, gives: evaluated(source) }).toEqual({ source, gives: wanted });
        }
      }
    }
  }
}

describe("relations", () => {
  test("of numbers of one type and of two", () => {
    const doubles = [-1.5, 0, 1, 1.5, 2 ** 53, 2 ** 63, Number.POSITIVE_INFINITY, Number.NaN];
    const values: readonly (bigint | number)[] = [
      ...[0n, 1n, -1n, SAFE, SAFE + 1n, SAFE + 2n, INT_MAX, INT_MIN],
      ...[0n, 2n, SAFE + 2n, UINT_MAX],
      ...doubles,
    ];
    const sources = values.map((value, nth) => {
      if (typeof value === "number") return `double("${value}")`;
      return nth < 8 ? `${value}` : `${value}u`;
    });
    expectRelations(sources, (nth, place) => {
      const [a, b] = [values[nth]!, values[place]!];
      if (typeof a === "bigint" && typeof b === "bigint") return a < b ? -1 : a > b ? 1 : 0;
      return Number(a) === Number(b) ? 0 : Number(a) - Number(b);
    });
  });

  test.each([
    ["bools", ["false", "true"]],
    [
      "texts, by code points",
      ["", "a", "aa", "b", "b\ud7ff", "b\ue000", "b\uffff", "b🐱", "b🐱a", "b🐲"].map((text) =>
        JSON.stringify(text),
      ),
    ],
    ["bytes", ["", "\\x00", "a", "a\\x00", "ab", "b", "\\xff"].map((text) => `b"${text}"`)],
    [
      "durations",
      ["-1h", "-1ns", "0s", "1ns", "999ms", "1s", "1h"].map((text) => `duration("${text}")`),
    ],
    [
      "timestamps",
      [
        "1969-12-31T23:59:59.5",
        "1970-01-01T00:00:00",
        "1970-01-01T00:00:00.000000001",
        "2026-01-01T00:00:00",
      ].map((text) => `timestamp("${text}Z")`),
    ],
  ])("of %s", (_type, ordered) => {
    expectRelations(ordered, (a, b) => a - b);
  });
});

describe("sums and differences", () => {
  const [day, later] = ['timestamp("2026-01-31T00:00:00Z")', 'timestamp("2026-01-31T01:00:00Z")'];
  test.each([
    ["1.5 + 0.25", "1.75"],
    ["1.5 - 0.25", "1.25"],
    ["1.5 * 0.5", "0.75"],
    ["1.5 / 0.5", "3.0"],
    ["-(1.5)", "-1.5"],
    ["!true", "false"],
    ["'a' + 'bc'", '"abc"'],
    ["b'a' + b'bc' == b'abc'", "true"],
    ["[1] + [2, 3]", "[1, 2, 3]"],
    ["duration('1h') + duration('1s') == duration('3601s')", "true"],
    ["duration('1h') - duration('1s') == duration('3599s')", "true"],
    [`${day} + duration('1h') == ${later}`, "true"],
    [`duration('1h') + ${day} == ${later}`, "true"],
    [`${later} - duration('1h') == ${day}`, "true"],
    [`${later} - ${day} == duration('1h')`, "true"],
    [`${day} - ${later} == duration('-1h')`, "true"],
  ])("%s = %s", (source, value) => {
    expect(evaluated(source)).toBe(value);
  });
});

test.each([
  ["subject + subject == ''", 200],
  ["subject.split('') + [] == []", 100],
  ["bytes(subject) + b'' == b''", 100],
  ["subject < subject", 100],
  ["bytes(subject) <= bytes(subject)", 100],
])("fuel pays for what `%s` reads", (source, units) => {
  const fuelOf = (length: number): number =>
    compiled(source).evaluate({ ...FACTS, subject: "a".repeat(length) }).fuel;
  expect(fuelOf(200) - fuelOf(100)).toBeGreaterThanOrEqual(units);
});

test("fuel pays for integers beyond a JavaScript number more than for others", () => {
  const fuelOf = (source: string): number => compiled(source).evaluate(FACTS).fuel;
  for (const operator of Object.keys(EXACT)) {
    const small = fuelOf(`size ${operator} 3 == 1`);
    expect(fuelOf(`size ${operator} ${SAFE + 1n} == 1`)).toBeGreaterThan(small);
    expect(fuelOf(`(${SAFE + 1n} + size) ${operator} 3 == 1`)).toBeGreaterThan(small);
    expect(fuelOf(`uint(size) ${operator} 3u == 1u`)).toBeGreaterThan(fuelOf("uint(size) == 1u"));
  }
});
