/** The states of a program that runs over a text: the steps that its patterns have reached between two characters. */
import { textOfUnits } from "../../../base/text-of-units.ts";
import { ASSERT, ASSERTIONS, BRANCH, END, type SetProgram, TAKE } from "./set-program.ts";

/**
 * What comes before a place: the text's start, a line feed, a letter, digit or `_`, anything else. `nothing`: no match
 * starts at this place, because it is outside what is to be read.
 */
const BEFORE = ["start", "newline", "word", "other", "nothing"] as const;
type Before = (typeof BEFORE)[number];

/** The steps that patterns have reached after a character, without those that every match starts with there. */
export interface SetState {
  /**
   * `TAKE` steps, and `ASSERT` steps that depend on the next character; in order. They are the units of a string, which
   * takes a quarter of an array's memory, and serves as a key.
   */
  readonly steps: string;
  /** What came before, if any step depends on it. */
  readonly before: Before;
  /** Patterns whose end was reached with the character before. */
  readonly matches: readonly number[];
}

/** The state in which no pattern has reached any step. */
export const NOWHERE: SetState = { steps: "", before: "nothing", matches: [] };

/** The steps of all patterns that start at a place, by what comes before it. */
interface Starts {
  readonly steps: Uint16Array;
  readonly matches: readonly number[];
  /** The first `Before` with the same steps, unless one of them depends on it. */
  readonly alike: Before;
}

const NO_STARTS: Starts = { steps: new Uint16Array(0), matches: [], alike: "start" };

/** Octets of a stretch beyond the basic plane, with up to eight pages. */
const FAR_BYTES = 38;
/** Octets of a program and its stepper, for each step. */
const BYTES_PER_STEP = 27;

const BEGIN_TEXT = ASSERTIONS.indexOf("begin-text");
const BEGIN_LINE = ASSERTIONS.indexOf("begin-line");
const WORD_BOUNDARY = ASSERTIONS.indexOf("word-boundary");

function sortUnique(numbers: readonly number[]): readonly number[] {
  return numbers.length === 0 ? [] : [...new Set(numbers)].sort((a, b) => a - b);
}

/** Moves from state to state. It holds one state; moving allocates nothing. */
export class SetStepper {
  readonly #program: SetProgram;
  readonly #asksWord: boolean;
  readonly #steps: Uint16Array;
  #count = 0;
  #before: Before = "start";
  #starts: Partial<Record<Before, Starts>> = {};
  /** The same for the first place that is read. */
  readonly #firstStarts: Partial<Record<Before, Starts>>;
  /** Patterns that ended with the last move, some of them twice. */
  readonly matches: number[] = [];
  /** Steps that were visited or saved. */
  work = 0;
  /** By step: the round in which it was last visited. */
  readonly #reached: Int32Array;
  #round = 0;
  readonly #taken: Int32Array;
  /** Steps still to be followed; each branch adds two. */
  readonly #pending: Int32Array;

