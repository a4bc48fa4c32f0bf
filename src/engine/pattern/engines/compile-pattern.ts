/** From a pattern's source to a pattern that is safe to run: read, checked against the caps, then compiled. */
import type { Problem, Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import { type AutomatonKeeper, automatonStore } from "../search/automaton-store.ts";
import { searchFuel } from "../search/lazy-automaton.ts";
import { PatternSearch } from "../search/pattern-search.ts";
import { windowAround } from "../search/window.ts";
import {
  buildFuel,
  checkCaps,
  groupBuildFuel,
  groupFuel,
  measurePattern,
  type PatternCost,
} from "../syntax/cost.ts";
import type { PatternTree } from "../syntax/pattern-tree.ts";
import { readPattern } from "../syntax/re2-syntax.ts";
import { type RequiredLiterals, requiredLiterals } from "../syntax/required-literals.ts";
import { GroupFinder } from "./group-finder.ts";
import type { Pattern, PatternEngine, PatternMatch } from "./pattern-engine.ts";

/**
 * A pattern within the caps, compiled when a match is first wanted: hosts keep millions for which none ever is. Its own automaton
 * decides whether it occurs; where another engine is given, that engine is the first to look for what the groups hold.
 * `parts`: spans of the text, in order and cutting no surrogate pair; any match lies in one of them. The guard pays for the
 * work; once it has refused, the answer has no meaning. What finds the groups counts towards the bound of all automata.
 */
export class CompiledPattern implements AutomatonKeeper {
  countedBytes = -1;
  wasUsed = false;
  #required: RequiredLiterals | null | undefined;
  #search: PatternSearch | undefined;
  #finder: GroupFinder | undefined;

  constructor(
    readonly source: string,
    readonly tree: PatternTree,
    /** Measured when it is first wanted, unless it is known. */
    private cost: PatternCost | undefined,
    /** By another engine. */
    private readonly compiled: Pattern | undefined,
  ) {}

  get bytes(): number {
    return this.#finder?.bytes ?? 0;
  }

  drop(): void {
    this.#finder = undefined;
  }

  /** Texts of which every match contains one; `null` if nothing is known. */
  required(): RequiredLiterals | null {
    if (this.#required === undefined) this.#required = requiredLiterals(this.tree, this.#costs());
    return this.#required;
  }

  /** Capturing groups, the whole match not counted. */
  get groupCount(): number {
    return this.tree.captureStarts.length;
  }

  /** Units of work of searching one code unit, once there is an automaton. */
  get fuelPerUnit(): number {
    return this.#costs().fuelPerUnit;
  }

  /** Units of work of testing `units` code units; it grows with them. */
  testFuel(units: number): number {
    const cost = this.#costs();
    return buildFuel(cost) + searchFuel(units, cost.threads);
  }

  #costs(): PatternCost {
    this.cost ??= measurePattern(this.tree.root);
    return this.cost;
  }

  /** Whether the pattern occurs anywhere in `text`; a lone surrogate counts as U+FFFD. */
  test(text: string, guard?: Guard, parts: readonly Span[] | null = null): boolean {
    return this.#endIn(text, guard ?? null, parts) !== null;
  }

  /** `test` of a text whose `testFuel` is paid: the guard pays only for states that the text needs beyond it. */
  testPaid(text: string, guard: Guard | null): boolean {
    return this.#searcher().endIn(text, null, guard) !== null;
  }

  /** The leftmost-first match anywhere in `text`; spans in UTF-16 code units. `null` if none. */
  find(given: string, guard?: Guard, parts: readonly Span[] | null = null): PatternMatch | null {
    const at = this.#endIn(given, guard ?? null, parts);
    if (at === null) return null;
    const text = given.isWellFormed() ? given : given.toWellFormed();
    const cost = this.#costs();
    // The leftmost match ends no earlier than the one that was found, and starts no later: it reaches as far, or lies in the same line.
    const reach = { ...cost, unitsBefore: Number.POSITIVE_INFINITY };
    const part = windowAround(text, { start: at, end: at + 1 }, reach);
    if (guard?.take(groupBuildFuel(cost)) === false) return null;
    if (this.compiled !== undefined) {
      // Of another engine's work only the most is known.
      const units = part.end - part.start + 1;
      const fuel = groupFuel(units, units * cost.threads, this.groupCount);
      if (guard?.take(fuel) === false) return null;
      const found = this.compiled.find(text, part);
      if (found !== null) return found;
      // It may have older tables of Unicode, or no room for the text.
    }
    this.#finder ??= new GroupFinder(this.tree);
    automatonStore.use(this);
    return this.#finder.find(text, part, guard ?? null);
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

export type PatternCompilation =
  | { readonly ok: true; readonly pattern: CompiledPattern }
  | { readonly ok: false; readonly problem: Problem };

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
  const [unitsMax, end] = [LIMITS.patternUnitsMax, source.length];
  if (end > unitsMax) {
    const message = `the pattern has ${end} characters: shorten it to ${unitsMax}`;
    const span = { start: unitsMax, end };
    return { ok: false, problem: { code: "pattern/too-long", message, span } };
  }
  const own = readPattern(source);
  if (!own.ok) return own;
  const cost = measurePattern(own.tree.root);
  const capped = checkCaps(own.tree, cost);
  if (capped !== undefined) return { ok: false, problem: capped };
  // A span of what is refused from here on would lie in the wrapped source, which is not the author's.
  const refusal = ({ code, message }: Problem): PatternCompilation => ({
    ok: false,
    problem: { code, message, span: { start: 0, end } },
  });
  let read = anchor === "search" ? own : readPattern(`\\A(?:${source})\\z`);
  // `\Q` without an end quotes the bracket, too.
  if (!read.ok) read = readPattern(`\\A(?:${source}\\E)\\z`);
  if (!read.ok) return refusal(read.problem);
  const compiled = engine?.compile(read.tree.source);
  if (compiled?.ok === false) return refusal(compiled.problem);
  const known = read === own ? cost : undefined;
  return { ok: true, pattern: new CompiledPattern(source, read.tree, known, compiled?.pattern) };
}
