/** One pattern's own automaton: whether it occurs in a text, or in parts of one. */
import type { Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import { measurePattern, type PatternCost } from "../syntax/cost.ts";
import type { PatternTree } from "../syntax/pattern-tree.ts";
import { type RequiredLiterals, startsAtText } from "../syntax/required-literals.ts";
import { type StartExpression, startExpression } from "../syntax/start-expression.ts";
import { type AutomatonKeeper, automatonStore } from "./automaton-store.ts";
import { LazyAutomaton } from "./lazy-automaton.ts";
import { type NextPlace, nextPlaceOf } from "./literal-scanner.ts";
import { writeProgram } from "./set-program.ts";
import { offPair, windowAround } from "./window.ts";

/** In texts of so many units the host first looks for a literal, or for the start of a match. */
const SOUGHT_UNITS_MIN = 16;
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

const NOTHING_SOUGHT: HostSearch = { literal: null, start: null, bytes: 0 };

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

/** Looking for a literal of every match. */
interface LiteralSearch {
  readonly nextPlace: NextPlace;
  readonly required: RequiredLiterals;
  /** Which of them is found does not matter: the shortest has the widest window, the longest reaches farthest back. */
  readonly shortest: number;
  readonly longest: number;
  /** Places that are tried before the text is searched otherwise. */
  readonly triesMax: number;
}

/** What the host looks for in a whole text before the automaton reads it. */
interface HostSearch {
  readonly literal: LiteralSearch | null;
  readonly start: RegExp | null;
  /** Octets that the host keeps for its expressions. */
  readonly bytes: number;
}

function literalSearch(
  required: RequiredLiterals,
  start: StartExpression | null,
): LiteralSearch | null {
  if (!isSought(required) || (start !== null && isAtStart(required))) return null;
  const lengths = required.literals.map(({ text }) => text.length);
  return {
    nextPlace: nextPlaceOf(required.literals),
    required,
    shortest: Math.min(...lengths),
    longest: Math.max(...lengths),
    triesMax: start === null ? Number.POSITIVE_INFINITY : start.bits >= RARE_BITS ? 0 : TRIES_MIN,
  };
}

function hostSearch(tree: PatternTree, required: RequiredLiterals | null): HostSearch | null {
  if (startsAtText(tree)) return null;
  const found = startExpression(tree);
  const start = found !== null && found.bits >= START_BITS_MIN ? found : null;
  const literal = required === null ? null : literalSearch(required, start);
  const expressions = (literal?.required.literals.length ?? 0) + (start === null ? 0 : 1);
  if (expressions === 0) return null;
  return { literal, start: start?.expression ?? null, bytes: EXPRESSION_BYTES * expressions };
}

export class PatternSearch implements AutomatonKeeper {
  countedBytes = -1;
  readonly #tree: PatternTree;
  readonly #required: RequiredLiterals | null;
  #automaton: LazyAutomaton | undefined;
  #host: HostSearch | null | undefined;
  #cost: PatternCost | undefined;

  /** `tree` is within the caps on patterns; `required`: what is known about its matches. */
  constructor(tree: PatternTree, required: RequiredLiterals | null) {
    this.#tree = tree;
    this.#required = required;
  }

  get bytes(): number {
    return (this.#host?.bytes ?? 0) + (this.#automaton?.bytes ?? 0);
  }

  drop(): void {
    this.#automaton = undefined;
    this.#host = undefined;
  }

  /**
   * Where the earliest-ending match in one of `parts` ends, or one character before; `null` if there is none. A lone
   * surrogate counts as U+FFFD; the parts are in order and cut no surrogate pair. Assertions see the text around a part, so what is found
   * is a match in the text. The guard pays for what is not in `searchFuel`; once it has refused, the answer has no meaning.
   */
  endIn(text: string, parts: readonly Span[] | null, guard: Guard | null): number | null {
    if (parts === null) return this.#endInWhole(text, guard);
    for (const { start, end } of parts)
      if (this.#runs(text, start, end, guard)) return this.#foundAt;
    return null;
  }

  /** Searches a whole text, only where the host finds a literal or the start of a match, as long as that is faster. */
  #endInWhole(text: string, guard: Guard | null): number | null {
    if (this.#host === undefined && text.length >= SOUGHT_UNITS_MIN) {
      this.#host = hostSearch(this.#tree, this.#required);
      automatonStore.use(this);
    }
    const host = text.length >= SOUGHT_UNITS_MIN ? this.#host : null;
    const { literal, start } = host ?? NOTHING_SOUGHT;
    let isFound = literal === null ? null : this.#isAroundLiteral(text, literal, guard);
    isFound ??=
      start === null
        ? this.#runs(text, 0, text.length, guard)
        : this.#isFromStart(text, start, guard);
    return isFound ? this.#foundAt : null;
  }

  get #foundAt(): number {
    return this.#automaton!.foundAt;
  }

  /** Whether the automaton finds a match in a part of the text. */
  #runs(text: string, from: number, to: number, guard: Guard | null): boolean {
    this.#automaton ??= new LazyAutomaton(writeProgram([this.#tree]).program, "go on");
    const isFound = this.#automaton.match(text, from, to, guard)!.length > 0;
    automatonStore.use(this);
    return isFound;
  }

  /** `null`: the literal has been tried at `triesMax` places, or at so many that the text is better searched otherwise. */
  #isAroundLiteral(text: string, sought: LiteralSearch, guard: Guard | null): boolean | null {
    const { nextPlace, required, shortest, longest, triesMax } = sought;
    // A window without a bound contains every match around any literal in it.
    const isLine = !Number.isFinite(required.unitsMax);
    let work = 0;
    for (let at = nextPlace(text, 0), tries = 0; at >= 0; tries++) {
      if (tries === triesMax) return null;
      const hit = { start: at, end: at + shortest };
      const { start, end } = windowAround(text, hit, required);
      work += TRY_UNITS + end - start;
      const isOften = work > TRIES_MIN * TRY_UNITS + 2 * hit.end;
      if (isOften && triesMax < Number.POSITIVE_INFINITY) return null;
      const until = isOften ? text.length : end;
      if (this.#runs(text, start, until, guard)) return true;
      if (until === text.length) return false;
      at = nextPlace(text, Math.max(at + 1, isLine ? end - longest : 0));
    }
    return false;
  }

  #isFromStart(text: string, start: RegExp, guard: Guard | null): boolean {
    this.#cost ??= measurePattern(this.#tree.root);
    const { unitsMax, crossesLines } = this.#cost;
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
      if (this.#runs(text, index, to, guard)) return true;
      if (to === length) return false;
    }
  }
}
