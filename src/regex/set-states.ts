/** The states of a program that runs over a text: at which steps its patterns stand between two code units. */
import { ASSERT, ASSERTIONS, BRANCH, END, type SetProgram, TAKE } from "./set-program.ts";

/** What stands before a place: the text's start, a line feed, a letter, digit or `_`, anything else. */
type Before = "start" | "newline" | "word" | "other";

/** Where patterns stand after a code unit. */
export interface SetState {
  /** `TAKE` steps, and `ASSERT` steps that depend on the next unit; in order. */
  readonly steps: readonly number[];
  /** What was before, if any step asks. */
  readonly before: Before;
  /** Patterns whose end was reached with the unit before. */
  readonly matches: readonly number[];
}

const BEGIN_TEXT = ASSERTIONS.indexOf("begin-text");
const BEGIN_LINE = ASSERTIONS.indexOf("begin-line");
const WORD_BOUNDARY = ASSERTIONS.indexOf("word-boundary");

function sortUnique(numbers: readonly number[]): readonly number[] {
  return numbers.length === 0 ? [] : [...new Set(numbers)].sort((a, b) => a - b);
}

/** Moves from state to state. It stands in one; moving on allocates nothing. */
export class SetStepper {
  readonly #program: SetProgram;
  readonly #asksWord: boolean;
  readonly #steps: Int32Array;
  #count = 0;
  #before: Before = "start";
  /** Patterns that ended with the last move, some of them twice. */
  readonly matches: number[] = [];
  /** By step: in which round it was last come by. */
  readonly #reached: Int32Array;
  #round = 0;
  readonly #taken: Int32Array;
  /** Steps still to be followed; each branch adds two. */
  readonly #pending: Int32Array;

  constructor(program: SetProgram) {
    const { kinds, operands } = program;
    this.#program = program;
    this.#asksWord = kinds.some(
      (kind, step) => kind === ASSERT && operands[step]! >= WORD_BOUNDARY,
    );
    this.#steps = new Int32Array(kinds.length);
    this.#taken = new Int32Array(kinds.length);
    this.#reached = new Int32Array(kinds.length);
    this.#pending = new Int32Array(2 * kinds.length + 1);
  }

  /** Stands at the start of a text. */
  start(): void {
    this.matches.length = 0;
    this.#round++;
    this.#count = 0;
    this.#before = "start";
    for (const step of this.#program.starts) this.#enter(step);
  }

  load(state: SetState): void {
    this.#steps.set(state.steps);
    this.#count = state.steps.length;
    this.#before = state.before;
  }

  save(): SetState {
    const { kinds } = this.#program;
    const steps = Array.from(this.#steps.subarray(0, this.#count)).sort((a, b) => a - b);
    // After an assertion that looks ahead, any other may come.
    const asks = steps.some((step) => kinds[step] === ASSERT);
    const before = asks && (this.#before !== "word" || this.#asksWord) ? this.#before : "other";
    return { steps, before, matches: sortUnique(this.matches) };
  }

  /** Takes a unit of `unitClass`; `units.count` stands for the end of the text. */
  move(unitClass: number): void {
    const { isWord, isNewline, isHigh, starts, units } = this.#program;
    this.matches.length = 0;
    const taken = this.#take(unitClass);
    this.#count = 0;
    if (unitClass === units.count) return;
    this.#round++;
    this.#before =
      isWord[unitClass] === 1 ? "word" : isNewline[unitClass] === 1 ? "newline" : "other";
    for (let nth = 0; nth < taken; nth++) this.#enter(this.#taken[nth]!);
    // No match starts within a surrogate pair.
    if (isHigh[unitClass] === 1) return;
    for (const step of starts) this.#enter(step);
  }

  /** Fills `#taken` with what steps lead to over a unit, after the assertions that hold before it. */
  #take(unitClass: number): number {
    const { kinds, operands, nexts, units } = this.#program;
    const { count, members } = units;
    const reached = this.#reached;
    const pending = this.#pending;
    const round = ++this.#round;
    let taken = 0;
    for (let nth = 0; nth < this.#count; nth++) {
      pending[0] = this.#steps[nth]!;
      for (let left = 1; left > 0; ) {
        const step = pending[--left]!;
        if (step === 0 || reached[step] === round) continue;
        reached[step] = round;
        const operand = operands[step]!;
        const kind = kinds[step];
        if (kind === TAKE) {
          const takes = unitClass < count && members[operand * count + unitClass] === 1;
          if (takes) this.#taken[taken++] = nexts[step]!;
        } else if (kind === END) this.matches.push(operand);
        else {
          if (kind === BRANCH) pending[left++] = operand;
          if (kind === BRANCH || this.#holds(operand, unitClass)) pending[left++] = nexts[step]!;
        }
      }
    }
    return taken;
  }

  /** Whether an assertion holds before a unit. */
  #holds(assertion: number, unitClass: number): boolean {
    const { isWord, isNewline, units } = this.#program;
    const before = this.#before;
    const ended = unitClass === units.count;
    switch (ASSERTIONS[assertion]) {
      case "begin-text":
        return before === "start";
      case "begin-line":
        return before === "start" || before === "newline";
      case "end-text":
        return ended;
      case "end-line":
        return ended || isNewline[unitClass] === 1;
      default: {
        const boundary = (before === "word") !== (!ended && isWord[unitClass] === 1);
        return (assertion === WORD_BOUNDARY) === boundary;
      }
    }
  }

  /** Adds the steps from `first` on that wait for a unit. */
  #enter(first: number): void {
    const { kinds, operands, nexts } = this.#program;
    const reached = this.#reached;
    const pending = this.#pending;
    const round = this.#round;
    pending[0] = first;
    for (let left = 1; left > 0; ) {
      const step = pending[--left]!;
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
