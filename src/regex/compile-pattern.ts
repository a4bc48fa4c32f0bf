/** From a pattern's source to a pattern that is safe to run: read, kept to the caps, then compiled. */
import type { Problem } from "../base/diagnostic.ts";
import { LIMITS } from "../base/limits.ts";
import { checkCaps } from "./cost.ts";
import type { PatternEngine, PatternResult } from "./pattern-engine.ts";
import { readPattern } from "./re2-syntax.ts";

function checkSource(source: string): Problem | undefined {
  const unitsMax = LIMITS.patternUnitsMax;
  if (source.length > unitsMax) {
    const message = `the pattern has ${source.length} characters: shorten it to ${unitsMax}`;
    return { code: "pattern/too-long", message, span: { start: unitsMax, end: source.length } };
  }
  const read = readPattern(source);
  return read.ok ? checkCaps(read.tree) : read.problem;
}

/**
 * Compiles `source` with `engine`. `"search"` finds the pattern anywhere in a text, `"whole"` matches the
 * entire text. Refuses what is not in the dialect or breaks a cap, before the engine sees it; spans of
 * problems lie in `source`. Never throws.
 */
export function compilePattern(
  source: string,
  engine: PatternEngine,
  anchor: "search" | "whole" = "search",
): PatternResult {
  const problem = checkSource(source);
  if (problem !== undefined) return { ok: false, problem };
  const result = engine.compile(anchor === "search" ? source : `\\A(?:${source})\\z`);
  if (result.ok) return { ok: true, pattern: { ...result.pattern, source } };
  // The engine may speak of the wrapped source: its span would be off.
  const { code, message } = result.problem;
  return { ok: false, problem: { code, message, span: { start: 0, end: source.length } } };
}
