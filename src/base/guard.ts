/** The budget of one message or one domain: code takes units of work before it does the work. */

import { jsTypeName } from "./type-name.ts";

/**
 * Rules, patterns and expressions take units before they work, and stop when a take is refused. Their answer then
 * does not matter, because the whole resolution becomes `over-budget`. A unit takes 20 ns at most.
 */
export class Guard {
  /** Units that may be taken in total. */
  readonly unitsMax: number;
  /** Units taken so far. */
  used = 0;
  /** Whether a take was refused. */
  isSpent = false;

  constructor(unitsMax: number) {
    this.unitsMax = unitsMax;
  }

  /** Units that are left; 0 once a take was refused. */
  get left(): number {
    return this.isSpent ? 0 : this.unitsMax - this.used;
  }

  /**
   * Pays for work before it is done. On false the work must not be done, and every later take is refused too. Throws a
   * `RangeError` on `NaN` and negative numbers.
   */
  take(units: number): boolean {
    if (!(units >= 0)) throw new RangeError(`a guard cannot take ${units} units: give 0 or more`);
    if (!this.isSpent && this.used + units <= this.unitsMax) {
      this.used += units;
      return true;
    }
    this.isSpent = true;
    return false;
  }
}

/** Throws a `TypeError` or `RangeError` unless `units` is a budget. */
export function readFuel(name: string, units: unknown): number {
  if (typeof units !== "number") {
    throw new TypeError(`\`${name}\` is ${jsTypeName(units)}: give a number`);
  }
  if (units >= 0) return units;
  throw new RangeError(`\`${name}\` is ${units}: give a number that is not negative`);
}
