import { describe, expect, test } from "vitest";
import { compilePattern } from "../../../../src/engine/pattern/engines/compile-pattern.ts";
import type { PatternEngine } from "../../../../src/engine/pattern/engines/pattern-engine.ts";

const UNREACHABLE: PatternEngine = {
  name: "unreachable",
  compile: (source) => {
    throw new Error(`${source} reached the engine`);
  },
};

describe("before the engine", () => {
  test.each([
    ["10,000 parentheses", "(".repeat(10_000), "pattern/too-long"],
    ["1,000 nested groups", `${"(".repeat(500)}${")".repeat(500)}`, "pattern/too-deep"],
    ["thrice a hundred times", "((a{100}){100}){100}", "pattern/too-costly"],
    ["many Unicode classes", "(?:\\pL\\pN){400}", "pattern/too-costly"],
    ["fewer Unicode classes", "(?:\\pL\\pN){40}", "pattern/too-costly"],
    ["thousands of any", ".{1000}.{1000}.{1000}", "pattern/too-costly"],
    ["hundreds of any", ".{400}.{400}", "pattern/too-costly"],
    ["look-ahead", "(?=a)", "pattern/unsupported"],
    ["a broken group", "(a", "pattern/syntax"],
  ])("%s are refused", (_, source, code) => {
    const result = compilePattern(source, UNREACHABLE);
    expect(result).toMatchObject({ ok: false, problem: { code } });
    if (!result.ok) expect(result.problem.span!.end).toBeLessThanOrEqual(source.length);
  });

  test("1,024 units are allowed, one more is not, and the span shows which", () => {
    expect(compilePattern(`a{0}${"(?i)".repeat(255)}`).ok).toBe(true);
    expect(compilePattern(`a{0}${"(?i)".repeat(255)}b`, UNREACHABLE)).toMatchObject({
      problem: { code: "pattern/too-long", span: { start: 1024, end: 1025 } },
    });
  });
});

describe("whole", () => {
  test("matches the entire text only, alternatives included", () => {
    const result = compilePattern("a|ab|c\\n?", null, "whole");
    if (!result.ok) throw new Error(result.problem.message);
    const { pattern } = result;
    expect(pattern.source).toBe("a|ab|c\\n?");
    expect(
      ["a", "ab", "c", "c\n", "", "abc", "xa", "a\n", "b\na"].map((given) => pattern.test(given)),
    ).toEqual([...[true, true, true, true], ...[false, false, false, false, false]]);
    expect(result.pattern.find("ab")).toEqual({ start: 0, end: 2, groups: ["ab"] });
    expect(result.pattern.find("abx")).toBeNull();
  });

  test("cannot be escaped by a source that closes the wrapping group", () => {
    expect(compilePattern("a)|(?:b", UNREACHABLE, "whole")).toMatchObject({
      problem: { code: "pattern/syntax", span: { start: 1, end: 2 } },
    });
    for (const source of ["a\\", "\\Qa", "(?i", "[a"]) {
      const result = compilePattern(source, null, "whole");
      if (result.ok)
        expect([result.pattern.test("a"), result.pattern.test("ab")]).toEqual([true, false]);
      else expect(result.problem.span!.end).toBeLessThanOrEqual(source.length);
    }
  });

  test("ends a quotation that the source does not end", () => {
    for (const source of ["\\Qa.", "(x|\\Qa.\\E)", "x|\\Qa."]) {
      const result = compilePattern(source, null, "whole");
      const test = (text: string): boolean => result.ok && result.pattern.test(text);
      expect([test("a."), test("ab"), test("a.)"), test("a.\\")]).toEqual([
        true,
        false,
        false,
        false,
      ]);
    }
  });

  test("takes the deepest and the longest source that searching takes", () => {
    const deepest = `${"(?:".repeat(50)}a${")".repeat(50)}`;
    const result = compilePattern(deepest, null, "whole");
    expect(result.ok && [result.pattern.test("a"), result.pattern.test("ba")]).toEqual([
      true,
      false,
    ]);
  });
});

test("a refusal by the engine has its reason and spans the source", () => {
  const picky: PatternEngine = {
    name: "picky",
    compile: (source) => ({
      ok: false,
      problem: {
        code: "pattern/too-costly",
        message: "too much: shorten it",
        span: { start: 9, end: source.length },
      },
    }),
  };
  expect(compilePattern("abc", picky, "whole")).toEqual({
    ok: false,
    problem: {
      code: "pattern/too-costly",
      message: "too much: shorten it",
      span: { start: 0, end: 3 },
    },
  });
});
