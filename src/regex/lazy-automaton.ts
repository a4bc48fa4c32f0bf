/** A deterministic automaton for many patterns, whose states are made as texts ask for them. */
import { LIMITS } from "../base/limits.ts";
import { readAscii } from "./ascii-chunk.ts";
import type { SetProgram } from "./set-program.ts";
import { NOWHERE, type SetState, SetStepper } from "./set-states.ts";

const CHUNK_UNITS = 4096;
const ROWS_AT_FIRST = 16;

/** Where a chunk is written: one for all automata, as no run is interrupted by another. */
const bytes: Uint8Array = new Uint8Array(CHUNK_UNITS);

/**
 * Units that texts must have brought for each state when the table is full: below that, states are made more often
 * than met again. Many patterns are then better apart; one alone goes on without a table when there are even fewer.
 */
const UNITS_PER_STATE = { stop: 50, "go on": 20 } as const;

/** States of one pattern that once had more than were worth keeping: a host has thousands, and all take a megabyte. */
const CROWDED_STATES = 256;

/** Shorter stretches are read unit by unit: a call of the encoder costs as much as a hundred units. */
const ENCODED_UNITS_MIN = 128;

export class LazyAutomaton {
  readonly #program: SetProgram;
  readonly #stepper: SetStepper;
  readonly #width: number;
  readonly #whenCrowded: "stop" | "go on";
  #statesMax: number;
  #gaveUp = false;
  /** Units that the states of the table have served in runs before this one. */
  #servedBefore = 0;
  /** From where on units of the run count. */
  #servedFrom = 0;
  /** Patterns that the run has found, and by pattern: 1 if it is among them. */
  #found: number[] = [];
  readonly #isFound: Uint8Array;
  #foundAt = 0;
  /** The number of the state of the run, times width. */
  #row = 0;
  /** Rows of the states at the start of a text, and within one when nothing has been read; 0 if not known yet. */
  #startRow = 0;
  #nowhereRow = 0;
  #states: SetState[] = [];
  #numbers = new Map<string, number>();
  /**
   * By state times width plus class: 0 if not known yet, else the target's number times width; negative if it has
   * matches. State 0 is none.
   */
  #table = new Int32Array(0);

  /** `whenCrowded`: what to do when there are more states than are worth keeping. */
  constructor(
    program: SetProgram,
    whenCrowded: "stop" | "go on" = program.starts.length > 1 ? "stop" : "go on",
  ) {
    this.#program = program;
    this.#whenCrowded = whenCrowded;
    this.#stepper = new SetStepper(program);
    this.#width = program.units.count + 1;
    this.#statesMax = Math.min(
      LIMITS.setStatesMax,
      Math.max(ROWS_AT_FIRST, Math.floor(LIMITS.setTableMax / this.#width)),
    );
    this.#isFound = new Uint8Array(program.starts.length);
    this.#empty();
  }

  #empty(): void {
    this.#states = [NOWHERE];
    this.#numbers = new Map();
    this.#table = new Int32Array(ROWS_AT_FIRST * this.#width);
    this.#startRow = 0;
    this.#nowhereRow = 0;
  }

  /** Whether runs asked for more than so many states. */
  hasMoreStates(count: number): boolean {
    return this.#gaveUp || this.#states.length > count;
  }

