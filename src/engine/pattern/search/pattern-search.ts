/** One pattern's own automaton: whether it occurs in a text, or in parts of one. */
import type { Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { measurePattern } from "../syntax/cost.ts";
import type { PatternTree } from "../syntax/pattern-tree.ts";
import {
  type RequiredLiteral,
  type RequiredLiterals,
  startsAtText,
} from "../syntax/required-literals.ts";
import { startExpression } from "../syntax/start-expression.ts";
import { automatonStore } from "./automaton-store.ts";
import { LazyAutomaton } from "./lazy-automaton.ts";
import { type NextPlace, nextPlaceOf } from "./literal-scanner.ts";
import { writeProgram } from "./set-program.ts";
import { offPair, windowAround } from "./window.ts";

/** In texts of so many units the host first looks for a literal, or for the start of a match. */
const SOUGHT_UNITS_MIN = 128;
/** So many literals the host finds one by one faster than the automaton reads the text. */
const LITERALS_MAX = 3;
/** Places that are tried one by one, however close together they are. */
const TRIES_MIN = 16;
/** Units of text that cost as much as starting a try. Beyond `TRIES_MIN`, tries must have passed as much text as they cost. */
const TRY_UNITS = 48;

/** Octets that the host keeps for a regular expression. */
const EXPRESSION_BYTES = 4_096;

const NOWHERE = Number.POSITIVE_INFINITY;

/** The places of some literals in a text, one by one. */
class Places {
  readonly #literals: readonly RequiredLiteral[];
  readonly #find: readonly NextPlace[];
  /** The next place of each literal. */
  readonly #nexts: number[] = [];

  constructor(literals: readonly RequiredLiteral[]) {
    this.#literals = literals;
    this.#find = literals.map(nextPlaceOf);
  }

  get count(): number {
    return this.#find.length;
  }

  #seek(nth: number, text: string, from: number): void {
    const place = from > text.length ? -1 : this.#find[nth]!(text, from);
    this.#nexts[nth] = place < 0 ? NOWHERE : place;
  }

  start(text: string): void {
    for (let nth = 0; nth < this.#find.length; nth++) this.#seek(nth, text, 0);
  }

  /** The first place that was not passed; undefined if there is none. */
  first(): Span | undefined {
    const start = Math.min(...this.#nexts);
    if (start === NOWHERE) return undefined;
    const { text } = this.#literals[this.#nexts.indexOf(start)]!;
    return { start, end: start + text.length };
  }

  /** Passes the places before `from`, and those that end before `end`. */
  pass(text: string, from: number, end: number): void {
    for (let nth = 0; nth < this.#find.length; nth++) {
      const next = Math.max(from, end - this.#literals[nth]!.text.length);
      if (this.#nexts[nth]! < next) this.#seek(nth, text, next);
    }
  }
}

export class PatternSearch {
  readonly #tree: PatternTree;
  readonly #required: RequiredLiterals | null;
  #automaton: LazyAutomaton | undefined;
  #places: Places | undefined;
  #start: RegExp | null | undefined;
  #unitsMax = 0;

  /** `tree` is within the caps on patterns; `required`: what is known about its matches. */
  constructor(tree: PatternTree, required: RequiredLiterals | null) {
    this.#tree = tree;
    this.#required = required;
  }

  get bytes(): number {
    const expressions = (this.#places?.count ?? 0) + (this.#start ? 1 : 0);
    return EXPRESSION_BYTES * expressions + (this.#automaton?.bytes ?? 0);
  }

  drop(): void {
    this.#automaton = undefined;
    this.#places = undefined;
    this.#start = undefined;
  }

  /**
   * Where the earliest-ending match in one of `parts` ends, or one character before; `null` if there is none. `text` is
   * well-formed; the parts are in order and cut no surrogate pair. Assertions see the text around a part, so what is found
   * is a match in the text. The guard pays for what is not in `searchFuel`; once it has refused, the answer has no meaning.
   */
  endIn(text: string, parts: readonly Span[] | null, guard: Guard | null): number | null {
    this.#automaton ??= new LazyAutomaton(writeProgram([this.#tree]).program, "go on");
    const automaton = this.#automaton;
    let isFound = false;
    if (parts === null) isFound = this.#isIn(text, automaton, guard);
    else {
      for (const { start, end } of parts) {
        isFound = automaton.match(text, start, end, guard)!.length > 0;
        if (isFound) break;
      }
    }
    automatonStore.use(this);
    return isFound ? automaton.foundAt : null;
  }

  /** Searches a whole text, only where the host finds a literal or the start of a match, as long as that is faster. */
  #isIn(text: string, automaton: LazyAutomaton, guard: Guard | null): boolean {
    const { length } = text;
    if (length < SOUGHT_UNITS_MIN || startsAtText(this.#tree)) {
      return automaton.match(text, 0, length, guard)!.length > 0;
    }
    const required = this.#required;
    if (required !== null && required.literals.length <= LITERALS_MAX) {
      return this.#isAroundLiteral(text, required, automaton, guard);
    }
    if (this.#start === undefined) {
      this.#start = startExpression(this.#tree);
      this.#unitsMax = measurePattern(this.#tree.root).unitsMax;
    }
    return this.#start === null
      ? automaton.match(text, 0, length, guard)!.length > 0
      : this.#isFromStart(text, this.#start, automaton, guard);
  }

  #isAroundLiteral(
    text: string,
    required: RequiredLiterals,
    automaton: LazyAutomaton,
    guard: Guard | null,
  ): boolean {
    this.#places ??= new Places(required.literals);
    const places = this.#places;
    places.start(text);
    let work = 0;
    for (let hit = places.first(); hit !== undefined; hit = places.first()) {
      const { start, end } = windowAround(text, hit, required);
      work += TRY_UNITS + end - start;
      const isOften = work > TRIES_MIN * TRY_UNITS + 2 * hit.end;
      const until = isOften ? text.length : end;
      if (automaton.match(text, start, until, guard)!.length > 0) return true;
      if (until === text.length) return false;
      // A window without a bound contains every match around any literal in it.
      const isLine = !Number.isFinite(required.unitsMax);
      places.pass(text, hit.start + 1, isLine ? end : 0);
    }
    return false;
  }

  #isFromStart(
    text: string,
    start: RegExp,
    automaton: LazyAutomaton,
    guard: Guard | null,
  ): boolean {
    const { length } = text;
    const first = start.source.split("]").length - 1;
    const tryUnits = TRY_UNITS + this.#unitsMax;
    let from = 0;
    for (let tries = 0; ; tries++) {
      start.lastIndex = from;
      if (!start.test(text)) return false;
      from = start.lastIndex - first;
      if ((tries - TRIES_MIN) * tryUnits >= from || tryUnits > length) break;
      // A match that starts here ends within `#unitsMax`.
      const to = offPair(text, from + this.#unitsMax, 1);
      if (automaton.match(text, from, to, guard)!.length > 0) return true;
      from = offPair(text, from + 1, 1);
    }
    return automaton.match(text, from, length, guard)!.length > 0;
  }
}
