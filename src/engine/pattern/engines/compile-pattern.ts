/** From a pattern's source to a pattern that is safe to run: read, checked against the caps, then compiled. */
import type { Problem, Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import { type AutomatonKeeper, automatonStore } from "../search/automaton-store.ts";
import { searchFuel } from "../search/lazy-automaton.ts";
import { PatternSearch } from "../search/pattern-search.ts";
import {
  buildFuel,
  checkCaps,
  groupFuel,
  measurePattern,
  type PatternCost,
} from "../syntax/cost.ts";
import type { PatternTree, ReadResult } from "../syntax/pattern-tree.ts";
import { readPattern } from "../syntax/re2-syntax.ts";
import { type RequiredLiterals, requiredLiterals } from "../syntax/required-literals.ts";
import type { Pattern, PatternEngine, PatternMatch } from "./pattern-engine.ts";
import { re2jsEngine } from "./re2js-engine.ts";

/**
 * A pattern within the caps. Its own automaton decides whether it occurs, whatever the engine; the engine finds what
 * the groups hold. `parts`: spans of the text, in order and cutting no surrogate pair; any match lies in one of them.
 * The guard pays for the work; once it has refused, the answer has no meaning.
 */
export interface CompiledPattern {
  readonly source: string;
  readonly tree: PatternTree;
  /** Capturing groups, the whole match not counted. */
  readonly groupCount: number;
  /** Texts of which every match contains one; `null` if nothing is known. */
  required(): RequiredLiterals | null;
  /** Units of work of searching one code unit, once there is an automaton. */
  readonly fuelPerUnit: number;
  /** Units of work of testing `units` code units; it grows with them. */
  testFuel(units: number): number;
  /** Units of work of finding what the groups hold in `units` code units that are known to contain a match. */
  groupFuel(units: number): number;
  /** Whether the pattern occurs anywhere in `text`; a lone surrogate counts as U+FFFD. */
  test(text: string, guard?: Guard, parts?: readonly Span[] | null): boolean;
  /** `test` of a well-formed text whose `testFuel` is paid: the guard pays only for states that the text needs beyond it. */
  testPaid(text: string, guard: Guard | null): boolean;
  /** The leftmost-first match anywhere in `text`; spans in UTF-16 code units. `null` if none. */
  find(text: string, guard?: Guard, parts?: readonly Span[] | null): PatternMatch | null;
}

export type PatternCompilation =
  | { readonly ok: true; readonly pattern: CompiledPattern }
  | { readonly ok: false; readonly problem: Problem };

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

/**
 * The part of `text` that contains the leftmost match, where the earliest-ending match ends at `at` or after the
 * character there. The leftmost match ends no earlier, and starts no later; so it lies in the same line, or no
 * farther away than a match is long.
 */
function partAround(text: string, at: number, { unitsMax, crossesLines }: PatternCost): Span {
  if (Number.isFinite(unitsMax)) {
    const start = Math.max(0, at - unitsMax);
    const isLow = (text.charCodeAt(start) & 0xfc00) === 0xdc00;
    return {
      start: isLow && start > 0 ? start - 1 : start,
      end: Math.min(text.length, at + 2 + unitsMax),
    };
  }
  if (crossesLines) return { start: 0, end: text.length };
  const end = text.indexOf("\n", at + 1);
  return {
    start: at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1,
    end: end < 0 ? text.length : end,
  };
}

/** Octets that an engine keeps for a pattern, and for each of its steps: measured 5 to 44 KB. */
const COMPILED_BYTES = 8_192;
const COMPILED_BYTES_PER_STEP = 32;

/** The engine's compiled pattern, which counts towards the bound of all automata. */
class Groups implements AutomatonKeeper {
  readonly #source: string;
  readonly #engine: PatternEngine;
  readonly bytes: number;
  #compiled: Pattern | undefined;

  constructor(source: string, engine: PatternEngine, { steps }: PatternCost) {
    this.#source = source;
    this.#engine = engine;
    this.bytes = COMPILED_BYTES + COMPILED_BYTES_PER_STEP * steps;
  }

  drop(): void {
    this.#compiled = undefined;
  }

  find(text: string, part: Span): PatternMatch | null {
    automatonStore.use(this);
    this.#compiled ??= compiled(this.#source, this.#engine);
    return this.#compiled.find(text, part);
  }
}

/** Compiles when a match is first wanted; hosts keep millions of patterns for which none ever is. */
class CheckedPattern implements CompiledPattern {
  readonly source: string;
  readonly tree: PatternTree;
  /** The source that the engine compiles. */
  readonly #wanted: string;
  readonly #engine: PatternEngine;
  #cost: PatternCost | undefined;
  #required: RequiredLiterals | null | undefined;
  #search: PatternSearch | undefined;
  readonly #compiled: Pattern | undefined;
  #groups: Groups | undefined;

  constructor(source: string, tree: PatternTree, engine: PatternEngine, compiled?: Pattern) {
    this.source = source;
    this.tree = tree;
    this.#wanted = tree.source;
    this.#engine = engine;
    this.#compiled = compiled;
  }

  required(): RequiredLiterals | null {
    if (this.#required === undefined) this.#required = requiredLiterals(this.tree);
    return this.#required;
  }

  get groupCount(): number {
    return this.tree.captureStarts.length;
  }

  get fuelPerUnit(): number {
    return this.#costs().fuelPerUnit;
  }

  testFuel(units: number): number {
    const { steps, threads } = this.#costs();
    return buildFuel(steps) + searchFuel(units, threads);
  }

  groupFuel(units: number): number {
    return groupFuel(this.#costs(), units);
  }

  #costs(): PatternCost {
    this.#cost ??= measurePattern(this.tree.root);
    return this.#cost;
  }

  test(given: string, guard?: Guard, parts: readonly Span[] | null = null): boolean {
    const text = given.isWellFormed() ? given : given.toWellFormed();
    return this.#endIn(text, guard ?? null, parts) !== null;
  }

  testPaid(text: string, guard: Guard | null): boolean {
    return this.#searcher().endIn(text, null, guard) !== null;
  }

  find(given: string, guard?: Guard, parts: readonly Span[] | null = null): PatternMatch | null {
    const text = given.isWellFormed() ? given : given.toWellFormed();
    const at = this.#endIn(text, guard ?? null, parts);
    if (at === null) return null;
    const cost = this.#costs();
    const part = partAround(text, at, cost);
    if (guard !== undefined && !guard.take(this.groupFuel(part.end - part.start))) return null;
    // An engine with older Unicode tables may miss the match.
    return this.#findByEngine(text, part) ?? this.#findByDefault(text, part);
  }

  #endIn(text: string, guard: Guard | null, parts: readonly Span[] | null): number | null {
    const units =
      parts === null ? text.length : parts.reduce((sum, { start, end }) => sum + end - start, 0);
    if (guard !== null && !guard.take(this.testFuel(units))) return null;
    const at = this.#searcher().endIn(text, parts, guard);
    return guard?.isSpent === true ? null : at;
  }

  #searcher(): PatternSearch {
    this.#search ??= new PatternSearch(this.tree, this.required());
    return this.#search;
  }

  /** What the engine finds. The pattern is compiled on first use, and again after it was dropped. */
  #findByEngine(text: string, part: Span): PatternMatch | null {
    if (this.#compiled !== undefined) return this.#compiled.find(text, part);
    this.#groups ??= new Groups(this.#wanted, this.#engine, this.#costs());
    return this.#groups.find(text, part);
  }

  #findByDefault(text: string, part: Span): PatternMatch | null {
    return this.#engine === re2jsEngine
      ? null
      : compiled(this.#wanted, re2jsEngine).find(text, part);
  }
}

function compiled(source: string, engine: PatternEngine): Pattern {
  const result = engine.compile(source);
  if (!result.ok) throw new Error(`\`${source}\` was accepted, but does not compile`);
  return result.pattern;
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
): PatternCompilation {
  const own = readChecked(source);
  if (!own.ok) return own;
  const refused = (code: Problem["code"], message: string): PatternCompilation => {
    return { ok: false, problem: { code, message, span: { start: 0, end: source.length } } };
  };
  // The wrapped source may still be refused: `\Q` without an end quotes the bracket too.
  const read = anchor === "search" ? own : readPattern(`\\A(?:${source})\\z`);
  if (!read.ok) return refused(read.problem.code, read.problem.message);
  if (engine.refusesNothing === true) {
    return { ok: true, pattern: new CheckedPattern(source, read.tree, engine) };
  }
  const result = engine.compile(read.tree.source);
  if (result.ok)
    return { ok: true, pattern: new CheckedPattern(source, read.tree, engine, result.pattern) };
  // The engine may report a span in the wrapped source, which would be wrong here.
  return refused(result.problem.code, result.problem.message);
}
