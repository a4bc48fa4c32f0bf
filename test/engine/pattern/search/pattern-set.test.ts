import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { Guard } from "../../../../src/base/guard.ts";
import {
  createPatternSet,
  type PatternSet,
} from "../../../../src/engine/pattern/search/pattern-set.ts";
import { readPattern } from "../../../../src/engine/pattern/syntax/re2-syntax.ts";
import { fuzzRuns } from "../fuzz-runs.ts";
import { text, wholePattern, wordCase, wordText } from "../pattern-arbitrary.ts";

function setOf(sources: readonly string[]): PatternSet {
  return createPatternSet(
    sources.map((source) => {
      const read = readPattern(source);
      if (!read.ok) throw new Error(read.problem.message);
      return read.tree;
    }),
  );
}

function automataOf(sources: readonly string[]): (text: string) => number[] {
  const set = setOf(sources);
  return (given) => [...set.match(given.toWellFormed())].sort((a, b) => a - b);
}

function matchOne(source: string, given: string): boolean {
  return automataOf([source])(given).length === 1;
}

function matchAll(sources: readonly string[], given: string): readonly number[] {
  return automataOf(sources)(given);
}

function testAll(sources: readonly string[], given: string): number[] {
  return sources.flatMap((source, at) => (RE2JS.compile(source).test(given) ? at : []));
}

/** Letters that follow no rule, the same each time. */
function scatter(letters: string, units: number): string {
  let state = 12_345;
  return Array.from({ length: units }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return letters[(state >>> 16) % letters.length];
  }).join("");
}

describe("automata find what the engine finds pattern by pattern", () => {
  test("of generated patterns and texts", () => {
    let matched = 0;
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            wholePattern,
            wordCase.map(({ source }) => source),
          ),
          { maxLength: 5 },
        ),
        wordCase,
        fc.array(fc.oneof(text, wordText), { maxLength: 3 }),
        (others, { source, text: likely }, texts) => {
          const sources = [source, ...others];
          const engines = sources.map((one) => RE2JS.compile(one));
          const automata = automataOf(sources);
          for (const given of [likely, ...texts, ""]) {
            const wellFormed = given.toWellFormed();
            const expected = engines.flatMap((engine, at) => (engine.test(wellFormed) ? at : []));
            matched += expected.length;
            expect({ sources, given, found: automata(given) }).toEqual({
              sources,
              given,
              found: expected,
            });
          }
        },
      ),
      fuzzRuns(800),
    );
    expect(matched).toBeGreaterThan(1_500);
  });

  test.each([
    ["\\z\\A", "", true],
    ["\\z\\A", "a", false],
    ["(?m)^$\\b", "a", false],
    ["(?m)$\\n^b", "a\nb", true],
    ["a$", "a\n", false],
    ["(?m)a$", "a\n", true],
    ["\\bé", "aé", true],
    ["\\Bé", "aé", false],
    ["\\B", "a😀a", false],
    ["^.$", "😀", true],
    ["^..$", "😀", false],
    ["[^a]", "a", false],
    ["[😀-😂]$", "😁", true],
    ["[\\x{ff00}-\\x{10ffff}]", "😁", true],
    ["[😀-😂]", "😃", false],
    ["\\x{d83d}", "😀", false],
    ["\ufffd", "\ud83d", true],
    ["(?i)\\W", "sſkK\u212a", false],
    ["\\W", "ſ", true],
    ["(?i)[^k]", "K\u212a", false],
    ["(?i)[j-l]", "\u212a", true],
    ["(?i)\\x{10428}", "\u{10400}", true],
    ["(?i)ß", "ẞ", true],
    ["(?i)σ", "ς", true],
    ["(?i)i", "İı", false],
    ["\\p{Greek}", "σ", true],
    ["\\pN\\PL", "1-", true],
    ["(?:a*)*b", "aab", true],
    ["(?:\\b|a)*c", "c", true],
    ["x{0}y", "y", true],
    ["(?s)a.b", "a\nb", true],
    ["a.b", "a\nb", false],
  ])("%s in %j: %s", (source, given, expected) => {
    expect(RE2JS.compile(source).test(given.toWellFormed())).toBe(expected);
    expect(matchOne(source, given)).toBe(expected);
  });

  test("of hundreds of patterns in long texts, ASCII and not", () => {
    const sources = Array.from({ length: 300 }, (_, nth) => `[a-f]${nth}[^0-9]|\\b${nth}x{2}`);
    for (const filling of ["é", "", "я", "😀"]) {
      const given = `${`.${filling}`.repeat(5000)} a7- ${filling} 299xx f100${filling || "y"}`;
      expect(matchAll(sources, given)).toEqual(testAll(sources, given));
      expect(matchAll(sources, given).length).toBeGreaterThanOrEqual(3);
    }
  });
});

