/** What single characters of a pattern match, with re2js as the oracle. */
import { expect, test } from "vitest";
import { rangesByRe2js } from "../../../../scripts/build-unicode.ts";
import {
  CODE_POINT_MAX,
  type CodeRange,
  complement,
  UNICODE_CLASSES,
} from "../../../../src/engine/pattern/syntax/class-tables.ts";
import { rangesOf } from "../../../../src/engine/pattern/syntax/code-sets.ts";
import { readPattern } from "../../../../src/engine/pattern/syntax/re2-syntax.ts";

function merge(ranges: readonly CodeRange[]): CodeRange[] {
  return complement(complement(ranges));
}

const byRe2js = (source: string, flags: string): CodeRange[] =>
  merge(rangesByRe2js(`${flags}${source}`));

function own(source: string, flags: string): readonly CodeRange[] {
  const read = readPattern(`${flags}${source}`);
  if (!read.ok) throw new Error(read.problem.message);
  const { root } = read.tree;
  return rangesOf(root);
}

function compare(source: string): void {
  for (const flags of ["", "(?i)"]) {
    expect([flags, source, own(source, flags)]).toEqual([flags, source, byRe2js(source, flags)]);
  }
}

test("every class of Unicode has the members that re2js has, included and excluded, with either case", () => {
  expect(UNICODE_CLASSES.size).toBeGreaterThan(180);
  for (const name of UNICODE_CLASSES) for (const letter of "pP") compare(`\\${letter}{${name}}`);
});

test.each([
  ..."dswDSW".split("").map((letter) => `\\${letter}`),
  "[^k]",
  "[a-k]",
  "[\\Wk]",
  "[^\\W]",
  "[^\\W\\pL]",
  "[[:^alpha:]]",
  "[^[:^upper:]x]",
  "[\\PLu]",
  "[^\\P{Greek}]",
  "[\\x{370}-\\x{3ff}]",
  "[\\x{10400}-\\x{10410}\\x{1e900}]",
  "[^\\x{10400}]",
  "[\\x{d7ff}-\\x{e000}]",
  "[\\x00-\\x{10ffff}]",
])("%s", compare);

test("one character under (?i) has the orbit that re2js gives it, on every plane", () => {
  // Every code point with a case, and some beside.
  const cased = byRe2js("[\\p{Lu}\\p{Ll}\\p{Lt}]", "(?i)");
  let found = 0;
  for (const [first, last] of cased) {
    for (let codePoint = first; codePoint <= Math.min(last + 1, CODE_POINT_MAX); codePoint++) {
      const source = `\\x{${codePoint.toString(16)}}`;
      const expected = byRe2js(source, "(?i)");
      if (expected.length > 1 || expected[0]![0] !== expected[0]![1]) found++;
      expect([source, own(source, "(?i)")]).toEqual([source, expected]);
    }
  }
  expect(found).toBeGreaterThan(2_800);
});
