/** What every pattern engine promises; run it on each of them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CompiledPattern,
  compilePattern,
} from "../../src/engine/pattern/engines/compile-pattern.ts";
import type { PatternEngine } from "../../src/engine/pattern/engines/pattern-engine.ts";
import { text, wholePattern } from "../engine/pattern/pattern-arbitrary.ts";

/** Source, text, and what is found: its start, then what each group holds; null for no match. */
type FindCase = [source: string, text: string, found: [number, ...(string | undefined)[]] | null];

const FIND_CASES: readonly FindCase[] = [
  // Leftmost first: the earliest start, then the branch and the count a backtracking search tries first.
  ["a|ab", "xab", [1, "a"]],
  ["ab|a", "xab", [1, "ab"]],
  ["(?:a|ab)(?:c|bcd)", "abcd", [0, "abcd"]],
  ["b|a", "ab", [0, "a"]],
  ["a*?", "aa", [0, ""]],
  ["a+?", "aa", [0, "a"]],
  ["a{2,3}", "aaaa", [0, "aaa"]],
  ["a{2,3}?", "aaaa", [0, "aa"]],
  ["(?U)a+", "aa", [0, "a"]],
  ["(?U)a+?", "aa", [0, "aa"]],
  // Groups: counted from 1, the last round of a repetition, undefined where one took no part.
  ["(a)|(b)", "b", [0, "b", undefined, "b"]],
  ["(?P<user>\\w+)@(\\w+)", "to me@host!", [3, "me@host", "me", "host"]],
  ["(?<user>\\w+)@", "me@", [0, "me@", "me"]],
  ["(a|b)*", "abx", [0, "ab", "b"]],
  ["(?:(a)|b)*", "ab", [0, "ab", "a"]],
  ["(a*)*", "b", [0, "", ""]],
  ["(a*)+", "b", [0, "", ""]],
  ["()", "", [0, "", ""]],
  ["((a)(b)?)", "ac", [0, "a", "a", "a", undefined]],
  ["[(?<n>]", "<", [0, "<"]],
  ["\\(?<n>", "(<n>", [0, "(<n>"]],
  // Empty patterns and texts.
  ["", "", [0, ""]],
  ["", "abc", [0, ""]],
  ["x", "", null],
  ["^$", "", [0, ""]],
  ["x*$", "ab", [2, ""]],
  // Case and flags.
  ["abc", "ABC", null],
  ["(?i)abc", "xABC", [1, "ABC"]],
  ["(?i:a)b", "AB", null],
  ["(?i)a(?-i)b", "Ab", [0, "Ab"]],
  ["(?i)s", "ſ", [0, "ſ"]],
  ["(?i)ſ", "S", [0, "S"]],
  ["(?i)k", "\u212a", [0, "\u212a"]],
  ["(?i)\u212a", "k", [0, "k"]],
  ["(?i)[a-k]", "\u212a", [0, "\u212a"]],
  ["(?i)[^k]", "\u212a", null],
  ["(?i)\\w", "ſ", [0, "ſ"]],
  ["(?i)straße", "STRASSE", null],
  ["(?i)σ", "ς", [0, "ς"]],
  ["(?i)i", "İ", null],
  ["(?i)é", "É", [0, "É"]],
  // Lines: `$` is the very end, `.` takes a carriage return, only a line feed ends a line.
  ["a$", "a\n", null],
  ["a$", "b\na", [2, "a"]],
  ["^b", "a\nb", null],
  ["(?m)^b$", "a\nb\nc", [2, "b"]],
  ["(?m)a$", "a\r\n", null],
  ["(?m)^b", "a\rb", null],
  ["(?m)a\\r?$", "a\r\nb", [0, "a\r"]],
  ["a.b", "a\nb", null],
  ["(?s)a.b", "a\nb", [0, "a\nb"]],
  ["a.b", "a\rb", [0, "a\rb"]],
  [".*", "ab\r\ncd", [0, "ab\r"]],
  ["a.b", "a\u2028b", [0, "a\u2028b"]],
  ["\\Aa\\z", "a\n", null],
  ["(?m)\\Ab", "a\nb", null],
  ["[^a]", "\n", [0, "\n"]],
  ["\\s+", "a\t\n\f\r b", [1, "\t\n\f\r "]],
  ["\\s", "\v", null],
  ["\\s", "\u00a0", null],
  // Words are ASCII.
  ["\\bword\\b", "a word, said", [2, "word"]],
  ["\\bé", "é", null],
  ["\\Bé", "aé", null],
  ["\\Bé", "-é", [1, "é"]],
  ["\\d", "٣", null],
  ["\\w+", "naïve", [0, "na"]],
  // Characters beyond ASCII: offsets are code units, a character is a code point.
  ["b", "é😀b", [3, "b"]],
  ["^.$", "😀", [0, "😀"]],
  ["[😀-😂]+", "x😁😂y", [1, "😁😂"]],
  ["\\pL+", "1Жя2", [1, "Жя"]],
  ["\\p{Greek}", "aλ", [1, "λ"]],
  ["\\P{Greek}", "λa", [1, "a"]],
  ["[^\\pL\\pN]", "aλ1!", [3, "!"]],
  ["\\x{1F600}", "😀", [0, "😀"]],
  ["e\u0301", "é", null],
  // Half of a surrogate pair is read as U+FFFD, and takes nothing with it.
  ["b", "a\ud83db", [2, "b"]],
  ["a.b", "a\ud83db", [0, "a\ufffdb"]],
  ["\ufffd", "\ude00", [0, "\ufffd"]],
  ["😀", "\ud83d\ud83d\ude00", [1, "😀"]],
  ["\\x{D83D}", "\ud83d", null],
  // NUL and byte order marks are characters like others.
  ["a\\x00b", "xa\0b", [1, "a\0b"]],
  ["a\0b", "a\0b", [0, "a\0b"]],
  ["[^a]+", "\0\0", [0, "\0\0"]],
  [
    "(.*)",
    "\ufeffabcdefghijklmnopq\0\ufeffr",
    [0, "\ufeffabcdefghijklmnopq\0\ufeffr", "\ufeffabcdefghijklmnopq\0\ufeffr"],
  ],
  // Braces, quotes, escapes.
  ["a{,2}", "a{,2}", [0, "a{,2}"]],
  ["a{02}", "a{02}", [0, "a{02}"]],
  ["\\Qa.b\\E+", "a.bb", [0, "a.bb"]],
  ["\\Q(", "(", [0, "("]],
  ["\\101\\x42", "AB", [0, "AB"]],
  ["[]a]+", "a]", [0, "a]"]],
  ["[a-]+", "a-", [0, "a-"]],
  ["[[:alpha:]_]+", "1a_", [1, "a_"]],
  ["a/b", "a/b", [0, "a/b"]],
];

