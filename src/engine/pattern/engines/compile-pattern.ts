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
import { GroupFinder } from "./group-finder.ts";
import type { Pattern, PatternEngine, PatternMatch, PatternResult } from "./pattern-engine.ts";

/**
 * A pattern within the caps. Its own automaton decides whether it occurs; where another engine is given, that
 * engine is the first to look for what the groups hold. `parts`: spans of the text, in order and cutting no surrogate pair; any match lies in one of them.
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
  /** `test` of a text whose `testFuel` is paid: the guard pays only for states that the text needs beyond it. */
  testPaid(text: string, guard: Guard | null): boolean;
  /** The leftmost-first match anywhere in `text`; spans in UTF-16 code units. `null` if none. */
  find(text: string, guard?: Guard, parts?: readonly Span[] | null): PatternMatch | null;
}

export type PatternCompilation =
  | { readonly ok: true; readonly pattern: CompiledPattern }
  | { readonly ok: false; readonly problem: Problem };

type CheckedTree =
  | { readonly ok: true; readonly tree: PatternTree; readonly cost: PatternCost }
  | (ReadResult & { readonly ok: false });

function readChecked(source: string): CheckedTree {
  const unitsMax = LIMITS.patternUnitsMax;
  if (source.length > unitsMax) {
    const message = `the pattern has ${source.length} characters: shorten it to ${unitsMax}`;
    const span = { start: unitsMax, end: source.length };
    return { ok: false, problem: { code: "pattern/too-long", message, span } };
  }
  const read = readPattern(source);
  if (!read.ok) return read;
  const cost = measurePattern(read.tree.root);
  const problem = checkCaps(read.tree, cost);
  return problem === undefined ? { ok: true, tree: read.tree, cost } : { ok: false, problem };
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

/** What finds the groups of a pattern; it counts towards the bound of all automata. */
class Groups implements AutomatonKeeper {
  countedBytes = -1;
  readonly #tree: PatternTree;
  #finder: GroupFinder | undefined;

  constructor(tree: PatternTree) {
    this.#tree = tree;
  }

  get bytes(): number {
    return this.#finder?.bytes ?? 0;
  }

  drop(): void {
    this.#finder = undefined;
  }

  find(text: string, part: Span): PatternMatch | null {
    this.#finder ??= new GroupFinder(this.#tree);
    automatonStore.use(this);
    return this.#finder.find(text, part);
  }
}

/** Compiles when a match is first wanted; hosts keep millions of patterns for which none ever is. */
class CheckedPattern implements CompiledPattern {
  readonly source: string;
  readonly tree: PatternTree;
  /** Measured when it is first wanted, unless it is known. */
  #cost: PatternCost | undefined;
  #required: RequiredLiterals | null | undefined;
  #search: PatternSearch | undefined;
  /** By another engine. */
  readonly #compiled: Pattern | null;
  #groups: Groups | undefined;

  constructor(
    source: string,
    tree: PatternTree,
    cost: PatternCost | undefined,
    compiled: Pattern | null,
  ) {
    this.source = source;
    this.tree = tree;
    this.#cost = cost;
    this.#compiled = compiled;
  }

  required(): RequiredLiterals | null {
    if (this.#required === undefined) this.#required = requiredLiterals(this.tree, this.#costs());
    return this.#required;
  }

  get groupCount(): number {
    return this.tree.captureStarts.length;
  }

  get fuelPerUnit(): number {
    return this.#costs().fuelPerUnit;
  }

  testFuel(units: number): number {
    const cost = this.#costs();
    return buildFuel(cost) + searchFuel(units, cost.threads);
  }

  groupFuel(units: number): number {
    return groupFuel(this.#costs(), units, this.groupCount);
  }

  #costs(): PatternCost {
    this.#cost ??= measurePattern(this.tree.root);
    return this.#cost;
  }

  test(text: string, guard?: Guard, parts: readonly Span[] | null = null): boolean {
    return this.#endIn(text, guard ?? null, parts) !== null;
  }

  testPaid(text: string, guard: Guard | null): boolean {
    return this.#searcher().endIn(text, null, guard) !== null;
  }

  find(given: string, guard?: Guard, parts: readonly Span[] | null = null): PatternMatch | null {
    const at = this.#endIn(given, guard ?? null, parts);
    if (at === null) return null;
    const text = given.isWellFormed() ? given : given.toWellFormed();
    const cost = this.#costs();
    const part = partAround(text, at, cost);
    if (guard !== undefined && !guard.take(this.groupFuel(part.end - part.start))) return null;
    const found = this.#compiled?.find(text, part);
    if (found) return found;
    // Another engine may have older tables of Unicode, or no room for the text.
    this.#groups ??= new Groups(this.tree);
    return this.#groups.find(text, part);
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
}

/**
 * Compiles `source`; an `engine` takes the place of mailflow's own search for what the groups hold. `"search"` finds the
 * pattern anywhere in a text, `"whole"` matches the entire text. Refuses what is not in the dialect or breaks a cap, before
 * an engine sees it; spans of problems lie in `source`. Never throws.
 */
export function compilePattern(
  source: string,
  engine: PatternEngine | null = null,
  anchor: "search" | "whole" = "search",
): PatternCompilation {
  const own = readChecked(source);
  if (!own.ok) return own;
  // The wrapped source may still be refused: `\Q` without an end quotes the bracket too.
  const read = anchor === "search" ? own : readPattern(`\\A(?:${source})\\z`);
  const compiled = read.ok && engine !== null ? engine.compile(read.tree.source) : null;
  if (read.ok && compiled?.ok !== false) {
    const cost = read === own ? own.cost : undefined;
    const pattern = new CheckedPattern(source, read.tree, cost, compiled?.pattern ?? null);
    return { ok: true, pattern };
  }
  // A span would lie in the wrapped source, which is not the author's.
  const { code, message } = read.ok
    ? (compiled as PatternResult & { ok: false }).problem
    : read.problem;
  return { ok: false, problem: { code, message, span: { start: 0, end: source.length } } };
}
