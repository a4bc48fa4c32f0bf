/** What one message may cost: work asks for its units before it is done. */

/**
 * A guard, not a semantics: rules, patterns and expressions ask it before they work and stop when it refuses. What
 * they answer then does not matter, because the whole resolution becomes `over-budget`. A unit takes 20 ns at most.
 */
export class Guard {
  /** Units that all takes together may ask for. */
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

  /** Pays for work that is about to be done. False: it must not be done, and every later take is refused too. */
  take(units: number): boolean {
    if (!this.isSpent && this.used + units <= this.unitsMax) {
      this.used += units;
      return true;
    }
    this.isSpent = true;
    return false;
  }
}
