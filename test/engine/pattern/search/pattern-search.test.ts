import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { leapsAlone, PatternSearch } from "../../../../src/engine/pattern/search/pattern-search.ts";
import { readPattern } from "../../../../src/engine/pattern/syntax/re2-syntax.ts";
import { requiredLiterals } from "../../../../src/engine/pattern/syntax/required-literals.ts";
import { fuzzRuns } from "../fuzz-runs.ts";
import { text, wholePattern, wordCase } from "../pattern-arbitrary.ts";

/** Whether a pattern has a match within a part of a text, all of it by default. */
function searchOf(source: string): (given: string, from?: number, to?: number) => boolean {
  const read = readPattern(source);
  if (!read.ok) throw new Error(read.problem.message);
  const search = new PatternSearch(read.tree, requiredLiterals(read.tree));
  return (given, from, to) => {
    const parts = from === undefined ? null : [{ start: from, end: to! }];
    return search.endIn(given, parts, null) !== null;
  };
}

function cutsPair(given: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(given.slice(at - 1, at + 1));
}

/** Whether one of the matches that re2js finds from each place lies within the part. */
function matchesWithin(compiled: RE2JS, given: string, from: number, to: number): boolean {
  const matcher = compiled.matcher(given);
  for (let at = from; at <= to; at++) {
    if (!matcher.find(at)) return false;
    if (matcher.start() >= from && matcher.end() <= to) return true;
  }
  return false;
}

test("a part of a text: all matches within it are found, and none that the text has not", () => {
  let within = 0;
  let none = 0;
  const cases = fc.oneof(
    wordCase,
    fc.record({ source: wholePattern, text: text.map((given) => given.toWellFormed()) }),
  );
  fc.assert(
    fc.property(cases, fc.nat(40), fc.nat(20), ({ source, text: given }, start, units) => {
      const search = searchOf(source);
      const compiled = RE2JS.compile(source);
      expect([source, given, search(given)]).toEqual([source, given, compiled.test(given)]);
      // Long enough for the host to look for the start of a match.
      for (const around of ["-\n".repeat(150), given.repeat(300), "é ".repeat(150)]) {
        const long = `${around.slice(0, 400).toWellFormed()}${given}`;
        expect([source, long, search(long)]).toEqual([source, long, compiled.test(long)]);
      }
      let from = Math.min(start, given.length);
      let to = Math.min(from + units, given.length);
      if (cutsPair(given, from)) from--;
      if (cutsPair(given, to)) to++;
      const found = search(given, from, to);
      const known = { source, given, from, to };
      if (found)
        expect({ ...known, occurs: compiled.test(given) }).toEqual({ ...known, occurs: true });
      else none++;
      if (!matchesWithin(compiled, given, from, to)) return;
      within++;
      expect({ ...known, found }).toEqual({ ...known, found: true });
    }),
    fuzzRuns(4_000),
  );
  expect(within).toBeGreaterThan(500);
  expect(none).toBeGreaterThan(500);
});

/** A pattern, and a text that it matches from its start to its end. */
interface Sampled {
  readonly source: string;
  readonly given: string;
}

const join = (parts: readonly Sampled[]): Sampled => ({
  source: parts.map(({ source }) => source).join(""),
  given: parts.map(({ given }) => given).join(""),
});
const group = (source: string): string => `(?:${source})`;

/** Words, runs that are longer than the host compares, and choices of them, in any order. */
const sampledPattern = fc.letrec<{ part: Sampled; sequence: Sampled }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom("id=", "user", " failed", "x", "é", "-").map((word) => ({
      source: word,
      given: word,
    })),
    fc
      .tuple(
        fc.constantFrom(["\\d", "1"], ["[a-f]", "e"], ["x", "x"], ["[^\\n]", "漢"], [" ", " "]),
        fc.constantFrom("+", "*", "+?", "{1,20}", "{3,}", "{0,30}"),
        fc.integer({ min: 3, max: 20 }),
      )
      .map(([[set, member], many, count]) => ({
        source: `${set}${many}`,
        given: member!.repeat(count),
      })),
    fc.tuple(tie("sequence"), tie("sequence"), fc.boolean()).map(([one, other, first]) => ({
      source: group(`${one.source}|${other.source}`),
      given: first ? one.given : other.given,
    })),
    tie("sequence").map(({ source, given }) => ({
      source: `${group(source)}{1,3}`,
      given: given.repeat(2),
    })),
  ),
  sequence: fc.array(tie("part"), { minLength: 1, maxLength: 4 }).map(join),
})).sequence;

