/** Searches of long texts give what the host's searches give. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFirst, findLast, splitBy } from "../../../src/engine/cel/values/search.ts";

/** Texts of two letters, which repeat themselves much. */
function letters(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const letter = fc.constantFrom("a", "a", "a", "b");
  return fc.array(letter, { minLength, maxLength, size: "max" }).map((all) => all.join(""));
}

const cases = fc
  .tuple(letters(0, 200), letters(0, 60), fc.nat(150), fc.nat(100))
  .map(([text, own, at, length]) => {
    // Half of what is searched for does occur.
    const wanted = length % 2 === 0 ? text.slice(at, at + length) : own;
    return { text, wanted, from: at };
  });

describe("search", () => {
  it("finds the first and the last place, and splits", () => {
    let long = 0;
    fc.assert(
      fc.property(cases, ({ text, wanted, from }) => {
        if (wanted.length > 32 && text.includes(wanted)) long++;
        expect(findFirst(text, wanted)).toBe(text.indexOf(wanted));
        expect(findFirst(text, wanted, from)).toBe(text.indexOf(wanted, from));
        expect(findLast(text, wanted)).toBe(text.lastIndexOf(wanted));
        expect(findLast(text, wanted, from)).toBe(text.lastIndexOf(wanted, from));
        if (wanted !== "") expect(splitBy(text, wanted)).toEqual(text.split(wanted));
      }),
      { seed: 20261120, numRuns: 3_000 },
    );
    expect(long).toBeGreaterThan(300);
  });

  it("gives up guessing where a text begins as wanted again and again", () => {
    const text = "a".repeat(2_000);
    for (const wanted of [`${"a".repeat(50)}b`, `b${"a".repeat(50)}`, "a".repeat(50)]) {
      expect(findFirst(text, wanted)).toBe(text.indexOf(wanted));
      expect(findFirst(`${text}b${text}`, wanted)).toBe(`${text}b${text}`.indexOf(wanted));
      expect(findLast(`${text}b${text}`, wanted)).toBe(`${text}b${text}`.lastIndexOf(wanted));
    }
  });
});
