/** Macros over lists and maps, where conditions are true or false, fail, are no bool, or need an unknown fact. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CelOutcome } from "../../../../src/engine/cel/compile-expression.ts";
import { compiled, evaluated, FACTS } from "../evaluate.ts";

/** Elements by what the condition over them gives. */
const [TRUE, FALSE, FAILS, NO_BOOL, UNKNOWN] = [0, 1, 2, 3, 4];
const CONDITION = `(v == ${TRUE} ? true : v == ${FALSE} ? false : v == ${FAILS} ? 1 / 0 > 0 : v == ${NO_BOOL} ? dyn('x') : subject == 'a')`;
type Told = boolean | "fails" | "no bool" | "unknown" | readonly number[];
const ANSWERS: readonly Told[] = [true, false, "fails", "no bool", "unknown"];

function told(outcome: CelOutcome): Told {
  if (outcome.kind === "unknown") return "unknown";
  if (outcome.kind === "value") return outcome.value;
  expect(outcome.message).toMatch(/division by zero|with a condition that is not a bool/);
  return outcome.message.includes("zero") ? "fails" : "no bool";
}

const { subject: _, ...facts } = FACTS;

function outcomeOf(source: string): Told {
  const expression = compiled(source);
  const answer = told(expression.evaluate(facts).outcome);
  expect(told(expression.explain(facts).outcome)).toEqual(answer);
  return answer;
}

const elements = fc.array(fc.constantFrom(TRUE, FALSE, FAILS, NO_BOOL, UNKNOWN), { maxLength: 5 });
const listOf = (values: readonly unknown[]): string => `[${values.join(", ")}]`;
const mapOf = (values: readonly number[]): string =>
  `{${values.map((value, key) => `'k${key}': ${value}`).join(", ")}}`;

describe.each(["all", "exists"] as const)("`%s`", (macro) => {
  const decisive = macro === "exists";
  /** The deciding value wins, then an unknown fact, then the first failure; once an unknown fact was read, `true` is not final. */
  const wanted = (values: readonly number[]): Told => {
    const answers = values.map((value) => ANSWERS[value!]!);
    const at = answers.indexOf(decisive);
    const isFinal = !decisive || !answers.slice(0, at).includes("unknown");
    if (at >= 0 && isFinal) return decisive;
    if (answers.includes("unknown")) return "unknown";
    return answers.find((answer) => typeof answer !== "boolean") ?? !decisive;
  };

  test("over lists and maps, by elements, keys and both", () => {
    fc.assert(
      fc.property(elements, (values) => {
        const answer = wanted(values);
        expect(outcomeOf(`${listOf(values)}.${macro}(v, ${CONDITION})`)).toBe(answer);
        expect(outcomeOf(`${listOf(values)}.${macro}(i, v, ${CONDITION})`)).toBe(answer);
        expect(outcomeOf(`${mapOf(values)}.${macro}(k, v, ${CONDITION})`)).toBe(answer);
        const keys = [...new Set(values)];
        const byKey = `{${keys.map((key) => `${key}: 9`).join(", ")}}`;
        expect(outcomeOf(`${byKey}.${macro}(v, ${CONDITION})`)).toBe(wanted(keys));
      }),
      { seed: 20261122, numRuns: 200 },
    );
  });
});

