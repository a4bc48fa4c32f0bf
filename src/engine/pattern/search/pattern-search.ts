/** One pattern's own automaton: whether it occurs in a text, or in parts of one. */
import type { Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { measurePattern } from "../syntax/cost.ts";
import type { PatternTree } from "../syntax/pattern-tree.ts";
import { type RequiredLiterals, startsAtText } from "../syntax/required-literals.ts";
import { startExpression } from "../syntax/start-expression.ts";
import { automatonStore } from "./automaton-store.ts";
import { LazyAutomaton } from "./lazy-automaton.ts";
import { type NextPlace, nextPlaceOf } from "./literal-scanner.ts";
import { writeProgram } from "./set-program.ts";
import { offPair, windowAround } from "./window.ts";

/** In texts of so many units the host first looks for a literal, or for the start of a match. */
const SOUGHT_UNITS_MIN = 128;
/** So many literals the host finds faster than the automaton reads the text. */
const LITERALS_MAX = 32;
/** Places that are tried one by one, however close together they are. */
const TRIES_MIN = 4;
/** Units of text that cost as much as starting a try. Beyond `TRIES_MIN`, tries must have passed as much text as they cost. */
const TRY_UNITS = 48;

/** Octets that the host keeps for a regular expression, for each text that it finds. */
const EXPRESSION_BYTES = 4_096;

/** Whether the host finds every place of the literals: not that of U+FFFD, for which a lone surrogate may stand. */
function isSought({ literals }: RequiredLiterals): boolean {
  return literals.length <= LITERALS_MAX && !literals.some(({ text }) => text.includes("\ufffd"));
}

export class PatternSearch {
  readonly #tree: PatternTree;
  readonly #required: RequiredLiterals | null;
  #automaton: LazyAutomaton | undefined;
  #nextPlace: NextPlace | undefined;
  #start: RegExp | null | undefined;
  #unitsMax = 0;

  /** `tree` is within the caps on patterns; `required`: what is known about its matches. */
  constructor(tree: PatternTree, required: RequiredLiterals | null) {
    this.#tree = tree;
    this.#required = required;
  }

  get bytes(): number {
    const literals = this.#nextPlace ? this.#required!.literals.length : 0;
    return EXPRESSION_BYTES * (literals + (this.#start ? 1 : 0)) + (this.#automaton?.bytes ?? 0);
  }

  drop(): void {
    this.#automaton = undefined;
    this.#nextPlace = undefined;
    this.#start = undefined;
  }

  /**
   * Where the earliest-ending match in one of `parts` ends, or one character before; `null` if there is none. A lone
   * surrogate counts as U+FFFD; the parts are in order and cut no surrogate pair. Assertions see the text around a part, so what is found
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
    if (required !== null && isSought(required)) {
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
    const { literals } = required;
    this.#nextPlace ??= nextPlaceOf(literals);
    const lengths = literals.map((literal) => literal.text.length);
    // Which of them it is does not matter: the shortest has the widest window, the longest reaches farthest back.
    const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
    // A window without a bound contains every match around any literal in it.
    const isLine = !Number.isFinite(required.unitsMax);
    let work = 0;
    for (let at = this.#nextPlace(text, 0); at >= 0; ) {
      const hit = { start: at, end: at + shortest };
      const { start, end } = windowAround(text, hit, required);
      work += TRY_UNITS + end - start;
      const isOften = work > TRIES_MIN * TRY_UNITS + 2 * hit.end;
      const until = isOften ? text.length : end;
      if (automaton.match(text, start, until, guard)!.length > 0) return true;
      if (until === text.length) return false;
      at = this.#nextPlace(text, Math.max(at + 1, isLine ? end - longest : 0));
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
    const tryUnits = TRY_UNITS + this.#unitsMax;
    let from = 0;
    for (let tries = 0; ; tries++) {
      start.lastIndex = from;
      const found = start.exec(text);
      if (found === null) return false;
      from = found.index;
      if ((tries - TRIES_MIN) * tryUnits >= from || tryUnits > length) break;
      // A match that starts here ends within `#unitsMax`.
      const to = offPair(text, from + this.#unitsMax, 1);
      if (automaton.match(text, from, to, guard)!.length > 0) return true;
      from = offPair(text, from + 1, 1);
    }
    return automaton.match(text, from, length, guard)!.length > 0;
  }
}
