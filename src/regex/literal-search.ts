/** Patterns of a set that are looked for by their literals: one pass over the text, then a look around each place. */
import { RE2JS } from "re2js";
import type { Span } from "../base/diagnostic.ts";
import { LIMITS } from "../base/limits.ts";
import { createLiteralScanner, type OnHit } from "./literal-scanner.ts";
import { createPatternSearch, type PatternSearch } from "./pattern-search.ts";
import { readPattern } from "./re2-syntax.ts";
import {
  literalKey,
  type RequiredLiteral,
  type RequiredLiterals,
  requiredLiterals,
} from "./required-literals.ts";
import type { Member, SetPart } from "./set-part.ts";
import { windowsAround } from "./window.ts";

type Search = Pick<PatternSearch, "occurs">;

/** A pattern that is looked at where one of its literals stands. */
export interface Sought extends Pick<Member, "index" | "source"> {
  readonly required: RequiredLiterals;
  /** Made when a literal is first found. */
  search: Search | undefined;
  /** Where literals stand in the text of the run, one more than are looked at if there are too many. */
  hits: Span[] | undefined;
}

/** Literals of one pattern, some of them short: they stand everywhere, and take longer than a pattern in a set. */
const SHORT_UNITS = 5;
const SHORT_LITERALS_MAX = 8;

function worthLookingFor({ literals }: RequiredLiterals): boolean {
  return (
    literals.length <= SHORT_LITERALS_MAX ||
    literals.every(({ text }) => text.length >= SHORT_UNITS)
  );
}

/** Undefined for a pattern that is found sooner together with others. */
export function soughtByLiterals({ index, source, tree }: Member): Sought | undefined {
  const required = requiredLiterals(tree);
  if (required === null || !worthLookingFor(required)) return undefined;
  return { index, source, required, search: undefined, hits: undefined };
}

/** For a pattern that only the engine's tables tell. */
function searchByEngine(source: string): Search {
  const compiled = RE2JS.compile(source);
  return {
    occurs(text, from = 0, to = text.length) {
      // It may take the part's edge for the text's: only what it does not find is certain.
      const isWhole = to - from === text.length;
      return (isWhole || compiled.test(text.slice(from, to))) && compiled.test(text);
    },
  };
}

function createSearch(source: string): Search {
  const read = readPattern(source);
  return (read.ok ? createPatternSearch(read.tree) : undefined) ?? searchByEngine(source);
}

/** So many units of text are read in the time that it takes to look at a window. */
const UNITS_PER_HIT = 256;

/** Hits of one pattern that are looked at one by one; with more, the whole text is read sooner. */
function hitsMaxOf(text: string): number {
  return Math.max(LIMITS.literalHitsMax, Math.floor(text.length / UNITS_PER_HIT));
}

function occurs(sought: Sought, hits: Span[], text: string, hitsMax: number): boolean {
  sought.search ??= createSearch(sought.source);
  const { search } = sought;
  if (hits.length > hitsMax) return search.occurs(text);
  if (hits.length > 1) hits.sort((a, b) => a.start - b.start);
  const windows = windowsAround(text, hits, sought.required);
  return windows.some(({ start, end }) => search.occurs(text, start, end));
}

/** Finds all of `patterns` with one pass for their literals. */
export function createLiteralSearch(patterns: readonly Sought[]): SetPart {
  const literals: RequiredLiteral[] = [];
  const soughtBy: Sought[][] = [];
  const idOf = new Map<string, number>();
  for (const sought of patterns) {
    for (const literal of sought.required.literals) {
      const key = literalKey(literal);
      const id = idOf.get(key) ?? literals.push(literal) - 1;
      idOf.set(key, id);
      soughtBy[id] ??= [];
      soughtBy[id].push(sought);
    }
  }
  const scanner = createLiteralScanner(literals);
  return (text) => {
    const hitsMax = hitsMaxOf(text);
    const candidates: Sought[] = [];
    const note: OnHit = (id, start) => {
      const hit = { start, end: start + literals[id]!.text.length };
      for (const sought of soughtBy[id]!) {
        if (sought.hits === undefined) {
          sought.hits = [hit];
          candidates.push(sought);
        } else if (sought.hits.length <= hitsMax) sought.hits.push(hit);
      }
      return undefined;
    };
    scanner.scan(text, note, hitsMax);
    const matched: number[] = [];
    for (const sought of candidates) {
      if (occurs(sought, sought.hits!, text, hitsMax)) matched.push(sought.index);
      sought.hits = undefined;
    }
    return matched;
  };
}
