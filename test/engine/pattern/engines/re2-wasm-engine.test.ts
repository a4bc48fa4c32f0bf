import { describe, expect, test } from "vitest";
import { compilePattern } from "../../../../src/engine/pattern/engines/compile-pattern.ts";
import type { PatternEngine } from "../../../../src/engine/pattern/engines/pattern-engine.ts";
import { createRe2WasmEngine } from "../../../../src/engine/pattern/engines/re2-wasm-engine.ts";
import { rawRe2 } from "../raw-re2.ts";

function compile(source: string, engine: PatternEngine | null) {
  const result = compilePattern(source, engine);
  if (!result.ok) throw new Error(result.problem.message);
  return result.pattern;
}

/** Texts on which the automaton of `a[ab]{n}[cd]` grows as far as memory goes. */
function coinFlips(units: number): string {
  let state = 12_345;
  return Array.from({ length: units }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 30 > 1 ? "a" : "b";
  }).join("");
}

/** Where RE2 as it is packaged finds otherwise, and the engine asks re2js. */
describe("known differences", () => {
  test.each([
    ["\\B", "aéa", 0, null],
    ["(a*)*", "b", [undefined], ["", ""]],
    ["(?:(\\b|\\d))*", "s", [undefined], ["", ""]],
    ["(?:a??)*", "a", "a", [""]],
  ])("%s in %s", (source, text, raw, expected) => {
    const native = new rawRe2.WrappedRE2(source, false, false, false);
    const found = native.match(text, 0, true);
    const shown =
      typeof raw === "number" ? found.index : Array.isArray(raw) ? found.groups : found.match;
    native.delete();
    if (raw === 0) expect(found.index).toBeGreaterThanOrEqual(0);
    else expect(shown).toEqual(raw);
    for (const engine of [createRe2WasmEngine(), null]) {
      expect(compile(source, engine).find(text)?.groups ?? null).toEqual(expected);
    }
  });

  test.each([
    ["\\p{Lu}", "\u{10570}", true],
    ["\\pC", "\u0378", true],
    ["\\PC", "\u0378", false],
    ["[^\\pC]", "\u0378", false],
    ["(?i)ﬆ", "ﬅ", true],
    ["(?i)ﬅ", "ﬆ", true],
    ["(?i)[ﬀ-ﬅ]", "ﬆ", true],
    ["(?i)[\u0370-\u03ff]", "\u1fd3", true],
    ["(?i)ΰ", "\u1fe3", true],
    ["ﬆ", "ﬅ", false],
  ])("%s in %s, of Unicode younger than RE2's package", (source, text, expected) => {
    for (const engine of [createRe2WasmEngine(), null])
      expect(compile(source, engine).test(text)).toBe(expected);
  });
});

/** Last, for the raw instance does not outlive it. */
describe("the heap of RE2", () => {
  test("is exhausted by what an engine outlives", () => {
    const text = coinFlips(8_000);
    const sourceOf = (count: number) => `a[ab]{${count}}(${count}[cd])`;
    const counts = Array.from({ length: 10 }, (_, index) => 40 + index);
    const hoard = () => {
      for (const count of counts) {
        new rawRe2.WrappedRE2(sourceOf(count), false, false, false).match(text, 0, true);
      }
    };
    expect(hoard).toThrow(/memory/);
    const engine = createRe2WasmEngine();
    const patterns = counts.map((count) => compile(sourceOf(count), engine));
    expect(patterns.map((pattern) => pattern.test(text))).toEqual(counts.map(() => false));
    // The first one died with an instance by now: it is compiled again.
    expect(patterns[0]!.find(`${text}😀a${"b".repeat(40)}40c`)).toEqual({
      start: 8_002,
      end: 8_002 + 44,
      groups: [`a${"b".repeat(40)}40c`, "40c"],
    });
  });

  test("holds a thousand patterns in turn", () => {
    const engine = createRe2WasmEngine();
    const patterns = Array.from({ length: 1000 }, (_, count) =>
      compile(`rule-(${count})\\b`, engine),
    );
    for (const [count, pattern] of patterns.entries()) {
      expect(pattern.find(`x rule-${count}`)?.groups[1]).toBe(String(count));
    }
  });

  test("is spared a pattern that is too large for it", () => {
    const engine = createRe2WasmEngine();
    const kept = compile("kept", engine);
    const result = engine.compile("(?:\\pL\\pN){400}");
    expect(result).toMatchObject({ ok: false, problem: { code: "pattern/too-costly" } });
    expect([kept.test("kept"), kept.test("lost")]).toEqual([true, false]);
  });

  test("is spared a text that is too long for it", () => {
    const engine = createRe2WasmEngine();
    const text = "語".repeat(1_048_575);
    for (const source of ["[^x]*(終)", "終\\z", "語*終"]) {
      const pattern = compile(source, engine);
      expect([pattern.test(text), pattern.test(`${text}終`)]).toEqual([false, true]);
      expect(pattern.find(`${text}終`)?.end).toBe(1_048_576);
    }
  });
});
