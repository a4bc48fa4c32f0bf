import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../../src/base/limits.ts";
import { checkCaps, measurePattern } from "../../../../src/engine/pattern/syntax/cost.ts";
import { readPattern } from "../../../../src/engine/pattern/syntax/re2-syntax.ts";
import { brokenPattern } from "../pattern-arbitrary.ts";

function treeOf(source: string) {
  const read = readPattern(source);
  if (!read.ok) throw new Error(`${source}: ${read.problem.message}`);
  return read.tree;
}

function costOf(source: string) {
  return measurePattern(treeOf(source).root);
}

function problemOf(source: string) {
  return checkCaps(treeOf(source), costOf(source));
}

describe("steps", () => {
  test.each([
    ["", 1],
    ["abc", 3],
    ["(?i)kſ", 3],
    ["[a-z]", 1],
    [".", 4],
    ["[^a]", 4],
    ["é", 1],
    ["[é]", 4],
    ["\\pL", 41],
    ["\\PL", 41],
    ["[\\pL\\pN]", 81],
    ["a{10}", 10],
    ["a{0,10}", 20],
    ["a{10,}", 11],
    ["(?:a{10}b){5}", 55],
    ["(a)", 3],
    ["a|b|c", 5],
    ["a*", 2],
  ])("of %s are %d", (source, steps) => {
    expect(costOf(source).steps).toBe(steps);
  });
});

describe("threads", () => {
  test.each([
    ["abc", 1],
    ["aba", 2],
    ["aAa", 3],
    ["a{50}", 50],
    [".{50}", 50],
    ["[^x]{50}[xy]", 51],
    ["\\d{20}[a-z]{30}", 30],
    ["(?i)[a-zA-Z]{5}", 5],
    ["(?:a|b){20}", 40],
    ["(?:a?){20}", 40],
    ["(.){10}", 30],
    ["\\pL{9}-", 10],
  ])("of %s are %d", (source, threads) => {
    expect(costOf(source).threads).toBe(threads);
  });
});

test("the longest match is told in code units, and whether it can hold a line feed", () => {
  expect(costOf("a😀.{2,3}|b").unitsMax).toBe(9);
  expect(costOf("^(?:\\b)*$").unitsMax).toBe(0);
  expect(costOf("a+").unitsMax).toBe(Number.POSITIVE_INFINITY);
  const crossing = ["\\s", "\\n", "[^a]", "(?s).", "\\PL", "\\W", "[[:space:]]", "(?:a|\\x0a)*"];
  for (const source of crossing)
    expect([source, costOf(source).crossesLines]).toEqual([source, true]);
  for (const source of [".*", "[^\\n]", "\\w+", "(?m)^a$", "[^\\s]"]) {
    expect([source, costOf(source).crossesLines]).toEqual([source, false]);
  }
});

describe("caps", () => {
  const deep = LIMITS.patternDepthMax;
  test.each([
    ["(".repeat(deep) + ")".repeat(deep)],
    ["[^x]{100}[xy]"],
    ["\\p{L}{2,20}"],
    ["\\p{Han}{2,20}"],
    ["[^@]{1,254}"],
    [".{0,200}"],
    ["[A-Za-z0-9+/]{200,}"],
    [".{0,100}due.{0,100}"],
    ["x{1000}"],
    ["invoice.{0,100}overdue"],
    ["(?:a?b?c?){50}"],
    ["a*(?i)*".repeat(30)],
    [`(?i)\\b(?:${"abcdefg|".repeat(50)}h)\\b`],
    ["(\\w+@[a-z.]+)\\s+(?:re|fwd):\\s*(.*)$"],
  ])("leave %s alone", (source) => {
    expect(problemOf(source)).toBeUndefined();
  });

  test.each([
    ["(".repeat(deep + 1) + ")".repeat(deep + 1), "pattern/too-deep", "("],
    ["x(?:a{100}){100}y", "pattern/too-costly", "(?:a{100}){100}"],
    ["((a{100}){100}){100}", "pattern/too-costly", "(a{100}){100}"],
    ["(?:\\pL\\pN){90}", "pattern/too-costly", "(?:\\pL\\pN){90}"],
    ["a[^\\pN]{0,100}b", "pattern/too-costly", "[^\\pN]{0,100}"],
    ["(?:a?b?c?){400}", "pattern/too-costly", "(?:a?b?c?){400}"],
    ["[ab]{900}c[ab]{900}[bc]{900}", "pattern/too-costly", "[ab]{900}c[ab]{900}[bc]{900}"],
  ])("refuse %s as %s", (source, code, where) => {
    const problem = problemOf(source);
    expect(problem?.code).toBe(code);
    expect(source.slice(problem!.span!.start, problem!.span!.end)).toBe(where);
  });

  test("measure whatever can be read", () => {
    fc.assert(
      fc.property(brokenPattern, (source) => {
        const read = readPattern(source);
        fc.pre(read.ok);
        const { steps, threads, unitsMax } = measurePattern(read.tree.root);
        expect(steps).toBeGreaterThanOrEqual(1);
        expect(threads).toBeGreaterThanOrEqual(0);
        expect(unitsMax).toBeGreaterThanOrEqual(0);
      }),
      { seed: 20261120, numRuns: 500 },
    );
  });
});
