import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { compilePattern } from "../../../../src/engine/pattern/engines/compile-pattern.ts";
import { text, wholePattern, wordCase } from "../pattern-arbitrary.ts";
import { findByRe2js } from "./find-by-re2js.ts";

const SEED = 20261120;

const WINDOW = 64;

function findWith(source: string, text: string) {
  const result = compilePattern(source);
  if (!result.ok) throw new Error(result.problem.message);
  return result.pattern.find(text);
}

/** Bounded, bounded by lines, and unbounded; with what looks at the edges of a window. */
const SOURCES = [
  ...["needle", "(n)(e+?)?", "x?", "\\bneedle\\b", "(?m)^needle$", "\\Aneedle", "needle\\z", "$"],
  ...["n.{0,20}e", "[^a]needle[^a]", "😀needle", "(?:\\z|needle)", "(?:needle|^a)", "\\Bneedle"],
  ...[".*needle", "(?m)^.*needle.*$", "needle[^\\n]*", "(?m)$", "(?m)^n\\w*", "\\w*\\z", "^.*$"],
  ...[
    "(?s)needle.*",
    "\\s+needle",
    "(?s).*needle",
    "a*\\s*needle",
    "(?s)\\A.*\\z",
    "needle\\s*\\z",
  ],
  ...["\\pLneedle", "\\PL?needle\\b", "(?m)^\\pL*$", "\\pL{2}\\z"],
];

/** Stretches of different length, with and without lines. */
const stretch = fc
  .tuple(
    fc.constantFrom("a", "a ", "😀", "😀a", "abcdefg\n", "\n", "a\r\n"),
    fc.oneof(
      fc.constantFrom(0, 1),
      fc.integer({ min: WINDOW - 9, max: WINDOW + 3 }),
      fc.constant(200),
    ),
  )
  .map(([unit, units]) => unit.repeat(Math.ceil(units / unit.length)).slice(0, units));

describe("parts of a text, and windows", () => {
  test("find what a search of the whole text finds", () => {
    let found = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...SOURCES),
        stretch,
        fc.constantFrom("needle", "😀needle", "needlework", "\nneedle\n", "", "\ud83d"),
        stretch,
        fc.constantFrom("", "needle", "\n"),
        (source, before, middle, after, end) => {
          const text = (before + middle + after + end).toWellFormed();
          const expected = findByRe2js(RE2JS.compile(source), text);
          if (expected !== null && expected.start > WINDOW) found++;
          expect({ source, text, found: findWith(source, text) }).toEqual({
            source,
            text,
            found: expected,
          });
        },
      ),
      { seed: SEED, numRuns: 4000 },
    );
    expect(found).toBeGreaterThan(500);
  });

  test("find it for generated patterns, around which the text goes on", () => {
    let found = 0;
    const cases = fc.oneof(wordCase, fc.record({ source: wholePattern, text }));
    fc.assert(
      fc.property(cases, stretch, stretch, ({ source, text: given }, before, after) => {
        const whole = (before + given + after).toWellFormed();
        const expected = findByRe2js(RE2JS.compile(source), whole);
        if (expected !== null && expected.start > 0 && expected.end > expected.start) found++;
        expect({ source, whole, found: findWith(source, whole) }).toEqual({
          source,
          whole,
          found: expected,
        });
      }),
      { seed: SEED, numRuns: 3000 },
    );
    expect(found).toBeGreaterThan(400);
  });

  test("find what an automaton has too many states for", () => {
    const result = compilePattern("a.{90}([cd])");
    if (!result.ok) throw new Error(result.problem.message);
    let state = 7;
    const noise = Array.from({ length: 20_000 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return "ab"[(state >>> 16) & 1];
    }).join("");
    const given = `${noise}\na${"b".repeat(90)}d${noise}`;
    const match = { start: 20_001, end: 20_093, groups: [`a${"b".repeat(90)}d`, "d"] };
    // Once with the automaton, which gives up, then without.
    expect([result.pattern.find(given), result.pattern.find(given)]).toEqual([match, match]);
    expect(result.pattern.find(noise)).toBeNull();
  });

  test("keep their bound in a pattern as deep as can be", () => {
    const deep = `${"(?:".repeat(50)}needle${")".repeat(50)}`;
    expect(findWith(deep, `${"a".repeat(40_000)}needle`)?.start).toBe(40_000);
  });
});
