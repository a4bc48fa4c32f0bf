import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesWildcard } from "../../src/base/wildcard.ts";

test.each([
  ["sales", "sales", true],
  ["sales", "sale", false],
  ["sale", "sales", false],
  ["*", "", true],
  ["a*a", "a", false],
  ["a*a", "aa", true],
  ["*b*", "abc", true],
  ["a*b*b", "ab", false],
  ["a*b*b", "abb", true],
  ["ab*ba", "aba", false],
  ["", "", true],
  ["", "a", false],
])("`%s` and `%s`: %s", (pattern, text, fits) => {
  expect(matchesWildcard(text, pattern)).toBe(fits);
});

test("as a regular expression says", () => {
  const letters = (units: string): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...units), maxLength: 8 });
  fc.assert(
    fc.property(letters("ab"), letters("ab*"), (text, pattern) => {
      const expression = new RegExp(`^${pattern.replaceAll("*", "[^]*")}$`);
      expect(matchesWildcard(text, pattern)).toBe(expression.test(text));
    }),
    { numRuns: 2_000 },
  );
});
