/** A deterministic automaton for one pattern or many, whose states are made as texts need them. */
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import { classAt, unitsAt } from "../syntax/code-classes.ts";
import type { SetProgram } from "./set-program.ts";
import { NOWHERE, type SetState, SetStepper } from "./set-states.ts";

const ROWS_AT_FIRST = 16;

/**
 * Units that a full table must have read for each of its states; with fewer, making states takes longer than reading. A set then
 * stops, because smaller sets need fewer states; a single pattern goes on without a table.
 */
const UNITS_PER_STATE = { stop: 500, "go on": 20 } as const;

/** States kept for a pattern that once had too many to be worth keeping: a host has thousands of patterns, and a full table takes a megabyte. */
const CROWDED_STATES = 256;

/** Units of work of making a state, and one more for each step that is visited. Measured 3 µs and more. */
const STATE_FUEL = 200;
/** `searchFuel` includes so many states, at most one for each unit; each further state is paid for separately. */
const STATES_PAID = 128;
/** Steps for each pattern of a set that the price of such a state includes. Counts such as `.{0,200}` need more; they are paid for separately. */
const STEPS_PAID = 4;

/**
 * Units of work of searching `units` code units with an empty automaton that can be at `places` places at once. They are
 * charged even if its states are already made, so that the cost of a message does not depend on earlier messages. A
 * text that needs more states pays for these in addition.
 */
export function searchFuel(units: number, places: number): number {
  return units + 1 + Math.min(units, STATES_PAID) * (STATE_FUEL + places);
}

/** Octets of a state besides its steps. */
const STATE_BYTES = 256;

export class LazyAutomaton {
  readonly #program: SetProgram;
  readonly #stepper: SetStepper;
  readonly #width: number;
  readonly #whenCrowded: "stop" | "go on";
  #statesMax: number;
  /** Octets of the states that are kept. */
  #bytes = 0;
  /** Units that earlier runs have read with the states of the table. */
  #servedBefore = 0;
  /** The offset from which on this run's units count as read with these states. */
  #servedFrom = 0;
  /** Patterns that the run has found, and by pattern: 1 if it is among them. */
  #found: number[] = [];
  readonly #isFound: Uint8Array;
  #foundAt = 0;
  #endsSearch: ((pattern: number) => boolean) | undefined;
  /** The offset of the character at which the last run ended. */
  #endedAt = 0;
  /** The number of the run's current state, times width. */
  #row = 0;
  #guard: Guard | null = null;
  readonly #startsAtText: boolean;
  /** Whether the run is in a state where no match is under way, and none can start, or nothing else needs to be found. */
  #isDone = false;
  /** States made in the run. */
  #made = 0;
  /** Transitions that all runs have added to the table. */
  transitionsMade = 0;
  /** Rows of the states at the start of a text, and within one when nothing has been read; 0 if not known yet. */
  #startRow = 0;
  #nowhereRow = 0;
  readonly #isAnchored: boolean;
  /** Steps that `searchFuel` pays for in each state. */
  readonly #workPaid: number;
  /** If matches start only at the first place: the rows of the states there, by the class of the character before, */
  #firstRows: number[] = [];
  /** and the row of the state from which none is reached; 0 if not known yet. */
  #deadRow = 0;
  #states: SetState[] = [];
  #numbers = new Map<string, number>();
  /**
   * By state times width plus class: 0 if not known yet, else the target's number times width; negative if it has
   * matches, or is dead. No target has number 0. The class of a text's end comes after all others, then the class of surrogate
   * halves, whose entries stay 0.
   */
  #table = new Int32Array(0);

