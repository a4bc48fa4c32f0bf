import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compareTimers,
  createTimerHeap,
  type HeapTimer,
} from "../../../src/simulator/queue/timer-heap.ts";

test("a heap gives its timers in order, whichever are taken out of its middle", () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("add" as const), atMs: fc.nat(9) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("remove" as const), index: fc.nat(60) }),
    },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
      const heap = createTimerHeap<HeapTimer>();
      const made: HeapTimer[] = [];
      let held: HeapTimer[] = [];
      for (const given of steps) {
        if (given.kind === "add") {
          const timer = { atMs: given.atMs, serial: made.length, place: -1 };
          made.push(timer);
          held.push(timer);
          heap.add(timer);
        } else if (made[given.index] !== undefined) {
          const timer = made[given.index]!;
          expect(heap.remove(timer)).toBe(held.includes(timer));
          held = held.filter((other) => other !== timer);
        }
        expect(heap.first()).toBe(held.toSorted(compareTimers)[0]);
      }
      const order: HeapTimer[] = [];
      for (let timer = heap.first(); timer !== undefined; timer = heap.first()) {
        heap.remove(timer);
        order.push(timer);
      }
      expect(order).toEqual(held.toSorted(compareTimers));
    }),
    { seed: 20261120, numRuns: 500 },
  );
});

test("a cleared heap holds nothing, and its timers can be added again", () => {
  const heap = createTimerHeap<HeapTimer>();
  const timer = { atMs: 1, serial: 0, place: -1 };
  heap.add(timer);
  heap.clear();
  expect([heap.first(), heap.remove(timer)]).toEqual([undefined, false]);
  heap.add(timer);
  expect(heap.first()).toBe(timer);
});

test("a timer of another heap is not taken out", () => {
  const [one, two] = [createTimerHeap<HeapTimer>(), createTimerHeap<HeapTimer>()];
  const [mine, theirs] = [
    { atMs: 1, serial: 0, place: -1 },
    { atMs: 1, serial: 1, place: -1 },
  ];
  one.add(mine);
  two.add(theirs);
  expect(one.remove(theirs)).toBe(false);
  expect([one.first(), two.first()]).toEqual([mine, theirs]);
});
