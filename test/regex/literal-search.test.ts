import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { createPatternSet, type PatternSet } from "../../src/regex/pattern-set.ts";
import { fuzzRuns } from "./fuzz-runs.ts";
import { text, wholePattern, wordCase, wordText } from "./pattern-arbitrary.ts";

function setOf(sources: readonly string[]): PatternSet {
  return createPatternSet(sources.map((source) => ({ source })));
}

function testEach(sources: readonly string[], given: string): number[] {
  const wellFormed = given.toWellFormed();
  return sources.flatMap((source, at) => (RE2JS.compile(source).test(wellFormed) ? at : []));
}

function expectSame(sources: readonly string[], given: string): number {
  const expected = testEach(sources, given);
  expect({ sources, given, found: setOf(sources).match(given) }).toEqual({
    sources,
    given,
    found: expected,
  });
  return expected.length;
}

describe("a set with literals finds what the engine finds pattern by pattern", () => {
  test("of generated patterns and texts", () => {
    let matched = 0;
    const patterns = fc.array(
      fc.oneof(
        wholePattern,
        wordCase.map(({ source }) => source),
      ),
      { maxLength: 5 },
    );
    const texts = fc.array(fc.oneof(text, wordText), { maxLength: 3 });
    fc.assert(
      fc.property(patterns, wordCase, texts, (others, { source, text: likely }, more) => {
        const sources = [source, ...others];
        const set = setOf(sources);
        // Far apart, so that windows are no more than they must be; the same set, so that nothing is kept.
        const far = `${more[0] ?? ""}${"-".repeat(40)}\n${likely}`;
        for (const given of [likely, ...more, far, likely]) {
          const expected = testEach(sources, given);
          matched += expected.length;
          expect({ sources, given, found: set.match(given) }).toEqual({
            sources,
            given,
            found: expected,
          });
        }
      }),
      fuzzRuns(800),
    );
    expect(matched).toBeGreaterThan(2_000);
  });

  test.each([
    ["\\bneedle\\b", "needles needle", 1],
    ["\\bneedle\\b", "needles aneedle needle_", 0],
    ["\\Aneedle", "a needle", 0],
    ["\\Aneedle", "needle", 1],
    ["needle\\z", "needle\n", 0],
    ["^needle", "\nneedle", 0],
    ["(?m)^needle$", "a\nneedle\nb", 1],
    ["(?m)^needle$", "a needle\nb", 0],
    ["needle$", "needle\nneedle", 1],
    ["(?i)kiss\\b", "a \u212aiſs.", 1],
    ["(?i)\\bkiss", "ſ\u212aiss", 0],
    ["\\Bneedle", "éneedle", 0],
    ["(?i)istanbul", "İstanbul ıstanbul", 0],
    ["(?i)σίσυφος", "ΣΊΣΥΦΟΣ", 1],
    ["(?i)straße", "STRAẞE", 1],
    ["(?i)µmeter", "μMETER", 1],
    [".needle", "\ud83dneedle", 1],
    ["😀needle", "\ud83d\ude00needle", 1],
    ["\\x{de00}needle", "\ud83d\ude00needle", 0],
    ["\\p{Greek}needle", "λneedle", 1],
    ["\\p{Greek}needle\\b", "λneedle needled", 1],
    ["needle(?s:.)*pin", "needle\n\npin", 1],
  ])("%s in %j", (source, given, count) => {
    expect(expectSame([source, "(?:a|b)c"], given)).toBe(count);
  });
});

test("literals that stand more often than windows are worth are searched for in the whole text", () => {
  const sources = [
    "needle!",
    "(?i)needle\\b.?\\z",
    "needle[^-]{9}x",
    "\\p{Greek}needle",
    "needl\\B.",
  ];
  for (const [count, end] of [
    [LIMITS.literalHitsMax, "needle!"],
    [LIMITS.literalHitsMax + 1, "needle123456789x"],
    [2_000, "λneedle!"],
    [2_000, ""],
  ] as const) {
    const given = `${"-needle".repeat(count)}${end}`;
    expectSame(sources, given);
    expectSame(sources, `${"-".repeat(20_000)}${given}`);
  }
});

test("classes spelled out in many short literals", () => {
  const sources = ["[-._]{3}[0-9]", "[aeiou]{2}[-._]x", "[a-e][a-e][a-e]"];
  for (const given of ["a.-.1", "ae-x", "x-_.-", "bad", "ax"]) expectSame(sources, given);
});

test("an empty text has no literals, and can still match", () => {
  expect(setOf(["needle", "a*", "pin"]).match("")).toEqual([1]);
});
