/** One pattern's own automaton: whether it occurs in a text, or in parts of one. */
import type { Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { PatternTree } from "../syntax/pattern-tree.ts";
import { type RequiredLiterals, startsAtText } from "../syntax/required-literals.ts";
import { type AutomatonKeeper, automatonStore } from "./automaton-store.ts";
import { LazyAutomaton } from "./lazy-automaton.ts";
import { LiteralScanner } from "./literal-scanner.ts";
import { type SetProgram, writeProgram } from "./set-program.ts";
import { createStartScanner, type StartScanner } from "./start-scanner.ts";
import { offPair, windowAround } from "./window.ts";

/** In texts of so many units a kernel first looks for a literal, or for the start of a match. */
const SCANNED_UNITS_MIN = 96;
/** So many literals a kernel finds faster than the automaton reads the text. */
const LITERALS_MAX = 32;
/** Places that are tried one by one, however close together they are. */
const TRIES_MIN = 4;
/** Units of text that cost as much as starting a try. Beyond `TRIES_MIN`, tries must have passed as much text as they cost. */
const TRY_UNITS = 48;
/** The same for a place that `isKnownToMiss` rules out. */
const MISS_UNITS = 12;
/** What looking for the start of a match takes in a unit of text, in units that the automaton reads. */
const SCAN_COST = 0.2;

const NOTHING_SOUGHT: Sought = { literal: null, start: null, bytes: 0 };

/** Octets of what a kernel looks for, for each text. */
const SCANNER_BYTES = 2_048;

/** Whether a kernel finds every place of the literals: not that of U+FFFD, for which a lone surrogate may stand. */
function isSought({ literals }: RequiredLiterals): boolean {
  return literals.length <= LITERALS_MAX && !literals.some(({ text }) => text.includes("\ufffd"));
}

/** Whether a kernel looks for the literals, and not for the start of a match, which they begin. */
function isSoughtBefore(required: RequiredLiterals, start: StartScanner | null): boolean {
  const isAtStart = required.unitsBefore <= LIMITS.literalUnitsMax;
  return isSought(required) && (start === null || !isAtStart);
}

/** Looking for a literal of every match. */
interface LiteralSearch {
  readonly scanner: LiteralScanner;
  readonly required: RequiredLiterals;
  /** Which of them is found does not matter: the shortest has the widest window, the longest reaches farthest back. */
  readonly shortest: number;
  readonly longest: number;
}

/** What is looked for in a whole text before the automaton reads it. */
interface Sought {
  readonly literal: LiteralSearch | null;
  readonly start: StartScanner | null;
  /** Octets that this takes. */
  readonly bytes: number;
}

function literalSearch(
  required: RequiredLiterals,
  start: StartScanner | null,
): LiteralSearch | null {
  if (!isSoughtBefore(required, start)) return null;
  const lengths = required.literals.map(({ text }) => text.length);
  return {
    scanner: new LiteralScanner(required.literals),
    required,
    shortest: Math.min(...lengths),
    longest: Math.max(...lengths),
  };
}

/** Whether looking for the start of a match from `first` on takes less than the automaton has to read. */
function isSooner(text: string, first: number, work: number): boolean {
  return work > (text.length - first) * SCAN_COST;
}

/** Whether a pattern is looked for by itself in much less than what its automaton takes to read a text. */
export function leapsAlone(tree: PatternTree, required: RequiredLiterals | null): boolean {
  if (required !== null && isSought(required)) return true;
  return startsAtText(tree) || createStartScanner(tree) !== null;
}

function soughtOf(tree: PatternTree, required: RequiredLiterals | null): Sought {
  if (startsAtText(tree)) return NOTHING_SOUGHT;
  const start = createStartScanner(tree);
  const literal = required === null ? null : literalSearch(required, start);
  const texts = literal?.required.literals.length ?? 0;
  return { literal, start, bytes: SCANNER_BYTES * (texts + (start === null ? 0 : 1)) };
}

export class PatternSearch implements AutomatonKeeper {
  countedBytes = -1;
  wasUsed = false;
  readonly #tree: PatternTree;
  readonly #required: RequiredLiterals | null;
  #automaton: LazyAutomaton | undefined;
  /** Finds only matches that start where it begins to read. */
  #fromStart: LazyAutomaton | undefined;
  #known: Sought | undefined;

  /** `tree` is within the caps on patterns; `required`: what is known about its matches. */
  constructor(tree: PatternTree, required: RequiredLiterals | null) {
    this.#tree = tree;
    this.#required = required;
  }

  get bytes(): number {
    const { bytes = 0 } = this.#known ?? {};
    return bytes + (this.#automaton?.bytes ?? 0) + (this.#fromStart?.bytes ?? 0);
  }

  drop(): void {
    this.#automaton = undefined;
    this.#fromStart = undefined;
    this.#known = undefined;
  }

  /**
   * Where the earliest-ending match in one of `parts` ends, or one character before; `null` if there is none. A lone
   * surrogate counts as U+FFFD; the parts are in order and cut no surrogate pair. Assertions see the text around a part, so what is found
   * is a match in the text. The guard pays for what is not in `searchFuel`; once it has refused, the answer has no meaning.
   */
  endIn(text: string, parts: readonly Span[] | null, guard: Guard | null): number | null {
    if (parts === null) return this.#endInWhole(text, guard);
    const [{ start: first } = { start: 0 }] = parts;
    const work = parts.reduce((sum, { start, end }) => sum + TRY_UNITS + end - start, 0);
    const { start: sought } = this.#sought;
    if (sought !== null && isSooner(text, first, work)) {
      if (guard?.take(text.length - first) === false) return null;
      return this.#endFromStart(text, sought, first, guard);
    }
    for (const { start, end } of parts) {
      const found = this.#run(text, start, end, guard);
      if (found !== null) return found;
    }
    return null;
  }

  get #sought(): Sought {
    if (this.#known !== undefined) return this.#known;
    this.#known = soughtOf(this.#tree, this.#required);
    automatonStore.use(this);
    return this.#known;
  }

  /** Searches a whole text, only where a kernel finds a literal or the start of a match, as long as that is faster. */
  #endInWhole(text: string, guard: Guard | null): number | null {
    if (text.length < SCANNED_UNITS_MIN) return this.#run(text, 0, text.length, guard);
    const { literal, start } = this.#sought;
    if (literal !== null) return this.#endAroundLiteral(text, literal, start, guard);
    if (start !== null) return this.#endFromStart(text, start, 0, guard);
    return this.#run(text, 0, text.length, guard);
  }

  get #program(): SetProgram {
    return writeProgram([this.#tree]).program();
  }

  /** Reads a part of the text; gives the place where a match in it ends. */
  #run(text: string, from: number, to: number, guard: Guard | null): number | null {
    this.#automaton ??= new LazyAutomaton(this.#program, "go on");
    const isFound = this.#automaton.match(text, from, to, guard)!.length > 0;
    automatonStore.use(this);
    return isFound ? this.#automaton.foundAt : null;
  }

  /** Tries the places of a literal, until looking for starts takes less, or for the automaton to read the whole rest. */
  #endAroundLiteral(
    text: string,
    { scanner, required, shortest, longest }: LiteralSearch,
    starts: StartScanner | null,
    guard: Guard | null,
  ): number | null {
    // A window without a bound contains every match around any literal in it.
    const isLine = !Number.isFinite(required.unitsMax);
    let work = 0;
    let tried = 0;
    let end: number | null = null;
    let rest: number | null = null;
    const tryAround = (_: number, at: number): boolean => {
      if (at < tried) return true;
      const window = windowAround(text, { start: at, end: at + shortest }, required);
      work += TRY_UNITS + window.end - window.start;
      const isOften = work > TRIES_MIN * TRY_UNITS + 2 * (at + shortest);
      if (isOften || (starts !== null && isSooner(text, at, work))) rest = window.start;
      else end = this.#run(text, window.start, window.end, guard);
      tried = Math.max(at + 1, isLine ? window.end - longest : 0);
      return rest === null && end === null && window.end < text.length;
    };
    scanner.scan(text, tryAround, Number.POSITIVE_INFINITY);
    if (rest === null) return end;
    return starts === null
      ? this.#run(text, rest, text.length, guard)
      : this.#endFromStart(text, starts, rest, guard);
  }

  /** Tries the places where a match may start, as long as all tries together read no more than the text in one go. */
  #endFromStart(
    text: string,
    scanner: StartScanner,
    first: number,
    guard: Guard | null,
  ): number | null {
    this.#fromStart ??= new LazyAutomaton(this.#program, "go on", "first place");
    const automaton = this.#fromStart;
    let work = 0;
    let end: number | null = null;
    let rest: number | null = null;
    scanner.scan(text, first, (place) => {
      // No match starts inside a surrogate pair.
      if (offPair(text, place, 1) !== place) return true;
      if (work > TRIES_MIN * TRY_UNITS + 2 * (place - first)) rest = place;
      else if (place > 0 && automaton.isKnownToMiss(text, place)) work += MISS_UNITS;
      else {
        if (automaton.match(text, place, text.length, guard)!.length > 0) end = automaton.foundAt;
        work += TRY_UNITS;
      }
      work += automaton.endedAt - place;
      return rest === null && end === null;
    });
    automatonStore.use(this);
    return rest === null ? end : this.#run(text, rest, text.length, guard);
  }
}
