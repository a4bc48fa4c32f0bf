/** All patterns that occur in a text, as the engine's own set finds them. */
import { compilePattern } from "../src/regex/compile-pattern.ts";
import type { Pattern } from "../src/regex/pattern-engine.ts";
import { createPatternSet } from "../src/regex/pattern-set.ts";
import { re2jsEngine } from "../src/regex/re2js-engine.ts";

export function compileSource(source: string): Pattern {
  const result = compilePattern(source, re2jsEngine);
  if (!result.ok) throw new Error(`${source}: ${result.problem.message}`);
  return result.pattern;
}

/** Answers the indexes of the patterns that occur, in order. */
export function matchAll(sources: readonly string[]): (text: string) => readonly number[] {
  return createPatternSet(sources.map((source) => ({ source }))).match;
}
