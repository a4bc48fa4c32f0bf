/** A text in parts: together they are the text, each ends with its line, and an edit leaves most of them as they are. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markWithin, partsOf, type TextPart } from "../../../src/page/model/text-parts.ts";

const joined = (parts: readonly TextPart[]): string => parts.map(({ text }) => text).join("");

describe("a text in parts", () => {
  test("whatever is edited, the parts are the text, with keys of their own", () => {
    const line = fc.string({ maxLength: 3_000, unit: fc.constantFrom("a", "b", " ", "\n") });
    const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, fc.array(fc.tuple(fc.nat(), fc.nat(40), line)), (first, edits) => {
        let [now, parts] = [first, partsOf(first, [])];
        for (const [at, removed, added] of edits) {
          const start = at % (now.length + 1);
          now = now.slice(0, start) + added + now.slice(start + removed);
          parts = partsOf(now, parts);
          expect(joined(parts)).toBe(now);
          expect(parts.slice(0, -1).every((part) => part.text.endsWith("\n"))).toBe(true);
          expect(new Set(parts.map(({ key }) => key)).size).toBe(parts.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("a key typed in the middle changes one part of many", () => {
    const text = "some words in a line\n".repeat(15_000);
    const before = partsOf(text, []);
    const after = partsOf(`${text.slice(0, 150_000)}x${text.slice(150_000)}`, before);
    expect(before.length).toBeGreaterThan(50);
    expect(after.filter((part) => !before.includes(part)).length).toBe(1);
    const added = partsOf(`${text}one more`, before);
    expect(added.filter((part) => !before.includes(part)).map((part) => part.text)).toEqual([
      "one more",
    ]);
  });

  test("a mark is cut at the borders of the parts", () => {
    const mark = { span: { start: 5, end: 25 }, groups: [{ start: 8, end: 12 }] };
    expect(markWithin(mark, { start: 0, end: 10 })).toEqual({
      span: { start: 5, end: 10 },
      groups: [{ start: 8, end: 10 }],
    });
    expect(markWithin(mark, { start: 10, end: 20 })).toEqual({
      span: { start: 0, end: 10 },
      groups: [{ start: 0, end: 2 }],
    });
    expect(markWithin(mark, { start: 20, end: 30 })).toEqual({
      span: { start: 0, end: 5 },
      groups: [],
    });
    expect(markWithin(mark, { start: 25, end: 30 })).toBeUndefined();
    expect(markWithin(undefined, { start: 0, end: 10 })).toBeUndefined();
  });
});
