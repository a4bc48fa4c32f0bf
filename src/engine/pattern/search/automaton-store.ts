/** What automata of a process keep, within a bound of octets: states are made as texts ask for them. */
import { LIMITS } from "../../../base/limits.ts";

/** An automaton, or some, whose states can be let go: they are made again when they are asked for. */
export interface Keeper {
  readonly bytes: number;
  drop(): void;
}

class AutomatonStore {
  /** Octets of each as they were counted last; the one used last at the end, once there are many. */
  readonly #counted = new Map<Keeper, number>();
  #bytes = 0;

  /** Octets that all of them keep. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts what a keeper has grown by; lets those go that were used longest ago if all are too large. */
  use(keeper: Keeper): void {
    const { bytes } = keeper;
    const before = this.#counted.get(keeper);
    if (bytes === before && this.#bytes * 2 < LIMITS.automataBytesMax) return;
    if (before !== undefined) this.#counted.delete(keeper);
    this.#counted.set(keeper, bytes);
    this.#bytes += bytes - (before ?? 0);
    for (const [oldest, size] of this.#counted) {
      if (this.#bytes <= LIMITS.automataBytesMax || oldest === keeper) return;
      this.#counted.delete(oldest);
      this.#bytes -= size;
      oldest.drop();
    }
  }
}

export const automatonStore: AutomatonStore = new AutomatonStore();
