/** From a pattern's source to a pattern that is safe to run: read, kept to the caps, then compiled. */
import { LIMITS } from "../base/limits.ts";
import { checkCaps } from "./cost.ts";
import type { Pattern, PatternEngine, PatternMatch, PatternResult } from "./pattern-engine.ts";
import type { ReadResult } from "./pattern-tree.ts";
import { readPattern } from "./re2-syntax.ts";

function readChecked(source: string): ReadResult {
  const unitsMax = LIMITS.patternUnitsMax;
  if (source.length > unitsMax) {
    const message = `the pattern has ${source.length} characters: shorten it to ${unitsMax}`;
    const span = { start: unitsMax, end: source.length };
    return { ok: false, problem: { code: "pattern/too-long", message, span } };
  }
  const read = readPattern(source);
  const problem = read.ok ? checkCaps(read.tree) : undefined;
  return problem === undefined ? read : { ok: false, problem };
}

/** A pattern that is compiled when it is first asked for a match; hosts keep millions of them that never are. */
class LatePattern implements Pattern {
  readonly source: string;
  readonly groupCount: number;
  readonly #engine: PatternEngine;
  #compiled: Pattern | undefined;

  constructor(source: string, groupCount: number, engine: PatternEngine) {
    this.source = source;
    this.groupCount = groupCount;
    this.#engine = engine;
  }

  #pattern(): Pattern {
    if (this.#compiled !== undefined) return this.#compiled;
    const result = this.#engine.compile(this.source);
    if (!result.ok) throw new Error(`\`${this.source}\` was accepted, but does not compile`);
    this.#compiled = result.pattern;
    return this.#compiled;
  }

  test(text: string): boolean {
    return this.#pattern().test(text);
  }

  find(text: string): PatternMatch | null {
    return this.#pattern().find(text);
  }
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
  const read = readChecked(source);
  if (!read.ok) return read;
  if (anchor === "search" && engine.refusesNothing === true) {
    return { ok: true, pattern: new LatePattern(source, read.tree.captureStarts.length, engine) };
  }
  // What is wrapped may be refused all the same: `\Q` without an end takes the bracket in.
  const result = engine.compile(anchor === "search" ? source : `\\A(?:${source})\\z`);
  if (result.ok) return { ok: true, pattern: { ...result.pattern, source } };
  // The engine may speak of the wrapped source: its span would be off.
  const { code, message } = result.problem;
  return { ok: false, problem: { code, message, span: { start: 0, end: source.length } } };
}
