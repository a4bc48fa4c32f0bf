/** What all automata of a process keep is bounded, and using one takes no longer the more there are. */
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../../src/base/limits.ts";
import {
  type AutomatonKeeper,
  automatonStore,
} from "../../../../src/engine/pattern/search/automaton-store.ts";

class Keeper implements AutomatonKeeper {
  countedBytes = -1;
  bytes: number;
  drops = 0;
  /** How often the store asked whether it was used. */
  looks = 0;
  #wasUsed = false;

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  get wasUsed(): boolean {
    this.looks++;
    return this.#wasUsed;
  }

  set wasUsed(used: boolean) {
    this.#wasUsed = used;
  }

  drop(): void {
    this.drops++;
    this.bytes = 0;
  }
}

const MAX = LIMITS.automataBytesMax;
const used: Keeper[] = [];

function use(...keepers: Keeper[]): void {
  for (const keeper of keepers) {
    automatonStore.use(keeper);
    used.push(keeper);
  }
}

const keepersOf = (count: number, bytes: number): Keeper[] =>
  Array.from({ length: count }, () => new Keeper(bytes));

/** Gives back what the test counted. */
afterEach(() => {
  for (const keeper of used.splice(0)) {
    keeper.bytes = 0;
    automatonStore.use(keeper);
  }
});

describe("the octets of all automata", () => {
  test("stay within the bound, whatever grows", () => {
    const keepers = keepersOf(100, MAX / 50);
    for (const keeper of keepers) {
      use(keeper);
      expect(automatonStore.bytes).toBeLessThanOrEqual(MAX);
    }
    expect(keepers.filter(({ drops }) => drops > 0).length).toBeGreaterThanOrEqual(50);
  });

  test("one that was used since the store last looked outlasts those that were not", () => {
    use(...keepersOf(51, MAX / 50));
    const kept = new Keeper(MAX / 50);
    use(kept);
    for (const other of keepersOf(30, MAX / 50)) use(other, kept);
    expect(kept.drops).toBe(0);
  });

  test("the one in use is kept, even if it alone is too large", () => {
    const [other, large] = [new Keeper(MAX / 2), new Keeper(2 * MAX)];
    use(other, large);
    expect([other.drops, large.drops]).toEqual([1, 0]);
    large.bytes = 3 * MAX;
    use(large);
    expect(large.drops).toBe(0);
  });

  test("one that was dropped is counted again when it is used again", () => {
    const [first, second] = [new Keeper(MAX), new Keeper(MAX)];
    use(first, second);
    expect(first.drops).toBe(1);
    first.bytes = MAX;
    use(first);
    expect([first.drops, second.drops]).toEqual([1, 1]);
  });

  test("a use looks at no other keeper as long as nothing has grown, however many there are", () => {
    const keepers = keepersOf(10_000, Math.floor(MAX / 10_001));
    use(...keepers, ...keepers);
    for (const keeper of keepers) keeper.looks = 0;
    for (let round = 0; round < 3; round++) use(...keepers.toReversed());
    expect(keepers.reduce((sum, { looks }) => sum + looks, 0)).toBe(0);
  });

  test("growing beyond the bound looks at each keeper a few times at most", () => {
    const keepers = keepersOf(2_000, MAX / 1_000);
    use(...keepers);
    expect(keepers.reduce((sum, { looks }) => sum + looks, 0)).toBeLessThan(3 * keepers.length);
  });
});