  /** `whenCrowded`: what to do when there are more states than are worth keeping; `anchor`: where in what is read matches may start. */
  constructor(
    program: SetProgram,
    whenCrowded: "stop" | "go on" = program.starts.length > 1 ? "stop" : "go on",
    anchor: "anywhere" | "first place" = "anywhere",
  ) {
    this.#isAnchored = anchor === "first place";
    const patterns = program.starts.length;
    this.#workPaid = patterns > 1 ? STEPS_PAID * patterns : Number.POSITIVE_INFINITY;
    this.#program = program;
    this.#whenCrowded = whenCrowded;
    this.#stepper = new SetStepper(program, this.#isAnchored);
    this.#startsAtText = this.#stepper.startsAtText;
    this.#width = program.classes.count + 2;
    this.#statesMax = Math.min(
      LIMITS.setStatesMax,
      Math.max(ROWS_AT_FIRST, Math.floor(LIMITS.setTableMax / this.#width)),
    );
    this.#isFound = new Uint8Array(program.starts.length);
    this.empty();
  }

  /** Drops all states. */
  empty(): void {
    this.#states = [NOWHERE];
    this.#numbers = new Map();
    this.#table = new Int32Array(ROWS_AT_FIRST * this.#width);
    this.#bytes = 0;
    this.#startRow = 0;
    this.#nowhereRow = 0;
    this.#firstRows = [];
    this.#deadRow = 0;
  }

  /** Octets of what it keeps, its program included. */
  get bytes(): number {
    return this.#bytes + 4 * this.#table.length + this.#stepper.bytes;
  }

  /** The number of a state; makes room for it if it is new. */
  #numberOf(state: SetState): number {
    const key = `${state.steps}|${state.before}|${state.matches.join()}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#states.push(state) - 1;
    this.#numbers.set(key, number);
    this.#bytes += STATE_BYTES + 4 * state.steps.length + 8 * state.matches.length;
    if ((number + 1) * this.#width > this.#table.length) {
      const larger = new Int32Array(this.#table.length * 2);
      larger.set(this.#table);
      this.#table = larger;
    }
    return number;
  }

  #note(matches: readonly number[], at: number): void {
    for (const pattern of matches) {
      if (this.#isFound[pattern] === 1) continue;
      this.#isFound[pattern] = 1;
      this.#found.push(pattern);
      this.#foundAt = at;
      if (this.#endsSearch?.(pattern) === true) this.#isDone = true;
    }
  }

  /** The offset of the character at which the last run found its last pattern: the match ends before or after it. */
  get foundAt(): number {
    return this.#foundAt;
  }

  /** The offset at which the last run ended: nothing that comes later could be found. */
  get endedAt(): number {
    return this.#endedAt;
  }

  /** Whether all patterns have been found, no other can be, or the budget is spent. */
  get #isSettled(): boolean {
    if (this.#isDone || this.#found.length === this.#isFound.length) return true;
    return this.#guard?.isSpent === true;
  }

  /** Notes that the run reaches a state. Returns whether the state has matches or is dead. */
  #arrive({ matches, steps }: SetState, at: number): boolean {
    this.#note(matches, at);
    if (steps === "" && this.#startsAtText) this.#isDone = true;
    return matches.length > 0 || this.#isDone;
  }

  get #isFull(): boolean {
    return this.#states.length >= this.#statesMax || this.#bytes > LIMITS.automatonBytesMax;
  }

  /** Follows an entry that is not known yet, or that leads to matches; `undefined` if states are not worth keeping. */
  #follow(row: number, codeClass: number, at: number): number | undefined {
    const entry = this.#table[row + codeClass]!;
    if (entry > 0) return entry;
    if (entry !== 0) {
      this.#arrive(this.#states[-entry / this.#width]!, at);
      return -entry;
    }
    let from = row / this.#width;
    if (this.#isFull) {
      const unitsMin = this.#states.length * UNITS_PER_STATE[this.#whenCrowded];
      if (this.#servedBefore + at - this.#servedFrom < unitsMin) return undefined;
      const state = this.#states[from]!;
      this.empty();
      this.#servedBefore = 0;
      this.#servedFrom = at;
      from = this.#numberOf(state);
    }
    const stepper = this.#stepper;
    stepper.work = 0;
    stepper.load(this.#states[from]!);
    stepper.move(codeClass);
    const state = stepper.save();
    this.transitionsMade++;
    if (++this.#made > STATES_PAID) this.#guard?.take(STATE_FUEL + stepper.work);
    else if (stepper.work > this.#workPaid) this.#guard?.take(stepper.work);
    const target = this.#numberOf(state) * this.#width;
    this.#table[from * this.#width + codeClass] = this.#arrive(state, at) ? -target : target;
    if (this.#isAnchored && state.steps === "" && state.matches.length === 0)
      this.#deadRow = target;
    return target;
  }

  /** Reads on to `until` without the table: every active step is followed for each character. */
  #followPlainly(text: string, from: SetState, at: number, until: number): void {
    const stepper = this.#stepper;
    stepper.load(from);
    for (let place = at; place < until && !this.#isSettled; place += unitsAt(text, place)) {
      stepper.work = 0;
      stepper.move(classAt(this.#program.classes, text, place));
      this.#guard?.take(1 + stepper.work);
      if (stepper.matches.length > 0) this.#note(stepper.matches, place);
    }
    if (until < text.length || this.#isSettled) return;
    stepper.move(this.#program.classes.count);
    this.#note(stepper.matches, until);
  }

  /** Moves `#row` over units as long as entries are known and without matches; returns where it stopped. */
  #skim(text: string, from: number, until: number): number {
    const table = this.#table;
    const { pages, pageStarts } = this.#program.classes;
    let row = this.#row;
    let at = from;
    for (; at < until; at++) {
      const unit = text.charCodeAt(at);
      const entry = table[row + pages[pageStarts[unit >> 8]! + (unit & 0xff)]!]!;
      if (entry <= 0) break;
      row = entry;
    }
    this.#row = row;
    return at;
  }