  /** `anchored`: whether matches start only at the first place that is read. */
  constructor(program: SetProgram, anchored: boolean) {
    const { kinds, operands } = program;
    this.#program = program;
    this.#asksWord = kinds.some(
      (kind, step) => kind === ASSERT && operands[step]! >= WORD_BOUNDARY,
    );
    this.#steps = new Uint16Array(kinds.length);
    this.#taken = new Int32Array(kinds.length);
    this.#reached = new Int32Array(kinds.length);
    this.#pending = new Int32Array(2 * kinds.length + 1);
    for (const before of BEFORE) this.#starts[before] = this.#startsAfter(before);
    this.#firstStarts = this.#starts;
    if (anchored) this.#starts = Object.fromEntries(BEFORE.map((before) => [before, NO_STARTS]));
  }

  /** Whether matches start only at the start of a text: then a state without steps leads to no match. */
  get startsAtText(): boolean {
    return (["newline", "word", "other"] as const).every((before) => {
      const { steps, matches } = this.#starts[before]!;
      return steps.length === 0 && matches.length === 0;
    });
  }

  /** Octets of its own arrays and of its program's. */
  get bytes(): number {
    const { kinds, classes } = this.#program;
    const { members, pages, farStarts } = classes;
    return (
      BYTES_PER_STEP * kinds.length +
      members.length +
      2 * pages.length +
      FAR_BYTES * farStarts.length
    );
  }

  /** Computed once: a set's patterns start at every place, and following them for each state would take most of the time. */
  #startsAfter(before: Before): Starts {
    this.#before = before;
    this.#count = 0;
    this.matches.length = 0;
    this.#round++;
    if (before !== "nothing") for (const step of this.#program.starts) this.#enter(step);
    const steps = this.#steps.slice(0, this.#count).sort();
    const matches = sortUnique(this.matches);
    const alike = this.#asks(steps)
      ? undefined
      : BEFORE.find((other) => `${this.#starts[other]?.steps}` === `${steps}`);
    if (alike === undefined) return { steps, matches, alike: before };
    return { steps: this.#starts[alike]!.steps, matches, alike };
  }

  #asks(steps: Uint16Array): boolean {
    const { kinds } = this.#program;
    // After an assertion that looks ahead, any other may come.
    return steps.some((step) => kinds[step] === ASSERT);
  }

  /** Sets the state to all patterns that start at a place. */
  #start(before: Before): void {
    const starts = this.#starts[before]!;
    this.#before = before;
    this.#steps.set(starts.steps);
    this.#count = starts.steps.length;
  }

  /** Sets the state at the start of a text, or after a character of `codeClass`, as the first place that is read. */
  start(codeClass: number | null): void {
    const { steps, matches } = this.#firstStarts[this.#beforeOf(codeClass)]!;
    this.#before = this.#beforeOf(codeClass);
    this.#steps.set(steps);
    this.#count = steps.length;
    this.matches.length = 0;
    this.matches.push(...matches);
  }

  /** What comes before a place: the text's start, or a character of `codeClass`. */
  #beforeOf(codeClass: number | null): Before {
    const { isWord, isNewline } = this.#program;
    if (codeClass === null) return "start";
    if (this.#asksWord && isWord[codeClass] === 1) return "word";
    return isNewline[codeClass] === 1 ? "newline" : "other";
  }

  load(state: SetState): void {
    this.#start(state.before);
    const { steps } = state;
    for (let nth = 0; nth < steps.length; nth++) {
      this.#steps[this.#count++] = steps.charCodeAt(nth);
    }
  }

  save(): SetState {
    const before = this.#before;
    const starts = this.#starts[before]!;
    const steps = this.#steps.subarray(starts.steps.length, this.#count).sort();
    const asks = starts.alike === before || this.#asks(steps);
    this.work += steps.length;
    return {
      steps: textOfUnits(steps),
      before: asks ? before : starts.alike,
      matches: sortUnique(this.matches),
    };
  }

  /** Reads a character of `codeClass`; `classes.count` is the end of the text. */
  move(codeClass: number): void {
    this.matches.length = 0;
    const taken = this.#take(codeClass);
    if (codeClass === this.#program.classes.count) {
      this.#start("nothing");
      return;
    }
    const round = ++this.#round;
    this.#start(this.#beforeOf(codeClass));
    const starts = this.#starts[this.#before]!;
    for (const step of starts.steps) this.#reached[step] = round;
    for (const pattern of starts.matches) this.matches.push(pattern);
    for (let nth = 0; nth < taken; nth++) this.#enter(this.#taken[nth]!);
  }

  /** Fills `#taken` with the steps behind a character, through the assertions that hold before it; returns their number. */
  #take(codeClass: number): number {
    const { kinds, operands, nexts, classes } = this.#program;
    const { count, members } = classes;
    const reached = this.#reached;
    const pending = this.#pending;
    const round = ++this.#round;
    let taken = 0;
    for (let nth = 0; nth < this.#count; nth++) {
      pending[0] = this.#steps[nth]!;
      for (let left = 1; left > 0; ) {
        const step = pending[--left]!;
        this.work++;
        if (step === 0 || reached[step] === round) continue;
        reached[step] = round;
        const operand = operands[step]!;
        const kind = kinds[step];
        if (kind === TAKE) {
          const takes = codeClass < count && members[operand * count + codeClass] === 1;
          if (takes) this.#taken[taken++] = nexts[step]!;
        } else if (kind === END) this.matches.push(operand);
        else {
          if (kind === BRANCH) pending[left++] = operand;
          if (kind === BRANCH || this.#holds(operand, codeClass)) pending[left++] = nexts[step]!;
        }
      }
    }
    return taken;
  }

  /** Whether an assertion holds before a character. */
  #holds(assertion: number, codeClass: number): boolean {
    const { isWord, isNewline, classes } = this.#program;
    const before = this.#before;
    const ended = codeClass === classes.count;
    switch (ASSERTIONS[assertion]) {
      case "begin-text":
        return before === "start";
      case "begin-line":
        return before === "start" || before === "newline";
      case "end-text":
        return ended;
      case "end-line":
        return ended || isNewline[codeClass] === 1;
      default: {
        const boundary = (before === "word") !== (!ended && isWord[codeClass] === 1);
        return (assertion === WORD_BOUNDARY) === boundary;
      }
    }
  }

  /** Adds the steps from `first` on that wait for a character. */
  #enter(first: number): void {
    const { kinds, operands, nexts } = this.#program;
    const reached = this.#reached;
    const pending = this.#pending;
    const round = this.#round;
    pending[0] = first;
    for (let left = 1; left > 0; ) {
      const step = pending[--left]!;
      this.work++;
      if (step === 0 || reached[step] === round) continue;
      reached[step] = round;
      const kind = kinds[step];
      const operand = operands[step]!;
      if (kind === TAKE) this.#steps[this.#count++] = step;
      else if (kind === END) this.matches.push(operand);
      else if (kind === BRANCH) {
        pending[left++] = operand;
        pending[left++] = nexts[step]!;
      } else if (operand !== BEGIN_TEXT && operand !== BEGIN_LINE) {
        this.#steps[this.#count++] = step;
      } else if (
        this.#before === "start" ||
        (operand === BEGIN_LINE && this.#before === "newline")
      ) {
        pending[left++] = nexts[step]!;
      }
    }
  }
}
