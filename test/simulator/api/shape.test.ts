/** The shape checker itself: what it lets pass would pass unseen in every other suite of this folder. */
import { expect, test } from "vitest";
import * as shape from "./shape.ts";

const person = shape.object(
  { name: shape.filled, age: shape.nullable(shape.integer) },
  { nick: shape.string },
);

const REFUSED: readonly [name: string, of: shape.Shape, value: unknown, fault: string][] = [
  ["a missing field", person, { name: "a" }, "body.age is missing"],
  ["an unknown field", person, { name: "a", age: 1, x: 1 }, "body.x is not in the text"],
  ["null where it is not stated", person, { name: null, age: 1 }, "body.name should be"],
  ["an optional field of another type", person, { name: "a", age: 1, nick: 2 }, "body.nick should"],
  ["a fraction", shape.integer, 1.5, "body should be integer, is 1.5"],
  ["a number in a string", shape.integer, "1", "body should be integer"],
  ["an entry of a list", shape.list(person), [{ name: "a", age: "x" }], "body[0].age should be"],
  ["an object for a list", shape.list(person), {}, "body should be an array"],
  ["a list for an object", person, [], "body should be an object"],
  ["a list for a map", shape.map(shape.string), [], "body should be an object"],
  ["seconds for milliseconds", shape.milliseconds, 1_790_000_000, "body should be epoch millis"],
  ["milliseconds for seconds", shape.seconds, 1_790_000_000_000, "body should be epoch seconds"],
  ["a timestamp without a zone", shape.timestamp, "2026-01-01T00:00:00", "body should be ISO"],
  ["a timestamp that is no day", shape.timestamp, "2026-13-01T00:00:00Z", "body should be ISO"],
  ["neither of two", shape.either(shape.string, shape.integer), true, "body should be string"],
  ["another constant", shape.exactly(true), false, "body should be true, is false"],
  ["an inherited name", shape.object({}), JSON.parse('{"toString":1}'), "body.toString is not"],
  ["nothing", shape.anything, undefined, "body should be anything, is undefined"],
];

test.each(REFUSED)("refuses %s", (_name, of, value, fault) => {
  expect(shape.mismatches(of, value).join("\n")).toContain(fault);
});

const TAKEN: readonly [name: string, of: shape.Shape, value: unknown][] = [
  ["all fields", person, { name: "a", age: 1, nick: "" }],
  ["null where it is stated", person, { name: "a", age: null }],
  ["an empty list", shape.list(person), []],
  ["a map", shape.map(shape.list(shape.string)), { to: ["is no address"] }],
  ["a timestamp", shape.timestamp, "2026-01-01T00:00:00Z"],
  ["a UUID", shape.uuid, "0b9d4d3e-6a3c-4f9a-8d53-5a1f3e0c7b21"],
  ["the second of two", shape.either(shape.string, shape.integer), 1],
];

test.each(TAKEN)("takes %s", (_name, of, value) => {
  expect(shape.mismatches(of, value)).toEqual([]);
});
