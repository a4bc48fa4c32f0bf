/** `matches`: patterns of a linear-time engine, compiled with the expression or, where they are computed, on demand. */
import { LIMITS } from "../../../base/limits.ts";
import { type CompiledPattern, compilePattern } from "../../pattern/engines/compile-pattern.ts";
import type { PatternEngine } from "../../pattern/engines/pattern-engine.ts";
import { CelError, EXHAUSTED, type Result } from "../values/value.ts";
import { type Frame, overspends, type PatternCache } from "./frame.ts";

/** Fuel of compiling a pattern: a fixed part, and per character. */
const COMPILE_FUEL = 2_000;
const COMPILE_FUEL_PER_UNIT = 200;

/** Tests a compiled pattern, and charges for it. */
export function testPattern(pattern: CompiledPattern, text: string, frame: Frame): Result {
  if (overspends(frame, pattern.fuelPerUnit * (text.length + 1))) return EXHAUSTED;
  const occurs = pattern.testPaid(text, frame.guard);
  return frame.guard?.isSpent === true ? EXHAUSTED : occurs;
}

/** Keeps the patterns that were compiled last. This changes no answer, and no fuel. */
export function createPatternCache(engine: PatternEngine | null): PatternCache {
  const kept = new Map<string, CompiledPattern | CelError>();
  const compile = (source: string): CompiledPattern | CelError => {
    const known = kept.get(source);
    if (known !== undefined) return known;
    const result = compilePattern(source, engine);
    const pattern = result.ok
      ? result.pattern
      : new CelError(`not a pattern: ${result.problem.message}`);
    if (kept.size >= LIMITS.celPatternsKeptMax) kept.delete(kept.keys().next().value!);
    kept.set(source, pattern);
    return pattern;
  };
  return {
    test(text, source, frame) {
      // Charged whether kept or not, so that fuel does not depend on what ran before.
      if (overspends(frame, COMPILE_FUEL + COMPILE_FUEL_PER_UNIT * source.length)) return EXHAUSTED;
      const pattern = compile(source);
      if (pattern instanceof CelError) return pattern;
      // Charged as if its automaton were made for this text alone.
      if (overspends(frame, pattern.testFuel(0))) return EXHAUSTED;
      return testPattern(pattern, text, frame);
    },
  };
}