/** Patterns that take a backtracking engine longer than the universe has existed, and their texts. */
const HOSTILE: readonly (readonly [source: string, text: string])[] = [
  ["^(a+)+$", `${"a".repeat(20_000)}!`],
  ["(a|a)*b", "a".repeat(20_000)],
  ["(?:a|aa|aaa)+$", `${"a".repeat(20_000)}b`],
  ["(.*)(.*)(.*)(.*)(.*)[^a]$", "a".repeat(20_000)],
  ["(?:a?){40}a{40}b", "a".repeat(20_000)],
  ["(?:(?:a*)*)*[bc]", "a".repeat(20_000)],
  ["a[ab]{60}[cd]", "abbabaab".repeat(400)],
  ["([a-z]+\\.?)+@", "abc.".repeat(5_000)],
];

function compile(engine: PatternEngine | null, source: string): CompiledPattern {
  const result = compilePattern(source, engine);
  if (!result.ok) throw new Error(`\`${source}\`: ${result.problem.message}`);
  return result.pattern;
}

export function patternEngineContract(create: () => PatternEngine | null): void {
  const engine = create();

  test.each(FIND_CASES)("%j in %j finds %j", (source, given, found) => {
    const pattern = compile(engine, source);
    expect(pattern.test(given)).toBe(found !== null);
    const [start, ...groups] = found ?? [0, ""];
    const end = start + groups[0]!.length;
    expect(pattern.find(given)).toEqual(found === null ? null : { start, end, groups });
    if (found !== null) expect(pattern.groupCount).toBe(groups.length - 1);
  });

  test.each(["(", ")", "[a", "a**", "*a", "\\", "a{2,1}", "(?P<n>", "[b-a]", "\\p{Foo}", "\\8"])(
    "%j is refused with a reason, not thrown",
    (source) => {
      const result = compilePattern(source, engine);
      expect(result.ok).toBe(false);
      if (!result.ok) {
        expect(result.problem.message).not.toBe("");
        expect(result.problem.code).toMatch(/^pattern\//);
      }
    },
  );

  test("a pattern keeps nothing from one text to the next", () => {
    const pattern = compile(engine, "(a+)(b)?");
    const first = pattern.find("xaab");
    expect(pattern.find("none")).toBeNull();
    expect(pattern.find("a")).toEqual({ start: 0, end: 1, groups: ["a", "a", undefined] });
    expect(first).toEqual({ start: 1, end: 4, groups: ["aab", "aa", "b"] });
    expect(["b", "a", "b"].map((given) => pattern.test(given))).toEqual([false, true, false]);
  });

  test("the costliest texts and patterns end", () => {
    // No bound on time: an engine that backtracks would not come to the end of this test.
    for (const [source, given] of HOSTILE) {
      const pattern = compile(engine, source);
      expect([source, pattern.test(given), pattern.find(given)]).toEqual([source, false, null]);
    }
  });

  test("long texts are searched to their end, at the right offsets", () => {
    const lines = "a line of 😀 words\n".repeat(20_000);
    for (const source of [
      "needle",
      "n(e+)dle",
      "(?m)^needle$",
      "(?s)need.*e",
      "[^a]eedl.?\\b",
      "dle\\z",
    ]) {
      const pattern = compile(engine, source);
      expect([source, pattern.test(lines), pattern.find(lines)?.start]).toEqual([
        source,
        false,
        undefined,
      ]);
      const found = pattern.find(`${lines}needle`);
      expect([source, pattern.test(`${lines}needle`)]).toEqual([source, true]);
      expect(found!.end).toBe(lines.length + 6);
      expect(`${lines}needle`.slice(found!.start, found!.end)).toBe(found!.groups[0]);
    }
  });

  test("what is found lies in the text, and is found exactly when the test says so", () => {
    fc.assert(
      fc.property(wholePattern, text, (source, given) => {
        const result = compilePattern(source, engine);
        fc.pre(result.ok);
        const found = result.pattern.find(given);
        expect(result.pattern.test(given)).toBe(found !== null);
        if (found === null) return;
        expect(found.groups).toHaveLength(result.pattern.groupCount + 1);
        expect(given.toWellFormed().slice(found.start, found.end)).toBe(found.groups[0]);
      }),
      { seed: 20261120, numRuns: 300 },
    );
  });
}

/** Two engines give the same verdicts, spans and groups. */
export function patternEnginesAgree(one: PatternEngine | null, other: PatternEngine): void {
  describe(`${one?.name ?? "mailflow's own"} and ${other.name}`, () => {
    test("agree on generated patterns and texts", () => {
      let matched = 0;
      fc.assert(
        fc.property(
          wholePattern,
          fc.array(text, { minLength: 1, maxLength: 4 }),
          (source, texts) => {
            const results = [one, other].map((engine) => compilePattern(source, engine));
            const [left, right] = results;
            expect([source, left!.ok]).toEqual([source, right!.ok]);
            if (!left!.ok || !right!.ok) return;
            for (const given of texts) {
              const found = left!.pattern.find(given);
              if (found !== null && found.end > found.start) matched++;
              expect({ source, given, found }).toEqual({
                source,
                given,
                found: right!.pattern.find(given),
              });
              expect(left!.pattern.test(given)).toBe(right!.pattern.test(given));
            }
          },
        ),
        { seed: 20261120, numRuns: 700 },
      );
      expect(matched).toBeGreaterThan(150);
    });

    test("agree on what matches whole", () => {
      fc.assert(
        fc.property(wholePattern, text, (source, given) => {
          const verdicts = [one, other].map((engine) => {
            const result = compilePattern(source, engine, "whole");
            return result.ok ? result.pattern.find(given) : result.problem.code;
          });
          expect({ source, given, verdict: verdicts[0] }).toEqual({
            source,
            given,
            verdict: verdicts[1],
          });
        }),
        { seed: 20261120, numRuns: 500 },
      );
    });
  });
}
