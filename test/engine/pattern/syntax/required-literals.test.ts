import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { readPattern } from "../../../../src/engine/pattern/syntax/re2-syntax.ts";
import { requiredLiterals } from "../../../../src/engine/pattern/syntax/required-literals.ts";
import { fuzzRuns } from "../fuzz-runs.ts";
import { wordCase } from "../pattern-arbitrary.ts";
import { placesOf } from "../search/naive-search.ts";

function literalsOf(source: string): string[] | null {
  const read = readPattern(source);
  if (!read.ok) throw new Error(`${source}: ${read.problem.message}`);
  const required = requiredLiterals(read.tree);
  return required?.literals.map(({ text, fold }) => (fold ? `~${text}` : text)) ?? null;
}

describe("literals of", () => {
  test.each([
    ["invoice", ["invoice"]],
    ["(?i)Invoice #\\d+", ["~invoice #"]],
    ["[Ii][Nn]voice", ["~invoice"]],
    ["in(?i:VO)ice", ["~invoice"]],
    ["(?:abc|def)ghi", ["abcghi", "defghi"]],
    ["(?:ab)?cde", ["cde"]],
    ["abc|xabcx|(?i:ABC)", ["~abc"]],
    ["hello.{3}worldwide", ["worldwide"]],
    ["(foo)+quux", ["quux"]],
    ["(foo){2}", ["foofoo"]],
    ["(foo){2,}", ["foofoo"]],
    ["(?:foo){0}quux", ["quux"]],
    ["\\bfoo\\b$", ["foo"]],
    ["(?m)^Re: .*$", ["Re: "]],
    ["[a-z]+@example\\.com", ["@example.com"]],
    ["gr[ae]y", ["gray", "grey"]],
    ["abc[0-9]", ["abc"]],
    ["(?:invoice|bill|receipt)\\s+(?:no|number)", ["invoice", "bill", "receipt"]],
    ["(?i)stra\\x{df}e", ["~straße"]],
    ["(?i)\\x{212a}i\\x{17f}s", ["~kiss"]],
    ["(?i)😀abc", ["~😀abc"]],
    ["(?i)\\x{10428}abcd", ["~abcd"]],
    ["😀x", ["😀x"]],
    [`x{${100}}`, ["x".repeat(32)]],
    // What stands in most mails is looked for last, however long it is.
    ["https?://[a-z.]*visit", ["visit"]],
    ["={12}[a-z]*prize", ["prize"]],
    ["(?i)with the [a-z]*QUEUE", ["~queue"]],
  ])("%s are %j", (source, expected) => {
    expect(literalsOf(source)).toEqual(expected);
  });

  test.each([
    ...["", "ab", "a|bcd", "(?:abc|)", "(?:abc)?", "(?:abc)*", "\\d+", "[^a]{9}", "\\pL{5}"],
    ...[".*", "abc|\\d", "(?:[a-z]{3}|abc)", "(?i)\\x{10428}", "\\bx\\b"],
  ])("%s are unknown", (source) => {
    expect(literalsOf(source)).toBeNull();
  });

  test("an alternation of many words are its words; of too many, unknown", () => {
    const words = (count: number) => Array.from({ length: count }, (_, nth) => `word${nth}x`);
    expect(literalsOf(words(100).join("|"))).toEqual(words(100));
    expect(literalsOf(words(150).join("|"))).toBeNull();
  });
});

test("the reach of a match comes with them", () => {
  const read = readPattern("invoice\\s{1,3}");
  expect(read.ok && requiredLiterals(read.tree)).toMatchObject({
    unitsMax: 13,
    crossesLines: true,
  });
});

test("so does what may stand before them", () => {
  const before = (source: string): number | undefined => {
    const read = readPattern(source);
    return read.ok ? requiredLiterals(read.tree)?.unitsBefore : undefined;
  };
  const one = before("invoice")!;
  expect(before("(?:ab|c)[0-9]{2}invoice")).toBe(one + 2 + 4);
  expect(before("[a-z]+invoice")).toBe(Number.POSITIVE_INFINITY);
  expect(before("invoice.*")).toBe(one);
  expect(before("invoice|[0-9]order")).toBe(one + 2);
});

test("a text that matches holds one of them", () => {
  let matched = 0;
  fc.assert(
    fc.property(wordCase, ({ source, text: given }) => {
      const read = readPattern(source);
      if (!read.ok) throw new Error(source);
      const required = requiredLiterals(read.tree);
      if (required === null || !RE2JS.compile(source).test(given)) return;
      matched++;
      const held = required.literals.some((literal) => placesOf(given, literal, 1).length > 0);
      expect({ source, given, held }).toEqual({ source, given, held: true });
    }),
    fuzzRuns(8_000),
  );
  expect(matched).toBeGreaterThan(1000);
});
