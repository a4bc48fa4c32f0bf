import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { wordSimilarityTo } from "../../../src/simulator/store/word-similarity.ts";

describe("word similarity", () => {
  /** Measured with `word_similarity` of pg_trgm 1.6 on PostgreSQL 15, locale C.UTF-8. */
  test.each([
    ["word", "two words", 0.8],
    ["invoice", "Your Acme invoise 42", 0.625],
    ["acme invoice", "Invoice of ACME Ltd", 0.8125],
    ["delivery", "delivred", 0.5555556],
    ["büro", "Das BÜRO ist zu", 1],
    ["ΟΔΟΣ", "οδοσ", 1],
    ["日本", "日本語 日本", 1],
    ["aaaa", "a aa aaa aaaaa", 1],
    ["ab", "abababab", 0.6666667],
    ["cat", "act", 0],
    ["foo|bar", "bar-foo", 1],
    ["İstanbul", "istanbul", 1],
    ["contact@example.com", "kontact@example.org", 0.7222222],
    ["aba ab", "ab aba b abab", 1],
    ["a", "a", 1],
    ["", "word", 0],
    ["!!!", "word", 0],
    ["word", "", 0],
  ])("%j in %j is %d", (query, text, wanted) => {
    expect(wordSimilarityTo(query, 0)(text)).toBeCloseTo(wanted, 6);
  });

  test("a final sigma is a sigma, which PostgreSQL does not know: its stores fold before they ask", () => {
    expect(wordSimilarityTo("ΟΔΟΣ", 0)("η οδος")).toBe(1);
  });

  const words = fc
    .array(fc.constantFrom("ab", "aba", "invoice", "invioce", "é", "日本"), { maxLength: 6 })
    .map((list) => list.join(" "));

  test("a least value changes nothing from that value on", () => {
    fc.assert(
      fc.property(words, words, fc.constantFrom(0.2, 0.4, 0.5, 1), (query, text, least) => {
        const full = wordSimilarityTo(query, 0)(text);
        const quick = wordSimilarityTo(query, least)(text);
        expect(quick).toBe(full >= least || quick !== 0 ? full : 0);
        expect(full).toBeGreaterThanOrEqual(0);
        expect(full).toBeLessThanOrEqual(1);
      }),
      { seed: 20261120, numRuns: 500 },
    );
  });

  test("a text holds its own words wholly", () => {
    fc.assert(
      fc.property(words, words, words, (before, query, after) => {
        fc.pre(query !== "");
        expect(wordSimilarityTo(query, 0)(`${before} ${query} ${after}`)).toBe(1);
      }),
      { seed: 20261120, numRuns: 200 },
    );
  });

  test("text beyond the bound is not read", () => {
    const padding = "x ".repeat(LIMITS.searchedUnitsMax / 2);
    expect(wordSimilarityTo("needle", 0)(`${padding}needle`)).toBe(0);
    expect(wordSimilarityTo("needle", 0)(`${padding.slice(14)}needle`)).toBe(1);
  });
});
