/** What the editor offers to call is what the checker knows. */
import { expect, test } from "vitest";
import { callableNames } from "../../../src/engine/cel/functions/functions.ts";
import { celCallSaid, celCalls } from "../../../src/page/editor/cel-calls.ts";

const namesBehind = (before: string | null): readonly string[] =>
  celCalls(before).map(({ name }) => name);

test("every function, method and macro of the checker is offered, each once and with words", () => {
  const methods = namesBehind("subject");
  expect([...methods].sort()).toEqual([...callableNames("method")].sort());
  const spaced = ["optional", "strings", "cel"].flatMap((space) =>
    namesBehind(space).map((name) => `${space}.${name}`),
  );
  const functions = [...namesBehind(null), ...spaced];
  expect(functions.sort()).toEqual([...callableNames("function")].sort());
  for (const name of [...methods, ...namesBehind(null)]) expect(celCallSaid(name)).not.toBe("");
});

test("a call is told in words, or by its types", () => {
  expect(celCallSaid("contains")).toBe("text.contains(part): whether the part is in the text");
  expect(celCallSaid("reverse")).toBe("string.reverse(): string");
  expect(celCallSaid("join")).toBe(
    "list<string>.join(): string or list<string>.join(string): string",
  );
  expect(celCallSaid("nothing")).toBeNull();
});