describe("the other macros stop at the first element whose condition is not a bool", () => {
  /** The places of the elements for which the condition is true, or what stops the loop. */
  const kept = (values: readonly number[]): Told => {
    const stops = values.map((value) => ANSWERS[value!]!).find((each) => typeof each !== "boolean");
    return stops ?? values.flatMap((value, place) => (value === TRUE ? [place] : []));
  };
  const entries = (places: readonly number[], entry: (place: number) => string): string =>
    `{${places.map(entry).join(", ")}}`;

  test.each<[string, (values: readonly number[]) => string, (places: readonly number[]) => string]>(
    [
      [`filter(v, ${CONDITION})`, listOf, (places) => listOf(places.map(() => TRUE))],
      [`map(v, ${CONDITION}, [v])`, listOf, (places) => listOf(places.map(() => `[${TRUE}]`))],
      [
        `transformList(i, v, ${CONDITION}, [i, v])`,
        listOf,
        (places) => listOf(places.map((place) => `[${place}, ${TRUE}]`)),
      ],
      [
        `transformList(k, v, ${CONDITION}, k)`,
        mapOf,
        (places) => listOf(places.map((place) => `'k${place}'`)),
      ],
      [
        `transformMap(i, v, ${CONDITION}, [v])`,
        listOf,
        (places) => entries(places, (place) => `${place}: [${TRUE}]`),
      ],
      [
        `transformMap(k, v, ${CONDITION}, v + 7)`,
        mapOf,
        (places) => entries(places, (place) => `'k${place}': ${TRUE! + 7}`),
      ],
      [
        `transformMapEntry(i, v, ${CONDITION}, {i: 'a', -1 - i: 'b'})`,
        listOf,
        (places) => entries(places, (place) => `${place}: 'a', ${-1 - place}: 'b'`),
      ],
    ],
  )("%s", (call, range, written) => {
    fc.assert(
      fc.property(elements, (values) => {
        const answer = kept(values);
        const result = typeof answer === "object" ? written(answer) : "[]";
        const told = outcomeOf(`dyn(${range(values)}.${call}) == dyn(${result})`);
        expect(told).toBe(typeof answer === "object" ? true : answer);
      }),
      { seed: 20261122, numRuns: 200 },
    );
  });

  test("and so does `exists_one`", () => {
    fc.assert(
      fc.property(elements, (values) => {
        const answer = kept(values);
        const one = typeof answer === "object" ? answer.length === 1 : answer;
        expect(outcomeOf(`${listOf(values)}.exists_one(v, ${CONDITION})`)).toBe(one);
        expect(outcomeOf(`${mapOf(values)}.exists_one(k, v, ${CONDITION})`)).toBe(one);
      }),
      { seed: 20261122, numRuns: 200 },
    );
  });
});

test.each([
  ["[1, 0].map(v, 2 / v)", "error: division by zero"],
  ["[1, 0].transformMap(i, v, 2 / v)", "error: division by zero"],
  ["[1, 0].transformMapEntry(i, v, {i: 2 / v})", "error: division by zero"],
  [
    "[1].transformMapEntry(i, v, dyn(v))",
    "error: `transformMapEntry` of a value that is not a map",
  ],
  ["[1, 2].transformMapEntry(i, v, {'a': i})", "error: `transformMapEntry` makes one key twice"],
  ["{1u: 2}.transformMap(k, v, type(k))", "{1u: uint}"],
  ["{1u: 2}.transformMapEntry(k, v, {k: type(k)})", "{1u: uint}"],
  ["dyn(1).map(v, v)", "error: `map` of a value that is neither a list nor a map"],
  ["dyn('a').all(v, true)", "error: `all` of a value that is neither a list nor a map"],
  ["dyn([1, 1 / 0]).filter(v, true)", "error: division by zero"],
])("%s = %s", (source, value) => {
  expect(evaluated(source)).toBe(value);
});

test("a key has at most 16,383 characters: longer ones would be compared with each other", () => {
  const outcome = (units: number) => {
    const program = compiled("{subject: 1}.size() == 1");
    return program.evaluate({ ...FACTS, subject: "a".repeat(units) }).outcome;
  };
  expect(outcome(16_383)).toMatchObject({ kind: "value", value: true });
  expect(outcome(16_384)).toMatchObject({
    kind: "failed",
    message: "a key of more than 16383 characters",
  });
});

test.each([
  ["transformMap(i, v, v)", 8],
  ["transformMapEntry(i, v, {i: v, -1 - i: v})", 32],
])("fuel pays for every entry of a map that `%s` makes", (call, fuel) => {
  const fuelOf = (units: number): number => {
    const program = compiled(`subject.split('').${call} == {}`);
    return program.evaluate({ ...FACTS, subject: "a".repeat(units) }).fuel;
  };
  expect(fuelOf(200) - fuelOf(100)).toBeGreaterThanOrEqual(100 * fuel);
});
