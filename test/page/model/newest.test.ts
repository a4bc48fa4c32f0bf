/** What follows a frame later: the newest value, once for each frame, however many changes came before it. */
import { computed, signal } from "@preact/signals";
import { expect, test } from "vitest";
import { createOrder, follow } from "../../../src/page/model/newest.ts";

function bench(first: string) {
  const now = signal(first);
  const later = signal("");
  const waiting: (() => void)[] = [];
  follow(
    computed(() => now.value),
    later,
    (act) => void waiting.push(act),
  );
  const paint = (): void => {
    for (const act of waiting.splice(0)) act();
  };
  return { now, later, waiting, paint };
}

test("an answer that comes after the answer to a later question is old", () => {
  const ask = createOrder();
  const [first, second, third] = [ask(), ask(), ask()];
  expect([second(), first(), third()]).toEqual([true, false, true]);
});

test("the first value is there at once, a change when its frame has been painted", () => {
  const { now, later, paint } = bench("first");
  expect(later.value).toBe("first");
  now.value = "second";
  expect(later.value).toBe("first");
  paint();
  expect(later.value).toBe("second");
});

test("of several changes before a frame the newest is shown, and the next change is seen as well", () => {
  const { now, later, waiting, paint } = bench("first");
  for (const value of ["second", "third", "fourth"]) now.value = value;
  expect(waiting).toHaveLength(1);
  paint();
  expect(later.value).toBe("fourth");
  now.value = "fifth";
  expect(waiting).toHaveLength(1);
  paint();
  expect(later.value).toBe("fifth");
});

test("a change that is taken back before its frame leaves the value alone, and does not end the following", () => {
  const { now, later, paint } = bench("first");
  now.value = "second";
  now.value = "first";
  paint();
  expect(later.value).toBe("first");
  now.value = "third";
  paint();
  expect(later.value).toBe("third");
});
