/** Bounds the octets that all automata of a process keep: their states are made as texts need them. */
import { LIMITS } from "../../../base/limits.ts";

/** One or more automata whose states can be dropped: they are made again when they are needed. */
export interface AutomatonKeeper {
  readonly bytes: number;
  /** Its octets when the store last counted them; -1 if the store does not know it. Only the store sets it. */
  countedBytes: number;
  drop(): void;
}

class AutomatonStore {
  /** Once their octets are many, the most recently used keeper comes last. */
  readonly #keepers = new Set<AutomatonKeeper>();
  #bytes = 0;

  /** Octets that all keepers hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts the growth of a keeper; drops the least recently used ones if all together are too large. */
  use(keeper: AutomatonKeeper): void {
    const { bytes } = keeper;
    const before = keeper.countedBytes;
    if (bytes === before && this.#bytes * 2 < LIMITS.automataBytesMax) return;
    if (before >= 0) this.#keepers.delete(keeper);
    this.#keepers.add(keeper);
    this.#bytes += bytes - Math.max(0, before);
    keeper.countedBytes = bytes;
    for (const oldest of this.#keepers) {
      if (this.#bytes <= LIMITS.automataBytesMax || oldest === keeper) return;
      this.#keepers.delete(oldest);
      this.#bytes -= oldest.countedBytes;
      oldest.countedBytes = -1;
      oldest.drop();
    }
  }
}

export const automatonStore: AutomatonStore = new AutomatonStore();
