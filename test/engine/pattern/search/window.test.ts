import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import {
  type CompiledPattern,
  compilePattern,
} from "../../../../src/engine/pattern/engines/compile-pattern.ts";
import { LiteralScanner } from "../../../../src/engine/pattern/search/literal-scanner.ts";
import { windowAround, windowsAround } from "../../../../src/engine/pattern/search/window.ts";
import { readPattern } from "../../../../src/engine/pattern/syntax/re2-syntax.ts";
import {
  type RequiredLiterals,
  requiredLiterals,
} from "../../../../src/engine/pattern/syntax/required-literals.ts";
import { fuzzRuns } from "../fuzz-runs.ts";
import { wordCase, wordText } from "../pattern-arbitrary.ts";

function windowOf(text: string, sought: string, reach: Partial<RequiredLiterals>): string {
  const start = text.indexOf(sought);
  const whole = { unitsBefore: Infinity, unitsMax: Infinity, crossesLines: true };
  const hit = { start, end: start + sought.length };
  const window = windowAround(text, hit, { ...whole, ...reach });
  return text.slice(window.start, window.end);
}

describe("the window around a hit", () => {
  const text = "first line\nthe needle lies\nlast";
  test.each([
    ["what a bounded match can reach, and two units", { unitsMax: 8 }, "the needle lie"],
    ["the line, and the breaks around it", { crossesLines: false }, "\nthe needle lies\n"],
    ["the text", {}, text],
    ["what follows, where little comes before", { unitsBefore: 2 }, "the needle lies\nlast"],
    ["of a line no more", { unitsBefore: 1, crossesLines: false }, "he needle lies\n"],
    ["the less of both", { unitsBefore: 1, unitsMax: 7 }, "he needle li"],
    ["no more than the text", { unitsMax: 1000 }, text],
  ])("is %s", (_, reach, expected) => {
    expect(windowOf(text, "needle", reach)).toBe(expected);
  });

  test("ends at the text's ends", () => {
    expect(windowOf("needle\nx", "needle", { crossesLines: false })).toBe("needle\n");
    expect(windowOf("x\nneedle", "needle", { crossesLines: false })).toBe("\nneedle");
    expect(windowOf("needle", "needle", { crossesLines: false })).toBe("needle");
  });

  test("halves no surrogate pair", () => {
    expect(windowOf("a😀😀needle😀😀a", "needle", { unitsMax: 7 })).toBe("😀😀needle😀😀");
  });
});

describe("the windows around hits", () => {
  const hitsAt = (starts: readonly number[]) => starts.map((start) => ({ start, end: start + 2 }));

  test("that overlap are one", () => {
    const text = "x".repeat(100);
    const reach = { unitsBefore: Infinity, unitsMax: 4, crossesLines: true };
    expect(windowsAround(text, hitsAt([10, 14, 50]), reach)).toEqual([
      { start: 6, end: 20 },
      { start: 46, end: 56 },
    ]);
  });

  test("of a line are one", () => {
    const text = "ab ab\n--\nab\nab";
    const reach = { unitsBefore: Infinity, unitsMax: Infinity, crossesLines: false };
    expect(windowsAround(text, hitsAt([0, 3, 9, 12]), reach)).toEqual([
      { start: 0, end: 6 },
      { start: 8, end: 14 },
    ]);
    const whole = { ...reach, crossesLines: true };
    expect(windowsAround(text, hitsAt([0, 3, 9]), whole)).toEqual([{ start: 0, end: 14 }]);
  });
});

/** How a plan looks for one pattern: its literals, then windows around them. */
function testOnWindows(
  pattern: CompiledPattern,
  required: RequiredLiterals,
  text: string,
): boolean {
  const hits: { start: number; end: number }[] = [];
  new LiteralScanner(required.literals).scan(text, (literal, start) => {
    return hits.push({ start, end: start + required.literals[literal]!.text.length }) > 0;
  });
  hits.sort((a, b) => a.start - b.start);
  return pattern.test(text, undefined, windowsAround(text, hits, required));
}

test("a pattern that matches, matches in a window around one of its literals", () => {
  let matched = 0;
  fc.assert(
    fc.property(wordCase, wordText, ({ source, text: after }, before) => {
      const read = readPattern(source);
      if (!read.ok) throw new Error(source);
      const required = requiredLiterals(read.tree);
      if (required === null) return;
      const compiled = compilePattern(source);
      if (!compiled.ok) throw new Error(source);
      // Far apart, so that windows are no more than they must be.
      const text = `${before}${"-".repeat(before.length)}\n${after}`;
      const expected = RE2JS.compile(source).test(text);
      if (expected) matched++;
      const found = testOnWindows(compiled.pattern, required, text);
      expect({ source, text, found }).toEqual({ source, text, found: expected });
    }),
    fuzzRuns(6_000),
  );
  expect(matched).toBeGreaterThan(800);
});
