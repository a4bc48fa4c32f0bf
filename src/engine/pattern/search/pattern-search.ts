/** One pattern's own automaton: whether it occurs in a text, or in parts of one. */
import type { Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { PatternTree } from "../syntax/pattern-tree.ts";
import { type RequiredLiterals, startsAtText } from "../syntax/required-literals.ts";
import { type Share, type StartExpression, startExpression } from "../syntax/start-expression.ts";
import { type AutomatonKeeper, automatonStore } from "./automaton-store.ts";
import { LazyAutomaton } from "./lazy-automaton.ts";
import { type NextPlace, nextPlaceOf } from "./literal-scanner.ts";
import { type SetProgram, writeProgram } from "./set-program.ts";
import { offPair, windowAround } from "./window.ts";

/** In texts of so many units the host first looks for a literal, or for the start of a match. */
const SOUGHT_UNITS_MIN = 16;
/** So many literals the host finds faster than the automaton reads the text. */
const LITERALS_MAX = 32;
/** Places that are tried one by one, however close together they are. */
const TRIES_MIN = 4;
/** Units of text that cost as much as starting a try. Beyond `TRIES_MIN`, tries must have passed as much text as they cost. */
const TRY_UNITS = 48;
/** What the host takes to look for the start of a match in a unit of text, in units that the automaton reads: 0.02 to 0.2 were measured. */
const LEAP_COST = 0.04;

/** Where the host can leap over fewer characters, the automaton reads the text faster. */
const SHARE_MAX = 0.12;

const NOTHING_SOUGHT: HostSearch = { literal: null, start: null, bytes: 0 };

/** Octets that the host keeps for a regular expression, for each text that it finds. */
const EXPRESSION_BYTES = 4_096;

/** Whether the host finds every place of the literals: not that of U+FFFD, for which a lone surrogate may stand. */
function isSought({ literals }: RequiredLiterals): boolean {
  return literals.length <= LITERALS_MAX && !literals.some(({ text }) => text.includes("\ufffd"));
}

/** Whether the host looks for the literals, and not for the start of a match, which they begin. */
function isSoughtBefore(required: RequiredLiterals, start: StartExpression | null): boolean {
  const isAtStart = required.unitsBefore <= LIMITS.literalUnitsMax;
  return isSought(required) && (start === null || !isAtStart);
}

/** Looking for a literal of every match. */
interface LiteralSearch {
  readonly nextPlace: NextPlace;
  readonly required: RequiredLiterals;
  /** Which of them is found does not matter: the shortest has the widest window, the longest reaches farthest back. */
  readonly shortest: number;
  readonly longest: number;
}

/** What the host looks for in a whole text before the automaton reads it. */
interface HostSearch {
  readonly literal: LiteralSearch | null;
  readonly start: StartExpression | null;
  /** Octets that the host keeps for its expressions. */
  readonly bytes: number;
}

function literalSearch(
  required: RequiredLiterals,
  start: StartExpression | null,
): LiteralSearch | null {
  if (!isSoughtBefore(required, start)) return null;
  const lengths = required.literals.map(({ text }) => text.length);
  return {
    nextPlace: nextPlaceOf(required.literals),
    required,
    shortest: Math.min(...lengths),
    longest: Math.max(...lengths),
  };
}

/** Units that are looked at to see what a text is written in, among the first ones: a search reads these in any case. */
const SAMPLES = 16;
const SAMPLED_UNITS = 1_024;

/** The part of a text that is in ASCII, by a few of its first characters. */
export function asciiPart(text: string): number {
  const end = Math.min(text.length, SAMPLED_UNITS);
  const step = Math.max(1, Math.floor(end / SAMPLES));
  let [ascii, count] = [0, 0];
  for (let at = 0; at < end; at += step, count++) if (text.charCodeAt(at) < 0x80) ascii++;
  return count === 0 ? 1 : ascii / count;
}

/** Whether the host leaps over most of a text, by what it cannot leap over; `null`: it looks for no start. */
export function leapsOver(text: string, share: Share | null): boolean {
  if (share === null) return false;
  if (Math.max(share.ascii, share.far) <= SHARE_MAX) return true;
  const ascii = asciiPart(text);
  return ascii * share.ascii + (1 - ascii) * share.far <= SHARE_MAX;
}

/** Whether the host has looked for the start of a match from `first` on sooner than the automaton has done `work`. */
function isSooner({ share }: StartExpression, text: string, first: number, work: number): boolean {
  return work > (text.length - first) * LEAP_COST && leapsOver(text, share);
}

/** The start that the host looks for; `null` if the automaton reads any text faster. */
export function soughtStart(tree: PatternTree): StartExpression | null {
  const found = startExpression(tree);
  if (found === null || Math.min(found.share.ascii, found.share.far) > SHARE_MAX) return null;
  return found;
}

/** Every text is leapt over. */
const NO_SHARE: Share = { ascii: 0, far: 0 };

/** How a pattern is looked for by itself. */
export interface AloneSearch {
  /** Whether a literal is looked for, and not the start of a match. */
  readonly seeksLiteral: boolean;
  /** What the host cannot leap over on the way to a match; `null` if the automaton reads the whole text. */
  readonly share: Share | null;
}

export function aloneSearch(tree: PatternTree, required: RequiredLiterals | null): AloneSearch {
  const start = soughtStart(tree);
  const seeksLiteral = required !== null && isSoughtBefore(required, start);
  const leaps = seeksLiteral || startsAtText(tree);
  return { seeksLiteral, share: leaps ? NO_SHARE : (start?.share ?? null) };
}

function hostSearch(tree: PatternTree, required: RequiredLiterals | null): HostSearch {
  if (startsAtText(tree)) return NOTHING_SOUGHT;
  const start = soughtStart(tree);
  const literal = required === null ? null : literalSearch(required, start);
  const expressions = (literal?.required.literals.length ?? 0) + (start === null ? 0 : 1);
  return { literal, start, bytes: EXPRESSION_BYTES * expressions };
}

export class PatternSearch implements AutomatonKeeper {
  countedBytes = -1;
  wasUsed = false;
  readonly #tree: PatternTree;
  readonly #required: RequiredLiterals | null;
  #automaton: LazyAutomaton | undefined;
  /** Finds only matches that start where it begins to read. */
  #fromStart: LazyAutomaton | undefined;
  #host: HostSearch | undefined;

  /** `tree` is within the caps on patterns; `required`: what is known about its matches. */
  constructor(tree: PatternTree, required: RequiredLiterals | null) {
    this.#tree = tree;
    this.#required = required;
  }

  get bytes(): number {
    const { bytes = 0 } = this.#host ?? {};
    return bytes + (this.#automaton?.bytes ?? 0) + (this.#fromStart?.bytes ?? 0);
  }

  drop(): void {
    this.#automaton = undefined;
    this.#fromStart = undefined;
    this.#host = undefined;
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
    if (sought !== null && isSooner(sought, text, first, work)) {
      if (guard?.take(text.length - first) === false) return null;
      return this.#endFromStart(text, sought.expression, first, guard);
    }
    for (const { start, end } of parts) {
      const found = this.#run(text, start, end, guard);
      if (found !== null) return found;
    }
    return null;
  }

  get #sought(): HostSearch {
    if (this.#host !== undefined) return this.#host;
    this.#host = hostSearch(this.#tree, this.#required);
    automatonStore.use(this);
    return this.#host;
  }

  /** Searches a whole text, only where the host finds a literal or the start of a match, as long as that is faster. */
  #endInWhole(text: string, guard: Guard | null): number | null {
    if (text.length < SOUGHT_UNITS_MIN) return this.#run(text, 0, text.length, guard);
    const { literal, start } = this.#sought;
    if (literal !== null) return this.#endAroundLiteral(text, literal, start, guard);
    return start !== null && leapsOver(text, start.share)
      ? this.#endFromStart(text, start.expression, 0, guard)
      : this.#run(text, 0, text.length, guard);
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

  /** Tries the places of a literal, until the host finds `start` sooner, or the automaton the whole rest. */
  #endAroundLiteral(
    text: string,
    { nextPlace, required, shortest, longest }: LiteralSearch,
    start: StartExpression | null,
    guard: Guard | null,
  ): number | null {
    // A window without a bound contains every match around any literal in it.
    const isLine = !Number.isFinite(required.unitsMax);
    let work = 0;
    for (let at = nextPlace(text, 0); at >= 0; ) {
      const window = windowAround(text, { start: at, end: at + shortest }, required);
      work += TRY_UNITS + window.end - window.start;
      if (start !== null && isSooner(start, text, at, work))
        return this.#endFromStart(text, start.expression, window.start, guard);
      const isOften = work > TRIES_MIN * TRY_UNITS + 2 * (at + shortest);
      const until = isOften ? text.length : window.end;
      const found = this.#run(text, window.start, until, guard);
      if (found !== null || until === text.length) return found;
      at = nextPlace(text, Math.max(at + 1, isLine ? window.end - longest : 0));
    }
    return null;
  }

  /** Tries the places where a match may start, as long as all tries together read no more than the text in one go. */
  #endFromStart(text: string, start: RegExp, first: number, guard: Guard | null): number | null {
    this.#fromStart ??= new LazyAutomaton(this.#program, "go on", "first place");
    const automaton = this.#fromStart;
    let work = 0;
    let end: number | null = null;
    for (let from = first; end === null; ) {
      start.lastIndex = from;
      const index = start.exec(text)?.index;
      if (index === undefined) break;
      from = index + 1;
      // No match starts inside a surrogate pair.
      if (offPair(text, index, 1) !== index) continue;
      if (work > TRIES_MIN * TRY_UNITS + 2 * (index - first))
        return this.#run(text, index, text.length, guard);
      if (automaton.match(text, index, text.length, guard)!.length > 0) end = automaton.foundAt;
      work += TRY_UNITS + automaton.endedAt - index;
    }
    automatonStore.use(this);
    return end;
  }
}
