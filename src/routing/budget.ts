/** What one message may cost in all: patterns times text and the fuel of expressions, in the order of trial. */
import { earlierStage, type Stage } from "../mail/facts.ts";

export const BUDGET_SPENT =
  "the budget of the message is spent by the rules before: it is too long for so many patterns and expressions";

/**
 * The order of rules decides which of them the budget lasts for, never the way in which they are tried: what a
 * rule costs is defined by the rule and the message. While facts are unknown the cost is known only between
 * bounds, and what depends on it is undecided, so that more facts never change a decision.
 */
export class Budget {
  readonly fuelMax: number;
  #least = 0;
  #most = 0;
  #needs: Stage | null = null;
  #strained = false;

  constructor(fuelMax: number) {
    this.fuelMax = fuelMax;
  }

  /** Fuel charged so far; at most, where facts are unknown. */
  get fuel(): number {
    return this.#most;
  }

  /** Whether a charge was refused or in doubt. */
  get strained(): boolean {
    return this.#strained;
  }

  /** The earliest stage whose facts can settle a doubt. */
  get needs(): Stage {
    return this.#needs ?? "body";
  }

  /** Takes `fuel` if it is left. Once it is not, nothing is: `spent`. `unsure`: unknown facts decide that. */
  take(fuel: number): "taken" | "spent" | "unsure" {
    if (this.#most + fuel <= this.fuelMax) {
      this.#least += fuel;
      this.#most += fuel;
      return "taken";
    }
    this.#strained = true;
    if (this.#least + fuel <= this.fuelMax) return "unsure";
    this.#least = Number.POSITIVE_INFINITY;
    return "spent";
  }

  /** Adds what has been used already: the next to take finds it gone. */
  add(fuel: number): void {
    this.#least += fuel;
    this.#most += fuel;
  }

  /** Notes what may be used once the facts of a stage are known; `null`: what is used now may then be saved. */
  addAtMost(fuel: number, stage: Stage | null): void {
    this.#most += fuel;
    if (stage === null) return;
    this.#needs = this.#needs === null ? stage : earlierStage(this.#needs, stage);
  }
}
