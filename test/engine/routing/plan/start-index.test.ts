/** Which rules a text opens that starts with one of their literals, and what finding them costs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Guard } from "../../../../src/base/guard.ts";
import { LIMITS } from "../../../../src/base/limits.ts";
import { readPattern } from "../../../../src/engine/pattern/syntax/re2-syntax.ts";
import { startLiterals } from "../../../../src/engine/pattern/syntax/required-literals.ts";
import { StartIndex } from "../../../../src/engine/routing/plan/start-index.ts";

/** The index of the patterns `^word` and `(?i)^word`, in the order of trial. */
function indexOf(patterns: readonly string[]): StartIndex {
  const index = new StartIndex();
  patterns.forEach((pattern, rule) => {
    const read = readPattern(pattern);
    for (const literal of (read.ok && startLiterals(read.tree)) || []) index.add(rule, literal);
  });
  return index;
}

function opened(index: StartIndex, text: string, before = Number.POSITIVE_INFINITY, fuelMax = 1e6) {
  const guard = new Guard(fuelMax);
  const rules: number[] = [];
  const open = (rule: number): void => void rules.push(rule);
  const cannotFail = () => true;
  index.open(text, { guard, open, cannotFail, before, notesHits: false, stats: null });
  return { rules, fuel: guard.used };
}

const letters = fc.constantFrom(..."kK\u212ao");
const word = fc
  .array(letters, { minLength: LIMITS.literalUnitsMin, maxLength: 4 })
  .map((each) => each.join(""));
const pattern = fc.tuple(fc.constantFrom("^", "(?i)^"), word).map((parts) => parts.join(""));

test("a text opens the rules whose pattern it starts with, up to a place", () => {
  let matched = 0;
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 9 }), word, fc.nat(9), (patterns, start, before) => {
      const index = indexOf(patterns);
      for (const text of [start, `${start}fK`, start.slice(1), ""]) {
        const wanted = patterns.flatMap((each, rule) => {
          const [source, flags] = each.startsWith("(?i)") ? [each.slice(4), "iu"] : [each, "u"];
          return rule < before && new RegExp(source, flags).test(text) ? [rule] : [];
        });
        matched += wanted.length;
        expect(opened(index, text, before).rules).toEqual(wanted);
      }
    }),
    { seed: 20261122, numRuns: 500 },
  );
  expect(matched).toBeGreaterThan(200);
});

test("a lone surrogate in the text counts as U+FFFD", () => {
  const index = indexOf(["^ab\ufffd", "^abc\ufffd"]);
  expect(opened(index, "ab\ud83d x").rules).toEqual([0]);
  expect(opened(index, "abc\udc00").rules).toEqual([1]);
});

test("rules are found for no more than they may cost, and by as much text as their literals may have", () => {
  const long = "a".repeat(LIMITS.literalUnitsMax);
  const index = indexOf([`^${long}b`, "^aaa", "^abc"]);
  const { rules, fuel } = opened(index, `${long}c`);
  expect(rules).toEqual([0, 1]);
  expect(fuel).toBeGreaterThan(opened(index, "abc").fuel);
  expect(opened(index, `${long}c`, 3, fuel)).toEqual({ rules, fuel });
  expect(opened(index, `${long}c`, 3, fuel - 1).rules).toEqual([]);
});
