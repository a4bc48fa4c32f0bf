import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createProbe } from "../../../src/engine/cel/functions/text-probe.ts";

/** Texts of few units, rare and frequent ones, so that pieces stand where the whole does not. */
const units = fc.constantFrom("e", "t", " ", "q", "Z", "é", "ſ", "\ud83d", "\ude00");
const textOf = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(units, { minLength: 1, maxLength }).map((list) => list.join(""));

describe("a text probe", () => {
  test("finds what `indexOf` finds", () => {
    fc.assert(
      fc.property(textOf(8), textOf(60), (wanted, text) => {
        expect(createProbe(wanted)(text)).toBe(text.indexOf(wanted));
      }),
      { seed: 20261120, numRuns: 20_000 },
    );
  });

  test("finds a text behind many places that only its rare piece fits", () => {
    const wanted = "tee q";
    const text = `${"see q".repeat(100)}${wanted}`;
    expect(createProbe(wanted)(text)).toBe(500);
  });
});