  /** The number of a state; makes room for it if it is new. */
  #numberOf(state: SetState): number {
    const key = `${state.steps}|${state.before}|${state.matches.join()}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#states.push(state) - 1;
    this.#numbers.set(key, number);
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
    }
  }

  /** Where the unit stands with which the last run found the last pattern: the match ends before or after it. */
  get foundAt(): number {
    return this.#foundAt;
  }

  /** Whether all patterns have been found. */
  get #isSettled(): boolean {
    return this.#found.length === this.#isFound.length;
  }

  /** Follows an entry that is not known, or that leads to matches; `undefined` if states are not worth keeping. */
  #follow(row: number, unitClass: number, at: number): number | undefined {
    const entry = this.#table[row + unitClass]!;
    if (entry !== 0) {
      this.#note(this.#states[-entry / this.#width]!.matches, at);
      return -entry;
    }
    let from = row / this.#width;
    if (this.#states.length >= this.#statesMax) {
      const unitsMin = this.#states.length * UNITS_PER_STATE[this.#whenCrowded];
      if (this.#servedBefore + at - this.#servedFrom < unitsMin) return undefined;
      const state = this.#states[from]!;
      this.#empty();
      this.#servedBefore = 0;
      this.#servedFrom = at;
      from = this.#numberOf(state);
    }
    this.#stepper.load(this.#states[from]!);
    this.#stepper.move(unitClass);
    const state = this.#stepper.save();
    const target = this.#numberOf(state) * this.#width;
    this.#table[from * this.#width + unitClass] = state.matches.length > 0 ? -target : target;
    this.#note(state.matches, at);
    return target;
  }

  #classAt(text: string, at: number): number {
    const { pageStarts, pages } = this.#program.units;
    const unit = text.charCodeAt(at);
    return pages[pageStarts[unit >> 8]! + (unit & 0xff)]!;
  }

  /** Reads on to `until` without the table: as many steps for each unit as are alive. */
  #followPlainly(text: string, from: SetState, at: number, until: number): void {
    const stepper = this.#stepper;
    stepper.load(from);
    for (let place = at; place < until && !this.#isSettled; place++) {
      stepper.move(this.#classAt(text, place));
      if (stepper.matches.length > 0) this.#note(stepper.matches, place);
    }
    if (until < text.length) return;
    stepper.move(this.#program.units.count);
    this.#note(stepper.matches, until);
  }

  /** Moves `#row` over units of a chunk as long as entries are known and without matches; returns where it stopped. */
  #skimBytes(from: number, until: number): number {
    const table = this.#table;
    const { pages } = this.#program.units;
    let row = this.#row;
    let at = from;
    for (; at < until; at++) {
      const entry = table[row + pages[bytes[at]!]!]!;
      if (entry <= 0) break;
      row = entry;
    }
    this.#row = row;
    return at;
  }

  /** The same for units of a text that are not bytes. */
  #skimUnits(text: string, from: number, until: number): number {
    const table = this.#table;
    const { pages, pageStarts } = this.#program.units;
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

  /** Reads one chunk; says where it stopped if states are not worth keeping. */
  #readChunk(text: string, from: number, until: number): number | undefined {
    const ascii = until - from >= ENCODED_UNITS_MIN && readAscii(text, from, until, bytes);
    for (let at = from; ; at++) {
      at = ascii
        ? from + this.#skimBytes(at - from, until - from)
        : this.#skimUnits(text, at, until);
      if (at === until) return undefined;
      const next = this.#follow(this.#row, this.#classAt(text, at), at);
      if (next === undefined) return at;
      if (this.#isSettled) return undefined;
      this.#row = next;
    }
  }

  /** Stands before the unit at `from`; returns the first unit to read. */
  #begin(from: number): number {
    if (from > 0) {
      // The unit before makes the state; nothing before that counts.
      this.#nowhereRow ||= this.#numberOf(NOWHERE) * this.#width;
      this.#row = this.#nowhereRow;
      return from - 1;
    }
    if (this.#startRow === 0) {
      this.#stepper.start();
      this.#startRow = this.#numberOf(this.#stepper.save()) * this.#width;
    }
    this.#row = this.#startRow;
    this.#note(this.#states[this.#row / this.#width]!.matches, 0);
    return 0;
  }

  /** Takes the end of the text for what comes next. */
  #end(text: string): void {
    const { count } = this.#program.units;
    const known = this.#table[this.#row + count]! > 0;
    if (!known && this.#follow(this.#row, count, text.length) === undefined) {
      this.#followPlainly(text, this.#states[this.#row / this.#width]!, text.length, text.length);
    }
  }

  /** Reads from `first` to `until`; false if that makes more states than are worth keeping. */
  #run(text: string, first: number, until: number): boolean {
    this.#servedFrom = first;
    let stopped: number | undefined;
    for (let at = first; at < until && !this.#isSettled; at += CHUNK_UNITS) {
      stopped = this.#readChunk(text, at, Math.min(until, at + CHUNK_UNITS));
      if (stopped !== undefined) break;
    }
    this.#servedBefore += until - this.#servedFrom;
    if (stopped !== undefined) {
      if (this.#whenCrowded === "stop") return false;
      const state = this.#states[this.#row / this.#width]!;
      this.#gaveUp = true;
      this.#statesMax = Math.min(this.#statesMax, CROWDED_STATES);
      this.#empty();
      this.#servedBefore = 0;
      this.#followPlainly(text, state, stopped, until);
    } else if (until === text.length && !this.#isSettled) this.#end(text);
    return true;
  }

  /**
   * Which patterns of the program match within the units from `from` to `to` of `text`, which is well-formed: their
   * numbers, in no order. Of what lies around, assertions see what is there; matches that reach out of it may be
   * found too. Undefined if it stopped, as it had too many states: many patterns are then better tried apart.
   */
  match(text: string, from: number = 0, to: number = text.length): readonly number[] | undefined {
    if (this.#found.length > 0) {
      this.#found = [];
      this.#isFound.fill(0);
    }
    const first = this.#begin(from);
    // One unit more than asked for, for an assertion that looks at it.
    return this.#run(text, first, Math.min(text.length, to + 1)) ? this.#found : undefined;
  }
}
