/** `matches`: patterns of a linear-time engine, compiled with the expression or, where they are computed, on demand. */
import type { Problem } from "../base/diagnostic.ts";
import { LIMITS } from "../base/limits.ts";
import { compilePattern } from "../regex/compile-pattern.ts";
import type { Pattern, PatternEngine } from "../regex/pattern-engine.ts";
import { type Frame, overspends, type PatternCache } from "./frame.ts";
import { patternFuel } from "./pattern-fuel.ts";
import { CelError, EXHAUSTED, type Result } from "./value.ts";

/** Fuel of compiling a pattern: a fixed part, and per character. */
const COMPILE_FUEL = 2_000;
const COMPILE_FUEL_PER_UNIT = 200;

/** A compiled pattern, and what it costs per character of text. */
export interface WeighedPattern {
  readonly pattern: Pattern;
  readonly fuelPerUnit: number;
}

export type WeighedResult =
  | ({ readonly ok: true } & WeighedPattern)
  | { readonly ok: false; readonly problem: Problem };

export function compileWeighed(source: string, engine: PatternEngine): WeighedResult {
  const compiled = compilePattern(source, engine);
  if (!compiled.ok) return compiled;
  return { ok: true, pattern: compiled.pattern, fuelPerUnit: patternFuel(source) };
}

/** Tests a compiled pattern, and charges for it. */
export function testPattern(
  { pattern, fuelPerUnit }: WeighedPattern,
  text: string,
  frame: Frame,
): Result {
  return overspends(frame, fuelPerUnit * (text.length + 1)) ? EXHAUSTED : pattern.test(text);
}

/** Keeps the patterns that were compiled last; what is kept changes no answer, and no fuel. */
export function createPatternCache(engine: PatternEngine): PatternCache {
  const kept = new Map<string, WeighedPattern | CelError>();
  const compile = (source: string): WeighedPattern | CelError => {
    const known = kept.get(source);
    if (known !== undefined) return known;
    const result = compileWeighed(source, engine);
    const pattern = result.ok ? result : new CelError(`not a pattern: ${result.problem.message}`);
    if (kept.size >= LIMITS.celPatternsKeptMax) kept.delete(kept.keys().next().value!);
    kept.set(source, pattern);
    return pattern;
  };
  return {
    test(text, source, frame) {
      // Charged whether kept or not, so that fuel does not depend on what ran before.
      if (overspends(frame, COMPILE_FUEL + COMPILE_FUEL_PER_UNIT * source.length)) return EXHAUSTED;
      const pattern = compile(source);
      return pattern instanceof CelError ? pattern : testPattern(pattern, text, frame);
    },
  };
}
