/** Times of work in units of a calibration loop of the same run, so that another machine gives the same numbers. */

/** A time: in units of the calibration loop, and in microseconds on this machine. */
export interface Measure {
  /** Of all rounds the one at a quarter from the fastest: what disturbs a round makes it slower only. */
  readonly units: number;
  /** The fastest round, and the one in the middle. */
  readonly low: number;
  readonly high: number;
  readonly microseconds: number;
}

/** Calibration loops before the first that is timed. */
const CALIBRATIONS = 3;

/** What is done before anything is measured: V8 optimises what it has seen often. */
const WARM_UP_TIMES = 200;
const WARM_UP_MS = 20;
const REPEATS_MAX = 5_000;

/** Steps of one calibration loop: some tenths of a millisecond. */
const LOOP_STEPS = 40_000;

const TEXT = "The quick brown fox jumps over the lazy dog, 0123456789 times; ".repeat(16);

/** Work of the kind that routing does: reads of a text, of a table, and small objects. The result keeps it from being left out. */
function calibrationLoop(): number {
  const table = new Uint16Array(256);
  let state = 0;
  let found: { readonly at: number } = { at: 0 };
  for (let step = 0; step < LOOP_STEPS; step++) {
    const unit = TEXT.charCodeAt((state + step) % TEXT.length);
    state = (table[(state ^ unit) & 255]! + unit * 31 + step) & 0xffff;
    table[unit] = state;
    if ((step & 63) === 0) found = { at: found.at + state };
  }
  return state + found.at;
}

function sorted(numbers: readonly number[]): readonly number[] {
  return [...numbers].sort((a, b) => a - b);
}

export function at(numbers: readonly number[], part: number): number {
  const ordered = sorted(numbers);
  return ordered[Math.min(ordered.length - 1, Math.floor(part * ordered.length))] ?? 0;
}

/** Times work and the calibration loop in turns. */
export class Stopwatch {
  readonly #now: () => number;
  #checked = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  #time(work: () => number): number {
    const start = this.#now();
    this.#checked = (this.#checked + work()) % 1_000_003;
    return this.#now() - start;
  }

  /** Measures work that answers a number, in rounds of so many milliseconds. */
  measure(work: () => number, rounds: number, roundMs: number): Measure {
    const times = this.#warmUp(work, roundMs);
    const repeated = (): number => {
      let sum = 0;
      for (let time = 0; time < times; time++) sum += work();
      return sum;
    };
    for (let time = 0; time < CALIBRATIONS; time++) calibrationLoop();
    const units: number[] = [];
    const spent: number[] = [];
    for (let round = 0; round < rounds; round++) {
      // On either side, as other processes come and go.
      const before = this.#time(calibrationLoop);
      const taken = this.#time(repeated);
      const after = this.#time(calibrationLoop);
      spent.push(taken / times);
      units.push(taken / times / Math.max(Number.EPSILON, Math.min(before, after)));
    }
    return {
      units: at(units, 0.25),
      low: at(units, 0),
      high: at(units, 0.5),
      microseconds: at(spent, 0.25) * 1000,
    };
  }

  /** Does the work until the engine has compiled it, and answers how often it fits into a round. */
  #warmUp(work: () => number, roundMs: number): number {
    let [spent, once] = [0, Number.POSITIVE_INFINITY];
    for (let time = 0; time < WARM_UP_TIMES && spent < WARM_UP_MS; time++) {
      const taken = this.#time(work);
      spent += taken;
      once = Math.min(once, taken);
    }
    return Math.max(1, Math.min(REPEATS_MAX, Math.ceil(roundMs / Math.max(0.001, once))));
  }
}
