/** Patterns that expressions compute: what all of them keep is bounded in octets. */
import { expect, test } from "vitest";
import { LIMITS } from "../../../../src/base/limits.ts";
import { ComputedPatterns } from "../../../../src/engine/cel/run/computed-patterns.ts";
import { CelError } from "../../../../src/engine/cel/values/value.ts";
import { CompiledPattern } from "../../../../src/engine/pattern/engines/compile-pattern.ts";
import { automatonStore } from "../../../../src/engine/pattern/search/automaton-store.ts";

const LONG = "[aé]".repeat(240);

test("keep the last ones", () => {
  const patterns = new ComputedPatterns(null);
  const first = patterns.get("a0");
  expect(first).toBeInstanceOf(CompiledPattern);
  for (let nth = 1; nth < LIMITS.celPatternsKeptMax; nth++) patterns.get(`a${nth}`);
  expect(patterns.get("a0")).toBe(first);
  const { bytes } = patterns;
  patterns.get(`${LONG}-`);
  expect(patterns.get("a0")).not.toBe(first);
  // The long one took the place of the oldest, and `a0` that of the next.
  expect(patterns.bytes - bytes).toBe(130 * (LONG.length - 1));
});

test("keep what is wrong with a text that is not a pattern", () => {
  const patterns = new ComputedPatterns(null);
  const wrong = patterns.get("(");
  expect(wrong).toBeInstanceOf(CelError);
  expect(patterns.get("(")).toBe(wrong);
});

test("of many expressions count towards the bound of all automata, and are compiled again once dropped", () => {
  const each = 16;
  const expressions = Array.from({ length: 40 }, () => new ComputedPatterns(null));
  const sources = Array.from({ length: each }, (_, nth) => `${LONG}${nth + 10}`);
  const [first] = expressions;
  const known = first!.get(sources[0]!);
  for (const patterns of expressions) for (const source of sources) patterns.get(source);
  const kept = expressions.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(kept).toBeGreaterThan(LIMITS.automataBytesMax / 2);
  expect(kept).toBeLessThanOrEqual(LIMITS.automataBytesMax);
  expect(automatonStore.bytes).toBeLessThanOrEqual(LIMITS.automataBytesMax);
  expect(first!.bytes).toBe(0);
  const again = first!.get(sources[0]!);
  expect(again).not.toBe(known);
  expect(again instanceof CompiledPattern && again.test("é".repeat(240) + 10)).toBe(true);
});