test("whatever follows choices and long runs, a text that matches is found, with other text around", () => {
  const around = fc.constantFrom("", "..", "the quick brown fox ", "\n-\n", "user id=1 x");
  fc.assert(
    fc.property(sampledPattern, around, around, ({ source, given }, before, behind) => {
      const text = `${before}${given}${behind}`;
      expect([source, text, searchOf(source)(text)]).toEqual([source, text, true]);
      const broken = text.replace(/\d(?=\D*$)/, "?").replace(" failed", " falled");
      const expected = RE2JS.compile(source).test(broken);
      expect([source, broken, searchOf(source)(broken)]).toEqual([source, broken, expected]);
    }),
    fuzzRuns(4_000),
  );
});

test.each([
  ["(?:user|id=\\d+) failed", "..id=11111111111 failed"],
  ["(?:ok|[a-f]+x) 12", "-aaaaaaaaaaaaaaaaaax 12"],
  ["bazbaz(?:ba*?\\n|\\n)bar", "bazbazbaaaaaaaaaaa\nbar"],
])("a long run may be the end of a choice: %s", (source, given) => {
  expect(searchOf(source)(given)).toBe(true);
});

test("assertions see what lies around a part", () => {
  const at = (source: string, given: string, from: number, to: number) =>
    searchOf(source)(given, from, to);
  expect(at("\\bb\\b", "abc", 1, 2)).toBe(false);
  expect(at("\\bb\\b", "-b-", 1, 2)).toBe(true);
  expect(at("^b", "ab", 1, 2)).toBe(false);
  expect(at("b$", "ba", 0, 1)).toBe(false);
  expect(at("b$", "ab", 1, 2)).toBe(true);
  expect(at("(?m)^b$", "\nb\n", 1, 2)).toBe(true);
  expect(at("a", "ab", 1, 2)).toBe(false);
});

test("a pattern whose states do not fit the table goes on without", () => {
  const search = searchOf("a.{90}[cd]");
  let state = 7;
  const noise = Array.from({ length: 60_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return "ab"[(state >>> 16) & 1];
  }).join("");
  expect(search(noise)).toBe(false);
  expect(search(`${noise}a${"b".repeat(90)}c`)).toBe(true);
  expect(search(`${noise}a${"b".repeat(90)}c${noise}`, 59_999, 60_095)).toBe(true);
  expect(search(noise, 100, 50_000)).toBe(false);
});

test("classes and letters of any kind are decided as the engine does", () => {
  const sources = [
    ...[
      "\\p{Greek}",
      "\\P{Greek}\\p{Lu}",
      "(?i)\\p{Lu}",
      "(?i)[^\\p{Ll}k]",
      "[\\pN\\x01]",
      "\\p{Any}",
    ],
    ...[
      "(?i)\\W",
      "(?i)[\\Wk]",
      "(?i)\\x{10400}",
      "(?i)[\\x{10400}-\\x{10405}]",
      "[^\\p{Any}]",
      "\\PL",
    ],
    ...[
      "(?i)\\x{1e900}b",
      "[\\x{1f600}-\\x{1f64f}]{2}",
      "(?i)ﬆ",
      "\\pC",
      "(?i)[^\\x01]",
      "[^\\x{10000}-\\x{10ffff}]",
    ],
  ];
  const characters = [
    ..."aKkſ\u212aΩω1!\n\u0001\u0000😀\u{10400}\u{10428}\u{1e900}\u{1e922}ﬅﬆ語\u0378\u00a0\ufffd",
  ];
  const texts = [
    "",
    ...characters,
    ...characters.map((one) => `${one}${characters[5]}`),
    "😀😁",
    "\u{1e922}b",
  ];
  for (const source of sources) {
    const [search, compiled] = [searchOf(source), RE2JS.compile(source)];
    for (const given of texts) {
      expect([source, given, search(given)]).toEqual([source, given, compiled.test(given)]);
    }
  }
});

test("a pattern is looked for by itself if it has a literal, or a start that few places of mail have", () => {
  const leaps = (source: string): boolean => {
    const read = readPattern(source);
    if (!read.ok) throw new Error(read.problem.message);
    return leapsAlone(read.tree, requiredLiterals(read.tree));
  };
  expect(leaps("[a-z]+ invoice")).toBe(true);
  expect(leaps("^[a-z]")).toBe(true);
  expect(leaps("\\b[A-Z]{3}[0-9]{5}")).toBe(true);
  expect(leaps("[a-z]{6}[0-9]x")).toBe(true);
  expect(leaps("[a-z]{8}[0-9]x")).toBe(false);
  expect(leaps("[^\\x00-\\x7f][a-z]")).toBe(false);
  expect(leaps("(?:[0-9]|[XYZ])[0-9]")).toBe(true);
  expect(leaps("(?:[0-9]|..)[0-9]")).toBe(false);
  expect(leaps(".*[0-9]{3}")).toBe(false);
  expect(leaps("[0-9]*[A-Z]*")).toBe(false);
});
