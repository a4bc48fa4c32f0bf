import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSortedRows } from "../../../src/simulator/store/sorted-rows.ts";

const compare = (left: number, right: number): number => left - right;

describe("sorted rows", () => {
  test("are those of a sorted array, over chunks that split and vanish", () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(4_000), fc.nat(300)), { maxLength: 40 });
    fc.assert(
      fc.property(fc.nat(2_000), steps, fc.nat(4_000), fc.nat(4_000), (start, given, a, b) => {
        const held = new Set(Array.from({ length: start }, (_, index) => (index * 7) % 4_001));
        const list = createSortedRows(compare, held);
        for (const [isAdded, from, count] of given) {
          for (let row = from; row < from + count; row++) {
            if (held.has(row) === isAdded) continue;
            if (isAdded) held.add(row);
            else held.delete(row);
            list[isAdded ? "add" : "remove"](row);
          }
        }
        const sorted = [...held].sort(compare);
        expect([...list.walk(0, sorted.length, "asc")]).toEqual(sorted);
        expect(list.rank((row) => row < a)).toBe(sorted.filter((row) => row < a).length);
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        expect([...list.walk(low, high, "asc")]).toEqual(sorted.slice(low, high));
        expect([...list.walk(low, high, "desc")]).toEqual(sorted.slice(low, high).reverse());
      }),
      { seed: 20261120, numRuns: 100 },
    );
  });

  test("find a rank among 100,000 rows by looking at few of them", () => {
    const list = createSortedRows(
      compare,
      Array.from({ length: 100_000 }, (_, index) => index),
    );
    let looks = 0;
    const rank = list.rank((row) => {
      looks++;
      return row < 77_777;
    });
    expect(rank).toBe(77_777);
    expect(looks).toBeLessThan(25);
    expect([...list.walk(77_777, 77_780, "desc")]).toEqual([77_779, 77_778, 77_777]);
  });

  test("an empty list, and one emptied, answer and take rows again", () => {
    const list = createSortedRows(compare, []);
    expect(list.rank(() => true)).toBe(0);
    expect([...list.walk(0, 5, "desc")]).toEqual([]);
    list.add(1);
    list.remove(1);
    list.add(2);
    expect([...list.walk(0, 5, "asc")]).toEqual([2]);
  });
});
