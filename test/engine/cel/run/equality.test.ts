/** Which values of any two types are equal, by `==`, `!=` and `in`. */
import { expect, test } from "vitest";
import { compiled, evaluated, FACTS } from "../evaluate.ts";

/** Values that are equal stand in one row. */
const ROWS: readonly (readonly string[])[] = [
  ...[["1", "1u", "1.0"], ["2"], ["1.5"], ["9007199254740993", "9007199254740993u"]],
  ...[
    ["null"],
    ["true"],
    ["false"],
    ["'1'", "string(1)"],
    ["''"],
    ["'a'"],
    ["b'a'"],
    ["b'b'"],
    ["b'ab'"],
  ],
  ...[["[]"], ["[1]", "[1u]", "[1.0]"], ["[2]"], ["[1, 2]", "[1] + [2]"], ["[[1]]"], ["[null]"]],
  ...[["{}"], ["{'a': 1}", "{'a': 1.0}"], ["{'a': 2}"], ["{'b': 1}"], ["{1: 'a'}", "{1u: 'a'}"]],
  ...[["{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}"], ["{'a': null}"], ["{'a': [1]}", "{'a': [1u]}"]],
  ...[["int", "type(2)"], ["uint"], ["type(int)"]],
  ...[["duration('1s')", "duration('1000ms')"], ["duration('2s')"]],
  ...[["timestamp('2026-01-01T00:00:00Z')", "timestamp('2026-01-01T01:00:00+01:00')"]],
  ...[["timestamp('2026-01-01T00:00:00.5Z')"], ["timestamp('2026-01-01T00:00:01Z')"]],
  ...[
    ["optional.none()", "optional.ofNonZeroValue(0)"],
    ["optional.of(1)", "optional.of(1u)"],
  ],
  ...[["optional.of(2)"], ["optional.of(null)"], ["optional.of([1])"]],
  ...[["attachments[0]", "attachments.filter(a, a.size > 99)[0]"], ["attachments[1]"]],
];

test("values are equal to those of their row, and to no others", () => {
  for (const [nth, row] of ROWS.entries()) {
    for (const [place, others] of ROWS.entries()) {
      for (const one of row) {
        for (const other of others) {
          const equal = nth === place;
          const [a, b] = [`dyn(${one})`, `dyn(${other})`];
          const source = `[${a} == ${b}, ${a} != ${b}, ${a} in [${b}]]`;
          const gives = `[${equal}, ${!equal}, ${equal}]`;
          expect({ source, gives: evaluated(source) }).toEqual({ source, gives });
        }
      }
    }
  }
});

test("what is not a number equals nothing, wherever it is", () => {
  for (const nan of [
    "double('NaN')",
    "[double('NaN')]",
    "{'a': double('NaN')}",
    "optional.of(double('NaN'))",
  ]) {
    expect(evaluated(`cel.bind(x, ${nan}, [x == x, x != x])`)).toBe("[false, true]");
  }
});

test.each([
  ["subject == subject", 100],
  ["bytes(subject) == bytes(subject)", 100],
  ["subject.split('') == subject.split('')", 200],
  ["subject.split('').transformMap(i, v, v) == subject.split('').transformMap(i, v, v)", 200],
])("fuel pays for what `%s` compares", (source, units) => {
  const fuelOf = (text: string): number => {
    const { outcome, fuel } = compiled(source).evaluate({ ...FACTS, subject: text });
    expect(outcome).toEqual({ kind: "value", value: true });
    return fuel;
  };
  expect(fuelOf("ab".repeat(100)) - fuelOf("ab".repeat(50))).toBeGreaterThanOrEqual(units);
});
