/** Copies that a store can keep: frozen, and the same after JSON. */
import { expect, test } from "vitest";
import { storedValue } from "../../../src/simulator/store/stored-value.ts";

test("texts and names lose what SQL cannot hold, and zero has no sign", () => {
  const given = { "a\0b": "x\0y", "\ud800": "\udc00", zero: -0, list: [-0, "\0"] };
  const stored = storedValue(given);
  expect(stored).toEqual({ ab: "xy", "\ufffd": "\ufffd", zero: 0, list: [0, ""] });
  expect(Object.is(stored.zero, 0) && Object.is(stored.list[0], 0)).toBe(true);
  // A name that was changed once is changed again.
  expect(Object.keys(storedValue({ "a\0b": 1 }))).toEqual(["ab"]);
});

test("all of a copy is frozen, and nothing of it is the given value", () => {
  const given = { party: { email: "a" }, events: [{ id: "1" }] };
  const stored = storedValue(given);
  given.party.email = "b";
  given.events[0]!.id = "2";
  expect(stored).toEqual({ party: { email: "a" }, events: [{ id: "1" }] });
  for (const part of [stored, stored.party, stored.events, stored.events[0]]) {
    expect(Object.isFrozen(part)).toBe(true);
  }
});

test("parts of the value before are kept where they were, and everything else is copied", () => {
  const before = storedValue({ party: { email: "a" }, events: [{ id: "1" }], none: null });
  const own = { id: "2" };
  const after = storedValue({ ...before, events: [...before.events, own] }, before);
  own.id = "changed";
  expect(after).toEqual({ party: { email: "a" }, events: [{ id: "1" }, { id: "2" }], none: null });
  expect(after.party).toBe(before.party);
  expect(after.events[0]).toBe(before.events[0]);
  expect(after.events).not.toBe(before.events);
  // At another place, or frozen by somebody else, it is copied.
  expect(storedValue({ other: before.party }, before).other).not.toBe(before.party);
  const frozen = Object.freeze({ email: "c" });
  expect(storedValue({ party: frozen }, before).party).not.toBe(frozen);
});

test.each([
  ["undefined", { a: undefined }],
  ["not a number", [Number.NaN]],
  ["infinity", Number.POSITIVE_INFINITY],
  ["a date", { at: new Date(0) }],
  ["a function", { constructor: Object }],
])("%s cannot be stored, whatever was there before", (_, value) => {
  expect(() => storedValue(value)).toThrow("cannot be stored");
  expect(() => storedValue(value, {})).toThrow("cannot be stored");
});