  /** As `#skim`, over surrogates, whose entries are found by their character. */
  #skimPairs(text: string, from: number, until: number): number {
    const { classes } = this.#program;
    let at = from;
    while (at < until && (text.charCodeAt(at) & 0xf800) === 0xd800) {
      const entry = this.#table[this.#row + classAt(classes, text, at)]!;
      if (entry <= 0) break;
      this.#row = entry;
      at += unitsAt(text, at);
    }
    return at;
  }

  /** Reads the units from `from` to `until`; returns where it stopped if states are not worth keeping. */
  #read(text: string, from: number, until: number): number | undefined {
    for (let at = from; ; at += unitsAt(text, at)) {
      for (let skimmed = -1; skimmed !== at; ) {
        skimmed = this.#skim(text, at, until);
        at = this.#skimPairs(text, skimmed, until);
      }
      if (at >= until) return undefined;
      const next = this.#follow(this.#row, classAt(this.#program.classes, text, at), at);
      if (next === undefined) return at;
      if (this.#isSettled) {
        this.#endedAt = at;
        return undefined;
      }
      this.#row = next;
    }
  }

  /** Sets the state before the character at `from`; returns the first unit to read. */
  #begin(text: string, from: number): number {
    if (from === 0) {
      if (this.#startRow === 0) this.#startRow = this.#firstRow(null);
      this.#row = this.#startRow;
    } else {
      // The state depends on the previous character alone.
      const before = from - (from > 1 ? unitsAt(text, from - 2) : 1);
      if (!this.#isAnchored) {
        this.#nowhereRow ||= this.#numberOf(NOWHERE) * this.#width;
        this.#row = this.#nowhereRow;
        return before;
      }
      const codeClass = classAt(this.#program.classes, text, before);
      this.#firstRows[codeClass] ??= this.#firstRow(codeClass);
      this.#row = this.#firstRows[codeClass];
    }
    const state = this.#states[this.#row / this.#width]!;
    if (this.#isAnchored) this.#arrive(state, from);
    else this.#note(state.matches, from);
    return from;
  }

  /** The row of the state at the first place, after a character of `codeClass` or at the start of a text. */
  #firstRow(codeClass: number | null): number {
    this.#stepper.start(codeClass);
    return this.#numberOf(this.#stepper.save()) * this.#width;
  }

  /** Reads the end of the text. */
  #end(text: string): void {
    const { count } = this.#program.classes;
    if (this.#follow(this.#row, count, text.length) !== undefined) return;
    this.#followPlainly(text, this.#states[this.#row / this.#width]!, text.length, text.length);
  }

  /** Reads from `first` to `until`; false if that makes more states than are worth keeping. */
  #run(text: string, first: number, until: number): boolean {
    this.#servedFrom = first;
    this.#endedAt = until;
    const stopped = this.#isSettled ? undefined : this.#read(text, first, until);
    this.#servedBefore += until - this.#servedFrom;
    if (stopped !== undefined) {
      if (this.#whenCrowded === "stop") return false;
      const state = this.#states[this.#row / this.#width]!;
      this.#statesMax = Math.min(this.#statesMax, CROWDED_STATES);
      this.empty();
      this.#servedBefore = 0;
      this.#followPlainly(text, state, stopped, until);
    } else if (until === text.length && !this.#isSettled) this.#end(text);
    return true;
  }

  /**
   * Whether the states that are made already tell that no match starts at `from`, which is not at the start of the text; only if matches
   * start at the first place. It takes less than `match`, and most places need no more.
   */
  isKnownToMiss(text: string, from: number): boolean {
    const table = this.#table;
    const { pages, pageStarts } = this.#program.classes;
    const before = text.charCodeAt(from - 1);
    let row = this.#firstRows[pages[pageStarts[before >> 8]! + (before & 0xff)]!] ?? 0;
    if (row === 0) return false;
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const entry = table[row + pages[pageStarts[unit >> 8]! + (unit & 0xff)]!]!;
      if (entry > 0) row = entry;
      else {
        this.#endedAt = at;
        return entry !== 0 && -entry === this.#deadRow;
      }
    }
    return false;
  }

  /**
   * Which patterns of the program match within the units from `from` to `to` of `text`, which is not cut within a pair
   * (a lone surrogate counts as U+FFFD): their numbers, in no order. Assertions see the text around these units, and matches that reach
   * out of them may be found too. Undefined if it stopped because it had too many states: many patterns are then
   * better tried apart. The run may end with a pattern for which `endsSearch`. The guard pays for what is not in `searchFuel`; once it has refused, the answer has no meaning.
   */
  match(
    text: string,
    from: number = 0,
    to: number = text.length,
    guard: Guard | null = null,
    endsSearch?: (pattern: number) => boolean,
  ): readonly number[] | undefined {
    if (this.#found.length > 0) {
      this.#found = [];
      this.#isFound.fill(0);
    }
    this.#guard = guard;
    this.#endsSearch = endsSearch;
    this.#made = 0;
    this.#isDone = false;
    const first = this.#begin(text, from);
    // Reads one character more, for assertions at the end.
    const until = to < text.length ? to + unitsAt(text, to) : to;
    const isRead = this.#run(text, first, until);
    this.#guard = null;
    this.#endsSearch = undefined;
    return isRead ? this.#found : undefined;
  }
}
