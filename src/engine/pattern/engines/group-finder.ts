/** Finds what the groups of a pattern hold: all ways through it at once, the preferred one first (Pike's machine). */
import type { Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import {
  ASSERT,
  ASSERTIONS,
  BRANCH,
  END,
  SAVE,
  type SetProgram,
  writeProgram,
} from "../search/set-program.ts";
import { classAt, unitsAt } from "../syntax/code-classes.ts";
import { groupFuel } from "../syntax/cost.ts";
import type { AssertionKind, PatternTree } from "../syntax/pattern-tree.ts";
import type { PatternMatch } from "./pattern-engine.ts";

/** No character: the place is at the start or the end of the text. */
const NO_CLASS = -1;
const UNSET = -1;

/** What was read is paid for after so many units, or so many ways. */
const UNITS_PAID = 256;
const WAYS_PAID = 4_096;

/** Octets of a step, besides the places that are noted on the way to it. */
const BYTES_PER_STEP = 40;

const bitOf = (assertion: AssertionKind): number => 1 << ASSERTIONS.indexOf(assertion);
const WORD_BOUNDARY = bitOf("word-boundary");
const NOT_WORD_BOUNDARY = bitOf("not-word-boundary");
const BEGIN_LINE = bitOf("begin-line");
const BEGIN_TEXT = bitOf("begin-text") | BEGIN_LINE;
const END_LINE = bitOf("end-line");
const END_TEXT = bitOf("end-text") | END_LINE;

/** Fewer numbers are copied one by one: a call of the host takes as long. */
const COPIED_MIN = 32;

/** Copies as many numbers as the shorter array has. */
function copy(from: Int32Array, fromAt: number, to: Int32Array, toAt: number): void {
  const count = Math.min(from.length, to.length);
  if (count >= COPIED_MIN) to.set(from.subarray(fromAt, fromAt + count), toAt);
  else for (let nth = 0; nth < count; nth++) to[toAt + nth] = from[fromAt + nth]!;
}

/** The steps that wait for a character at one place, the preferred one first. */
interface Waiting {
  readonly steps: Int32Array;
  /** By step: the places noted on the way to it. */
  readonly places: Int32Array;
  count: number;
}

export class GroupFinder {
  readonly #program: SetProgram;
  readonly #slots: number;
  #here: Waiting;
  #next: Waiting;
  /** By step: the round in which it was last reached. Those that a preferred way has reached are not reached again. */
  readonly #rounds: Int32Array;
  #round = 0;
  /** Steps reached since the last payment. */
  #ways = 0;
  /** Places noted on the way that is followed. */
  readonly #places: Int32Array;
  /** Steps to follow; `~slot` and the place before, to be put back. */
  readonly #pending: Int32Array;

  /** `tree` is within the caps on patterns. */
  constructor(tree: PatternTree) {
    this.#program = writeProgram([tree], "noted").program();
    const steps = this.#program.kinds.length;
    const slots = 2 * (tree.captureStarts.length + 1);
    const waiting = (): Waiting => ({
      steps: new Int32Array(steps),
      places: new Int32Array(steps * slots),
      count: 0,
    });
    this.#slots = slots;
    this.#here = waiting();
    this.#next = waiting();
    this.#rounds = new Int32Array(steps);
    this.#places = new Int32Array(slots);
    this.#pending = new Int32Array(3 * steps + 3);
  }

  /** Octets that it keeps. */
  get bytes(): number {
    const { kinds, classes } = this.#program;
    const steps = kinds.length * (BYTES_PER_STEP + 8 * this.#slots);
    return steps + classes.members.length + 2 * classes.pages.length;
  }

  /** The assertions that hold between two characters. */
  #assertions(before: number, after: number): number {
    const { isWord, isNewline } = this.#program;
    const isWordBefore = before !== NO_CLASS && isWord[before] === 1;
    const isWordAfter = after !== NO_CLASS && isWord[after] === 1;
    let held = isWordBefore === isWordAfter ? NOT_WORD_BOUNDARY : WORD_BOUNDARY;
    if (before === NO_CLASS) held |= BEGIN_TEXT;
    else if (isNewline[before] === 1) held |= BEGIN_LINE;
    if (after === NO_CLASS) held |= END_TEXT;
    else if (isNewline[after] === 1) held |= END_LINE;
    return held;
  }

  /** Adds the steps that wait for a character behind `first`, with the places noted so far. */
  #follow(into: Waiting, first: number, at: number, assertions: number): void {
    const { kinds, operands, nexts } = this.#program;
    const places = this.#places;
    const pending = this.#pending;
    const rounds = this.#rounds;
    const round = this.#round;
    let left = 0;
    pending[left++] = first;
    while (left > 0) {
      const step = pending[--left]!;
      if (step < 0) {
        places[~step] = pending[--left]!;
        continue;
      }
      if (step === 0 || rounds[step] === round) continue;
      rounds[step] = round;
      this.#ways++;
      const operand = operands[step]!;
      switch (kinds[step]) {
        case BRANCH:
          pending[left++] = nexts[step]!;
          pending[left++] = operand;
          break;
        case ASSERT:
          if (((assertions >>> operand) & 1) === 1) pending[left++] = nexts[step]!;
          break;
        case SAVE:
          pending[left++] = places[operand]!;
          pending[left++] = ~operand;
          places[operand] = at;
          pending[left++] = nexts[step]!;
          break;
        default:
          into.steps[into.count++] = step;
          copy(places, 0, into.places, step * places.length);
      }
    }
  }

  /** Takes the character of class `taken` that ends at `at`. Returns the step of a match that ends before it; 0 if there is none. */
  #take(taken: number, at: number, assertions: number): number {
    const { kinds, operands, nexts, classes } = this.#program;
    const { count, members } = classes;
    const here = this.#here;
    for (let nth = 0; nth < here.count; nth++) {
      const step = here.steps[nth]!;
      if (kinds[step] === END) return step;
      if (taken === NO_CLASS || members[operands[step]! * count + taken] === 0) continue;
      copy(here.places, step * this.#slots, this.#places, 0);
      this.#follow(this.#next, nexts[step]!, at, assertions);
    }
    return 0;
  }

  /**
   * The leftmost-first match in `text`, which is well-formed; `null` if there is none. The match is known to lie in
   * `part`, which cuts no surrogate pair; assertions see the text around it. The guard pays for what is read; once it has refused, the
   * answer has no meaning.
   */
  find(text: string, { start, end }: Span, guard: Guard | null): PatternMatch | null {
    const { classes, starts } = this.#program;
    const classOf = (at: number): number =>
      at < text.length ? classAt(classes, text, at) : NO_CLASS;
    const before = start - (start > 1 ? unitsAt(text, start - 2) : 1);
    let after = classOf(start);
    let assertions = this.#assertions(start === 0 ? NO_CLASS : classOf(before), after);
    let found: Int32Array | undefined;
    let paidUntil = start;
    const pays = (until: number): boolean => {
      const fuel = groupFuel(until - paidUntil, this.#ways, this.#slots / 2 - 1);
      paidUntil = until;
      this.#ways = 0;
      return guard?.take(fuel) !== false;
    };
    this.#here.count = 0;
    this.#ways = 0;
    this.#round++;
    for (let at = start; ; ) {
      if (at - paidUntil >= UNITS_PAID || this.#ways >= WAYS_PAID) if (!pays(at)) return null;
      if (found === undefined) {
        this.#places.fill(UNSET);
        this.#places[0] = at;
        this.#follow(this.#here, starts[0]!, at, assertions);
      }
      if (this.#here.count === 0 && found !== undefined) {
        if (!pays(at)) return null;
        break;
      }
      const next = at < text.length ? at + unitsAt(text, at) : at;
      const taken = after;
      after = classOf(next);
      assertions = this.#assertions(taken, after);
      this.#next.count = 0;
      this.#round++;
      const ended = this.#take(taken, next, assertions);
      if (ended > 0) {
        found = this.#here.places.slice(ended * this.#slots, (ended + 1) * this.#slots);
        found[1] = at;
      }
      if (at >= end) {
        if (!pays(at + 1)) return null;
        break;
      }
      [this.#here, this.#next] = [this.#next, this.#here];
      at = next;
    }
    return found === undefined ? null : matchOf(text, found);
  }
}

function matchOf(text: string, places: Int32Array): PatternMatch {
  const groups: (string | undefined)[] = [];
  for (let slot = 0; slot < places.length; slot += 2) {
    const [start, end] = [places[slot]!, places[slot + 1]!];
    groups.push(start < 0 || end < 0 ? undefined : text.slice(start, end));
  }
  return { start: places[0]!, end: places[1]!, groups };
}