describe("patterns that crowd a set", () => {
  const crowding = ["a.{30}[cd]", "[ab].{0,20}b.a{9}d", "b[ab]{40}c"];
  const calm = ["\\bneedle\\b", "ab{40}", "(?m)^x+$", "[0-9]{3}$"];

  test("are set apart, and all go on finding", () => {
    const match = automataOf([...crowding, ...calm]);
    const noise = scatter("ab", 40_000);
    expect(match(noise)).toEqual(testAll([...crowding, ...calm], noise));
    const found = `${noise} needle b${"a".repeat(40)}c 123`;
    expect(match(found)).toEqual([0, 2, 3, 6]);
    expect(match(found)).toEqual(testAll([...crowding, ...calm], found));
    expect(match("nothing of it")).toEqual([]);
  });

  test("together though calm alone, are halved", () => {
    const sources = Array.from("abcdefghijklmnop", (letter) => `${letter}.*${letter}.*#${letter}`);
    const match = automataOf(sources);
    const noise = scatter("abcdefghijklmnop\n", 60_000);
    expect(match(noise)).toEqual([]);
    expect(match(`${noise}\nabcacb#a#c`)).toEqual([0, 2]);
  });
});

test("an empty set finds nothing", () => {
  expect(createPatternSet([]).match("text")).toEqual([]);
  expect(createPatternSet([]).size).toBe(0);
});

test("a pattern alone that has too many states goes on without them, in this text and those after it", () => {
  let state = 1;
  const noise = Array.from({ length: 20_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state & 0x4000_0000 ? "a" : "b";
  }).join("");
  const match = automataOf(["a.{0,60}b.{60}[cd]"]);
  const given = `${noise}a${"b".repeat(70)}c`;
  expect([noise, given, "b", given].map(match)).toEqual([[], [0], [], [0]]);
});

describe("the guard pays for automata before they are made", () => {
  const wide = ["(?i)[\\x{80}-\\x{1ffff}]{2}", "(?i)[\\x{81}-\\x{1fffe}]", "\\p{L}[^\\p{Lu}]x"];
  const fuelOf = (set: PatternSet): number => {
    const guard = new Guard(1_000_000);
    set.match("x", guard);
    return guard.used;
  };

  test("a text that cannot pay leaves them to the next one, which pays as much as those after it", () => {
    const set = setOf(wide);
    const poor = new Guard(5_000);
    expect(set.match("x", poor)).toEqual([]);
    expect(poor.isSpent).toBe(true);
    const first = fuelOf(set);
    expect(first).toBeGreaterThan(10_000);
    expect(fuelOf(set)).toBe(first);
  });

  test("states of thousands of steps cost the text that makes them more", () => {
    const set = setOf([1, 2, 3, 4].map((digits) => `a.{0,200}[0-9]{${digits}}`));
    const fuelOf = (): number => {
      const guard = new Guard(1_000_000);
      set.match("a".repeat(100), guard);
      return guard.used;
    };
    const first = fuelOf();
    expect(first - fuelOf()).toBeGreaterThan(10_000);
  });

  test("the classes of few steps that take long to write out cost more", () => {
    expect(fuelOf(setOf(wide.slice(0, 2)))).toBeGreaterThan(
      fuelOf(setOf(["[a-z]{2}", "[b-z]"])) + 6_000,
    );
  });
});

test("patterns whose sets split the characters too often are found apart", () => {
  const letter = (nth: number): string => String.fromCharCode(0x4e00 + nth);
  const sources = Array.from({ length: 40 }, (_, nth) =>
    Array.from({ length: 30 }, (_, at) => `[^${letter(30 * nth + at)}]`).join(""),
  );
  const given = Array.from({ length: 30 }, (_, at) => letter(30 * 7 + at)).join("");
  expect(matchAll(sources, given)).toEqual(testAll(sources, given));
  expect(testAll(sources, given)).toHaveLength(39);
});
