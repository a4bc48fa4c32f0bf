/** A deterministic automaton for many patterns, whose states are made as texts ask for them. */
import { LIMITS } from "../base/limits.ts";
import { readAscii } from "./ascii-chunk.ts";
import type { SetProgram } from "./set-program.ts";
import { type SetState, SetStepper } from "./set-states.ts";

const CHUNK_UNITS = 4096;
const ROWS_AT_FIRST = 16;

/** Where a chunk is written: one for all automata, as no run is interrupted by another. */
const bytes: Uint8Array = new Uint8Array(CHUNK_UNITS);

/**
 * Units that texts must have brought for each state when the table is full: below that, states are made more often
 * than met again. Many patterns are then better apart; one alone goes on without a table when there are even fewer.
 */
const UNITS_PER_STATE = { many: 50, one: 20 } as const;

/** One run over one text. */
interface Run {
  readonly text: string;
  /** By pattern: 1 once it was found. */
  readonly found: Uint8Array;
  missing: number;
  /** Units that the states of the table had served before `text`, less those after which it was last emptied. */
  servedBefore: number;
}

export class LazyAutomaton {
  readonly #program: SetProgram;
  readonly #stepper: SetStepper;
  readonly #width: number;
  readonly #statesMax: number;
  /** Units that the states of the table were made for. */
  #unitsServed = 0;
  /** The number of the state of the run, times width. */
  #row = 0;
  #states: SetState[] = [];
  #numbers = new Map<string, number>();
  /**
   * By state times width plus class: 0 if not known yet, else the target's number times width; negative if it has
   * matches. State 0 is none.
   */
  #table: Int32Array;

  constructor(program: SetProgram) {
    this.#program = program;
    this.#stepper = new SetStepper(program);
    this.#width = program.units.count + 1;
    this.#statesMax = Math.min(
      LIMITS.setStatesMax,
      Math.max(ROWS_AT_FIRST, Math.floor(LIMITS.setTableMax / this.#width)),
    );
    this.#table = new Int32Array(ROWS_AT_FIRST * this.#width);
    this.#empty();
  }

  #empty(): void {
    this.#states = [{ steps: [], before: "other", matches: [] }];
    this.#numbers = new Map();
    this.#table.fill(0);
  }

  get stateCount(): number {
    return this.#states.length;
  }

  /** The number of a state; makes room for it if it is new. */
  #numberOf(state: SetState): number {
    const key = `${String.fromCharCode(...state.steps)}|${state.before}|${state.matches.join()}`;
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

  #note(run: Run, matches: readonly number[]): void {
    for (const pattern of matches) {
      if (run.found[pattern] === 1) continue;
      run.found[pattern] = 1;
      run.missing--;
    }
  }

  /** Follows an entry that is not known, or that leads to matches; `undefined` if states are not worth keeping. */
  #follow(run: Run, row: number, unitClass: number, at: number): number | undefined {
    const entry = this.#table[row + unitClass]!;
    if (entry !== 0) {
      this.#note(run, this.#states[-entry / this.#width]!.matches);
      return -entry;
    }
    let from = row / this.#width;
    if (this.#states.length >= this.#statesMax) {
      const unitsMin = this.#states.length * UNITS_PER_STATE[run.found.length > 1 ? "many" : "one"];
      if (run.servedBefore + at < unitsMin) return undefined;
      const state = this.#states[from]!;
      this.#empty();
      run.servedBefore = -at;
      this.#unitsServed = run.text.length - at;
      from = this.#numberOf(state);
    }
    this.#stepper.load(this.#states[from]!);
    this.#stepper.move(unitClass);
    const state = this.#stepper.save();
    const target = this.#numberOf(state) * this.#width;
    this.#table[from * this.#width + unitClass] = state.matches.length > 0 ? -target : target;
    this.#note(run, state.matches);
    return target;
  }

  /** Runs on from `at` without the table: as many steps for each unit as are alive. */
  #followPlainly(run: Run, from: SetState, at: number): void {
    const { pageStarts, pages, count } = this.#program.units;
    const stepper = this.#stepper;
    stepper.load(from);
    for (let place = at; place < run.text.length && run.missing > 0; place++) {
      const unit = run.text.charCodeAt(place);
      stepper.move(pages[pageStarts[unit >> 8]! + (unit & 0xff)]!);
      if (stepper.matches.length > 0) this.#note(run, stepper.matches);
    }
    stepper.move(count);
    this.#note(run, stepper.matches);
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

  /** Reads one chunk; says why if nothing after it is to be read. */
  #readChunk(run: Run, from: number, until: number): "settled" | "crowded" | undefined {
    const { text } = run;
    const { pageStarts, pages } = this.#program.units;
    const ascii = readAscii(text, from, until, bytes);
    for (let at = from; ; at++) {
      at = ascii
        ? from + this.#skimBytes(at - from, until - from)
        : this.#skimUnits(text, at, until);
      if (at === until) return undefined;
      const unit = text.charCodeAt(at);
      const unitClass = pages[pageStarts[unit >> 8]! + (unit & 0xff)]!;
      const next = this.#follow(run, this.#row, unitClass, at);
      if (next === undefined) {
        if (run.found.length > 1) return "crowded";
        this.#followPlainly(run, this.#states[this.#row / this.#width]!, at);
        return "settled";
      }
      if (run.missing === 0) return "settled";
      this.#row = next;
    }
  }

  /**
   * Which patterns of the program occur in `text`, which is well-formed: 1 by each one's number. Undefined if the
   * patterns have too many states together: they are better tried apart. Of one pattern, never undefined.
   */
  match(text: string): Uint8Array | undefined {
    const { starts, units } = this.#program;
    const found = new Uint8Array(starts.length);
    const run: Run = { text, found, missing: starts.length, servedBefore: this.#unitsServed };
    this.#unitsServed += text.length;
    this.#stepper.start();
    const start = this.#stepper.save();
    this.#note(run, start.matches);
    this.#row = this.#numberOf(start) * this.#width;
    for (let from = 0; from < text.length && run.missing > 0; from += CHUNK_UNITS) {
      const outcome = this.#readChunk(run, from, Math.min(text.length, from + CHUNK_UNITS));
      if (outcome !== undefined) return outcome === "crowded" ? undefined : run.found;
    }
    if (run.missing > 0) {
      this.#stepper.load(this.#states[this.#row / this.#width]!);
      this.#stepper.move(units.count);
      this.#note(run, this.#stepper.matches);
    }
    return run.found;
  }
}
