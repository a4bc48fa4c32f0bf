/** Bounds the octets that all automata of a process keep: their states are made as texts need them. */
import { LIMITS } from "../../../base/limits.ts";

/** One or more automata whose states can be dropped: they are made again when they are needed. */
export interface AutomatonKeeper {
  readonly bytes: number;
  drop(): void;
}

class AutomatonStore {
  /** Octets of each keeper when it was last counted; once these are many, the most recently used keeper comes last. */
  readonly #counted = new Map<AutomatonKeeper, number>();
  #bytes = 0;

  /** Octets that all keepers hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts the growth of a keeper; drops the least recently used ones if all together are too large. */
  use(keeper: AutomatonKeeper): void {
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
