/** One pattern's own automaton: whether it occurs in a text, or in parts of one. */
import type { Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { measurePattern } from "../syntax/cost.ts";
import type { PatternTree } from "../syntax/pattern-tree.ts";
import { startsAtText } from "../syntax/required-literals.ts";
import { startExpression } from "../syntax/start-expression.ts";
import { automatonStore } from "./automaton-store.ts";
import { LazyAutomaton } from "./lazy-automaton.ts";
import { writeProgram } from "./set-program.ts";
import { offPair } from "./window.ts";

/** Texts in which the host looks for the start of a match first. */
const SOUGHT_UNITS_MIN = 256;
/** Starts that are looked at one by one, whatever lies between them, */
const TRIES_MIN = 16;
/** and units that a try takes the time of, beside those it reads: more tries must have passed as many. */
const TRY_UNITS = 48;

export class PatternSearch {
  readonly #tree: PatternTree;
  #automaton: LazyAutomaton | undefined;
  #start: RegExp | null | undefined;
  #unitsMax = 0;

  /** `tree` keeps to the caps on patterns. */
  constructor(tree: PatternTree) {
    this.#tree = tree;
  }

  get bytes(): number {
    return this.#automaton?.bytes ?? 0;
  }

  drop(): void {
    this.#automaton = undefined;
  }

  /**
   * Where the first match ends that ends in one of `parts`, which are in order and cut no surrogate pair, or one
   * character before; `null` if there is none. Assertions see what lies around: what is found is a match in the text.
   * `text` is well-formed. What it answers is worth nothing once the guard has refused, which pays for what is not in
   * `searchFuel`.
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

  /** In a whole text: from where the host first finds the start of a match, if that is sooner. */
  #isIn(text: string, automaton: LazyAutomaton, guard: Guard | null): boolean {
    const { length } = text;
    if (length < SOUGHT_UNITS_MIN) return automaton.match(text, 0, length, guard)!.length > 0;
    if (this.#start === undefined) {
      this.#start = startsAtText(this.#tree) ? null : startExpression(this.#tree);
      this.#unitsMax = measurePattern(this.#tree.root).unitsMax;
    }
    const start = this.#start;
    let from = 0;
    if (start !== null) {
      const first = start.source.split("]").length - 1;
      const tryUnits = TRY_UNITS + this.#unitsMax;
      for (let tries = 0; ; tries++) {
        start.lastIndex = from;
        if (!start.test(text)) return false;
        from = start.lastIndex - first;
        if ((tries - TRIES_MIN) * tryUnits >= from || tryUnits > length) break;
        // A match that starts here lies in reach of it.
        const to = offPair(text, from + this.#unitsMax, 1);
        if (automaton.match(text, from, to, guard)!.length > 0) return true;
        from = offPair(text, from + 1, 1);
      }
    }
    return automaton.match(text, from, length, guard)!.length > 0;
  }
}
