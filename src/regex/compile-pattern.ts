/** From a pattern's source to a pattern that is safe to run: read, kept to the caps, then compiled. */
import { LIMITS } from "../base/limits.ts";
import type { PatternEngine, PatternResult } from "./pattern-engine.ts";

/**
 * Compiles `source` with `engine`. `"search"` finds the pattern anywhere in a text, `"whole"` matches the
 * entire text. Spans of problems lie in `source`.
 */
export function compilePattern(
  source: string,
  engine: PatternEngine,
  anchor: "search" | "whole" = "search",
): PatternResult {
  if (source.length > LIMITS.patternUnitsMax) {
    const message = `the pattern has ${source.length} characters: shorten it to ${LIMITS.patternUnitsMax}`;
    return {
      ok: false,
      problem: {
        code: "pattern/too-long",
        message,
        span: { start: LIMITS.patternUnitsMax, end: source.length },
      },
    };
  }
  const bare = engine.compile(source);
  if (anchor === "search" || !bare.ok) return bare;
  const whole = engine.compile(`\\A(?:${source})\\z`);
  return whole.ok ? { ok: true, pattern: { ...whole.pattern, source } } : whole;
}
