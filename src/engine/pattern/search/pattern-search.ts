/** One pattern's own automaton: whether it occurs in a text, or in parts of one. */
import type { Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import { measurePattern, type PatternCost } from "../syntax/cost.ts";
import type { PatternTree } from "../syntax/pattern-tree.ts";
import { type RequiredLiterals, startsAtText } from "../syntax/required-literals.ts";
import { type StartExpression, startExpression } from "../syntax/start-expression.ts";
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

/** What the start of a match must tell for the host to look for it. */
const START_BITS_MIN = 4;

/** A start that tells as much is looked for as soon as the literal is seen anywhere. */
const RARE_BITS = 16;

/** Octets that the host keeps for a regular expression, for each text that it finds. */
const EXPRESSION_BYTES = 4_096;

/** Whether the host finds every place of the literals: not that of U+FFFD, for which a lone surrogate may stand. */
function isSought({ literals }: RequiredLiterals): boolean {
  return literals.length <= LITERALS_MAX && !literals.some(({ text }) => text.includes("\ufffd"));
}

/** Whether a match begins with one of the literals. */
function isAtStart({ unitsBefore }: RequiredLiterals): boolean {
  return unitsBefore <= LIMITS.literalUnitsMax;
}

export class PatternSearch {
  readonly #tree: PatternTree;
  readonly #required: RequiredLiterals | null;
  #automaton: LazyAutomaton | undefined;
  #nextPlace: NextPlace | undefined;
  #start: StartExpression | null | undefined;
  #cost: PatternCost | undefined;

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
    const start = this.#startOf();
    const required = this.#required;
    if (required !== null && isSought(required) && (start === null || !isAtStart(required))) {
      const tries =
        start === null ? Number.POSITIVE_INFINITY : start.bits >= RARE_BITS ? 0 : TRIES_MIN;
      const found = this.#isAroundLiteral(text, required, automaton, guard, tries);
      if (found !== null) return found;
    }
    return start === null
      ? automaton.match(text, 0, length, guard)!.length > 0
      : this.#isFromStart(text, start.expression, automaton, guard);
  }

  #startOf(): StartExpression | null {
    if (this.#start === undefined) {
      const start = startExpression(this.#tree);
      this.#start = start !== null && start.bits >= START_BITS_MIN ? start : null;
      this.#cost = measurePattern(this.#tree.root);
    }
    return this.#start;
  }

  /** `null`: the literal has been tried at `triesMax` places, or at so many that the text is better searched otherwise. */
  #isAroundLiteral(
    text: string,
    required: RequiredLiterals,
    automaton: LazyAutomaton,
    guard: Guard | null,
    triesMax: number,
  ): boolean | null {
    const { literals } = required;
    this.#nextPlace ??= nextPlaceOf(literals);
    const lengths = literals.map((literal) => literal.text.length);
    // Which of them it is does not matter: the shortest has the widest window, the longest reaches farthest back.
    const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
    // A window without a bound contains every match around any literal in it.
    const isLine = !Number.isFinite(required.unitsMax);
    let work = 0;
    for (let at = this.#nextPlace(text, 0), tries = 0; at >= 0; tries++) {
      if (tries === triesMax) return null;
      const hit = { start: at, end: at + shortest };
      const { start, end } = windowAround(text, hit, required);
      work += TRY_UNITS + end - start;
      const isOften = work > TRIES_MIN * TRY_UNITS + 2 * hit.end;
      if (isOften && triesMax < Number.POSITIVE_INFINITY) return null;
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
    const { unitsMax, crossesLines } = this.#cost!;
    const { length } = text;
    let work = 0;
    for (let from = 0; ; ) {
      start.lastIndex = from;
      const found = start.exec(text);
      if (found === null) return false;
      const { index } = found;
      from = index + 1;
      // No match starts inside a surrogate pair.
      if (offPair(text, index, 1) !== index) continue;
      let to = offPair(text, Math.min(length, index + unitsMax), 1);
      if (!Number.isFinite(unitsMax) && !crossesLines) {
        const line = text.indexOf("\n", index);
        to = line < 0 ? length : line + 1;
      }
      work += TRY_UNITS + to - index;
      if (work > TRIES_MIN * TRY_UNITS + 2 * index) to = length;
      if (automaton.match(text, index, to, guard)!.length > 0) return true;
      if (to === length) return false;
    }
  }
}
