import { describe, expect, test } from "vitest";
import { compilePattern } from "../../src/regex/compile-pattern.ts";
import type { PatternEngine } from "../../src/regex/pattern-engine.ts";
import { createRe2WasmEngine, loadRe2 } from "../../src/regex/re2-wasm-engine.ts";
import { re2jsEngine } from "../../src/regex/re2js-engine.ts";

function compile(source: string, engine: PatternEngine) {
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

describe("the heap of RE2", () => {
  test("is exhausted by what an engine outlives", () => {
    const instance = loadRe2();
    const hoard = () => {
      for (let count = 0; count < 200; count++) {
        new instance.WrappedRE2(`\\pL+@(${count})`, false, false, false).match("a@1", 0, true);
      }
    };
    expect(hoard).toThrow(/memory/);
    const engine = createRe2WasmEngine();
    const patterns = Array.from({ length: 100 }, (_, count) => compile(`\\pL+@(${count})`, engine));
    for (const [count, pattern] of patterns.entries()) {
      const digits = String(count);
      expect(pattern.find(`😀abc@${digits}`)).toEqual({
        start: 2,
        end: 6 + digits.length,
        groups: [`abc@${digits}`, digits],
      });
    }
    // The first ones died with an instance: they are compiled again.
    expect([patterns[0]!.test("abc@0"), patterns[0]!.test("abc@1")]).toEqual([true, false]);
  });

  test("is exhausted by growing automata too, and the verdicts stay right", () => {
    const engine = createRe2WasmEngine();
    const text = coinFlips(12_000);
    for (let count = 12; count < 18; count++) {
      const pattern = compile(`a[ab]{${count}}[cd]${count}`, engine);
      expect(pattern.test(text)).toBe(false);
      expect(pattern.test(`${text}a${"b".repeat(count)}c${count}`)).toBe(true);
    }
  });

  test("holds thousands of patterns in turn", () => {
    const engine = createRe2WasmEngine();
    const patterns = Array.from({ length: 3000 }, (_, count) =>
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

/** Where RE2 as it is packaged finds otherwise, and the engine asks re2js. */
describe("known differences", () => {
  const instance = loadRe2();
  test.each([
    ["\\B", "aéa", 0, null],
    ["(a*)*", "b", [undefined], ["", ""]],
    ["(?:(\\b|\\d))*", "s", [undefined], ["", ""]],
    ["(?:a??)*", "a", "a", [""]],
  ])("%s in %s", (source, text, raw, expected) => {
    const native = new instance.WrappedRE2(source, false, false, false);
    const found = native.match(text, 0, true);
    const shown =
      typeof raw === "number" ? found.index : Array.isArray(raw) ? found.groups : found.match;
    native.delete();
    if (raw === 0) expect(found.index).toBeGreaterThanOrEqual(0);
    else expect(shown).toEqual(raw);
    for (const engine of [createRe2WasmEngine(), re2jsEngine]) {
      expect(compile(source, engine).find(text)?.groups ?? null).toEqual(expected);
    }
  });

  test("letters younger than Unicode 13 are in a class for re2js only", () => {
    const vithkuqi = "\u{10570}";
    expect(compile("\\p{Lu}", re2jsEngine).test(vithkuqi)).toBe(true);
    expect(compile("\\p{Lu}", createRe2WasmEngine()).test(vithkuqi)).toBe(false);
  });
});
