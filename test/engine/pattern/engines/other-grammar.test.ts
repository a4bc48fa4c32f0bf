/** Patterns of a second grammar, written without a look at the first: nested flags, counts of zero, empty groups, and long texts around. */
import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { compilePattern } from "../../../../src/engine/pattern/engines/compile-pattern.ts";
import { fuzzRuns } from "../fuzz-runs.ts";
import { findByRe2js } from "./find-by-re2js.ts";

const LEAVES = [
  ...["a", "b", "ab", "é", "😀", "k", "K", "ſ", "x", "1", "\n", "\\x{10400}", "\\Qa.\\E"],
  ...[
    "[ab]",
    "[^a]",
    "[a-cé😀]",
    ".",
    "\\w",
    "\\W",
    "\\d",
    "\\s",
    "\\pL",
    "\\PL",
    "\\p{Lu}",
    "[[:^alpha:]]",
  ],
  ...["\\b", "\\B", "^", "$", "\\A", "\\z"],
];
const COUNTS = ["*", "+", "?", "{0}", "{0,1}", "{0,2}", "{2}", "{1,3}", "{2,}", "{1,}"];
const OPENINGS = ["(", "(?:", "(?i:", "(?U:", "(?s:", "(?m:"];

const { pattern } = fc.letrec<{ pattern: string; group: string; piece: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie("piece"), { maxLength: 3 }), { minLength: 1, maxLength: 3 })
    .map((branches) => branches.map((pieces) => pieces.join("")).join("|")),
  group: fc
    .tuple(fc.constantFrom(...OPENINGS), tie("pattern"))
    .map(([opening, inner]) => `${opening}${inner})`),
  piece: fc
    .tuple(
      fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        { weight: 2, arbitrary: fc.constantFrom(...LEAVES) },
        { weight: 1, arbitrary: tie("group") },
      ),
      fc.option(fc.tuple(fc.constantFrom(...COUNTS), fc.constantFrom("", "?"))),
    )
    .map(([piece, count]) => (count === null ? piece : `(?:${piece})${count.join("")}`)),
}));

const CHARACTERS = [
  "a",
  "b",
  "k",
  "K",
  "é",
  "😀",
  "\n",
  " ",
  "x",
  "1",
  "_",
  "ſ",
  "\u212a",
  "𐐀",
  "𐐨",
  ".",
];
const short = fc
  .array(fc.constantFrom(...CHARACTERS), { maxLength: 12 })
  .map((all) => all.join(""));
const padding = fc.constantFrom(
  "",
  "",
  "a".repeat(150),
  "é ".repeat(90),
  "x\n".repeat(80),
  "ab1".repeat(1_400),
);
const text = fc.tuple(padding, short, padding).map((parts) => parts.join(""));

test("are found as re2js finds them", () => {
  let found = 0;
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 3, maxLength: 3 }), (source, texts) => {
      const result = compilePattern(source);
      fc.pre(result.ok);
      const compiled = RE2JS.compile(source);
      for (const given of texts) {
        const expected = findByRe2js(compiled, given);
        if (expected !== null) found++;
        expect({ source, given, found: result.pattern.find(given) }).toEqual({
          source,
          given,
          found: expected,
        });
        expect(result.pattern.test(given)).toBe(expected !== null);
      }
    }),
    fuzzRuns(1_200),
  );
  expect(found).toBeGreaterThan(1_200);
});

test.each([
  ["K(?:\\d+){0}b?", `${"é ".repeat(90)}K`],
  ["x+?(?s:\n{2,}?|(?s:.)\\s+){0}", `b x${"\nx".repeat(80)}`],
  ["a\\pL(?:(?:)\\d{1,}|){0}", `😀𐐀a ${"a".repeat(150)}`],
  ["(?:ab?){0}\\W\\s+", `${"a".repeat(150)}. `],
])("%s: an endless part that never occurs does not make the pattern endless", (source, given) => {
  const result = compilePattern(source);
  if (!result.ok) throw new Error(result.problem.message);
  expect(result.pattern.find(given)).toEqual(findByRe2js(RE2JS.compile(source), given));
});
