/** Bounds the octets that all automata of a process keep: their states are made as texts need them. */
import { LIMITS } from "../../../base/limits.ts";

/** One or more automata whose states can be dropped: they are made again when they are needed. */
export interface AutomatonKeeper {
  readonly bytes: number;
  /** Its octets when the store last counted them; -1 if the store does not know it. Only the store sets it. */
  countedBytes: number;
  /** Whether it was used since the store last looked at it. Only the store sets it. */
  wasUsed: boolean;
  drop(): void;
}

class AutomatonStore {
  readonly #keepers = new Set<AutomatonKeeper>();
  /** Goes round the keepers, and stays where it found enough to drop: so a use takes no longer the more there are. */
  #hand: SetIterator<AutomatonKeeper> = this.#keepers.values();
  #bytes = 0;

  /** Octets that all keepers hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts the growth of a keeper; if all together are too large, drops those not used since the last round. */
  use(keeper: AutomatonKeeper): void {
    keeper.wasUsed = true;
    const { bytes } = keeper;
    if (bytes === keeper.countedBytes) return;
    this.#keepers.add(keeper);
    this.#bytes += bytes - Math.max(0, keeper.countedBytes);
    keeper.countedBytes = bytes;
    while (this.#bytes > LIMITS.automataBytesMax && this.#keepers.size > 1) this.#advance(keeper);
  }

  #advance(used: AutomatonKeeper): void {
    const { value: keeper } = this.#hand.next();
    if (keeper === undefined) this.#hand = this.#keepers.values();
    else if (keeper.wasUsed) keeper.wasUsed = keeper === used;
    else {
      this.#keepers.delete(keeper);
      this.#bytes -= keeper.countedBytes;
      keeper.countedBytes = -1;
      keeper.drop();
    }
  }
}

export const automatonStore: AutomatonStore = new AutomatonStore();
