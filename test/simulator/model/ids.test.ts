import { expect, test } from "vitest";
import { createIds } from "../../../src/simulator/model/ids.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("a seed determines all ids, and another seed makes others", () => {
  const run = (seed: string): unknown[] => {
    const ids = createIds(seed);
    return [ids.uuid(), ids.uuid(), ids.next("a"), ids.next("a"), ids.next("b"), ids.logId(5)];
  };
  expect(run("one")).toEqual(run("one"));
  expect(run("one").slice(0, 2)).not.toEqual(run("two").slice(0, 2));
  expect(run("one").slice(2)).toEqual([1, 2, 1, "000000000000050000000001"]);
});

test("UUIDs are of version 4 and all different", () => {
  const ids = createIds("seed");
  const made = Array.from({ length: 1_000 }, () => ids.uuid());
  expect(made.filter((id) => !UUID.test(id))).toEqual([]);
  expect(new Set(made).size).toBe(1_000);
});

test("log ids have 24 hex digits and grow with time, and within a millisecond", () => {
  const ids = createIds("seed");
  const times = [-5, 0, 1, 1, 1.5, 2 ** 41, 2 ** 41, 8_640_000_000_000_000];
  const made = times.map((time) => ids.logId(time));
  expect(made.filter((id) => !/^[0-9a-f]{24}$/.test(id))).toEqual([]);
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(times.length);
});

test("a state that is restored goes on where it was", () => {
  const ids = createIds("seed");
  ids.uuid();
  ids.next("__proto__");
  const state = ids.state();
  const after = (): unknown[] => [ids.uuid(), ids.next("__proto__"), ids.next("new"), ids.logId(7)];
  const first = after();
  ids.restore(state);
  expect(after()).toEqual(first);
  const other = createIds("other");
  other.restore(state);
  expect(other.uuid()).toBe(first[0]);
});

test.each(["{}", "null", "7", '{"seed":"x","counts":[["a"]]}'])("%s is no state", (text) => {
  expect(() => createIds("seed").restore(text)).toThrow("this is not the state of ids");
});
