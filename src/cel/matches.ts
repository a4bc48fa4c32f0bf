/** `matches`: patterns of a linear-time engine, compiled with the expression or, where they are computed, on demand. */
import { compilePattern } from "../regex/compile-pattern.ts";
import type { Pattern, PatternEngine } from "../regex/pattern-engine.ts";
import { type Frame, overspends, type PatternCache } from "./frame.ts";
import { CelError, EXHAUSTED, type Result } from "./value.ts";

/** Patterns that one expression keeps compiled: more than a rule has, few enough to hold for every rule. */
const CACHED_PATTERNS_MAX = 16;

/** Fuel of compiling a pattern: a fixed part, and per character. */
const COMPILE_FUEL = 1_000;
const COMPILE_FUEL_PER_UNIT = 100;

/** Fuel per character of text. */
const MATCH_FUEL = 1;

/** Tests a compiled pattern, and charges for it. */
export function testPattern(pattern: Pattern, text: string, frame: Frame): Result {
  return overspends(frame, MATCH_FUEL * (text.length + 1)) ? EXHAUSTED : pattern.test(text);
}

/** Keeps the patterns that were compiled last; what is kept changes no answer, and no fuel. */
export function createPatternCache(engine: PatternEngine): PatternCache {
  const kept = new Map<string, Pattern | CelError>();
  const compile = (source: string): Pattern | CelError => {
    const known = kept.get(source);
    if (known !== undefined) return known;
    const result = compilePattern(source, engine);
    const pattern = result.ok
      ? result.pattern
      : new CelError(`not a pattern: ${result.problem.message}`);
    if (kept.size >= CACHED_PATTERNS_MAX) kept.delete(kept.keys().next().value!);
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
