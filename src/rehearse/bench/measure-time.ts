/** Measures work in units of a calibration loop of the same run, so that other machines give the same numbers. */

/** A time: in units of the calibration loop, and in microseconds on this machine. */
export interface Measure {
  /** The first quartile of all rounds: disturbances only make a round slower. */
  readonly units: number;
  /** The fastest round, and the median. */
  readonly low: number;
  readonly high: number;
  readonly microseconds: number;
}

/** Calibration loops to run before the first one that is timed. */
const CALIBRATIONS = 3;

/** Work to do before anything is measured: V8 optimises code that runs often. */
const WARM_UP_TIMES = 200;
const WARM_UP_MS = 20;
const REPEATS_MAX = 5_000;

/** Steps of one calibration loop: some tenths of a millisecond. */
const LOOP_STEPS = 40_000;

const TEXT = "The quick brown fox jumps over the lazy dog, 0123456789 times; ".repeat(16);

/**
 * Work like that of routing: reads of a text and of a table, and small objects. Returning a result keeps the engine
 * from removing the loop.
 */
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

/** Times the work and the calibration loop alternately. */
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

  /** Measures work that returns a number, in rounds of `roundMs` milliseconds. */
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
      // Before and after the work, since other processes come and go.
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

  /** Repeats the work until the engine has compiled it, and returns how often it fits into a round. */
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
