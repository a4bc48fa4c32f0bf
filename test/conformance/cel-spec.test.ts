/** The conformance suite of cel-spec (v0.25.1), with the list of cases that we are known not to pass. */
import { describe, expect, it } from "vitest";
import expectedFailures from "./cel-spec.expected-failures.json" with { type: "json" };
import { readCases, runCase } from "./cel-spec-cases.ts";

const cases = readCases();
const reasons: Readonly<Record<string, string>> = expectedFailures;

/** Suites of which nine tenths at least must pass, and how many cases each has that need no protobuf. */
const REQUIRED: Readonly<Record<string, number>> = {
  basic: 43,
  comparisons: 334,
  conversions: 109,
  integer_math: 64,
  lists: 39,
  logic: 30,
  macros: 44,
  parse: 193,
  plumbing: 5,
  string: 51,
  string_ext: 206,
};

const passed = new Map<string, number>();

describe("cel-spec", () => {
  it.each(cases.map((specCase) => [specCase.id, specCase] as const))("%s", (id, specCase) => {
    const fault = runCase(specCase);
    if (fault === null) passed.set(specCase.suite, (passed.get(specCase.suite) ?? 0) + 1);
    if (Object.hasOwn(reasons, id)) {
      expect(fault, "this case passes now: take it off the list of expected failures").not.toBe(
        null,
      );
    } else {
      expect(fault).toBe(null);
    }
  });

  it("lists as expected failures only cases that exist", () => {
    const ids = new Set(cases.map(({ id }) => id));
    expect(Object.keys(reasons).filter((id) => !ids.has(id))).toEqual([]);
  });

  it.each(Object.entries(REQUIRED))("%s: nine tenths of %i cases pass", (suite, size) => {
    const total = cases.filter((specCase) => specCase.suite === suite).length;
    expect(total).toBe(size);
    expect(passed.get(suite) ?? 0).toBeGreaterThanOrEqual(0.9 * total);
  });

  it("shows how much of each suite passes", () => {
    const suites = [...new Set(cases.map(({ suite }) => suite))];
    const table = suites.map((suite) => {
      const total = cases.filter((specCase) => specCase.suite === suite).length;
      return `${suite.padEnd(14)} ${passed.get(suite) ?? 0} of ${total}`;
    });
    console.info(table.join("\n"));
    expect(suites.length).toBeGreaterThan(15);
  });
});
