import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findJsonMistake, locateValues } from "../../src/base/json-text.ts";

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("findJsonMistake", () => {
  test.each([
    ["", "the text ends where a value should be", 0, 0],
    ['{"a": 1,}', "a comma before `}`: remove it", 7, 8],
    ["[1, 2,\n]", "a comma before `]`: remove it", 5, 6],
    ["[1 2]", "no comma here: add one", 2, 2],
    ["{a: 1}", "`a` where a key in double quotes or `}` should be", 1, 2],
    ["{'a': 1}", "`'` where a key in double quotes or `}` should be: write `\"`", 1, 2],
    ['{"a" 1}', "`1` where `:` should be", 5, 6],
    ['{"a": }', "`}` where a value should be", 6, 7],
    ["[1}", "`}` where `]` should be", 2, 3],
    ["1 2", "the value has ended before this", 2, 3],
    ["]", "`]` where a value should be", 0, 1],
    ["[,]", "`,` where a value or `]` should be", 1, 2],
    ["[True]", "`True` where a value or `]` should be", 1, 5],
    ["[01]", "`01` where a value or `]` should be", 1, 3],
    ["// x\n{}", "`/` where a value should be: JSON has no comments", 0, 1],
    ['{"a": "x', 'this string has no closing quote: add `"`', 6, 8],
    ['{"a": "x\n"}', 'this string has no closing quote: add `"`', 6, 8],
    ['"a\tb"', "a control character in a string: write `\\u0009`", 2, 3],
    ['"\\d+"', "`\\d` is not an escape of JSON: write a backslash as `\\\\`", 1, 3],
    ["[", "the text ends where a value or `]` should be", 1, 1],
    ["😀", "`😀` where a value should be", 0, 2],
  ])("%j", (text, message, start, end) => {
    expect(parses(text)).toBe(false);
    expect(findJsonMistake(text)).toEqual({ message, span: { start, end } });
  });

  test("finds one exactly where JSON.parse does", () => {
    const mutated = fc
      .tuple(fc.json(), fc.nat(), fc.nat(2), fc.constantFrom(...'{}[],:"\\0-.e1tn \n\u0001'))
      .map(([text, at, removed, added]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + added + text.slice(place + removed);
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), mutated, fc.string()), (text) => {
        const mistake = findJsonMistake(text);
        expect(mistake === null).toBe(parses(text));
        if (mistake === null) return;
        expect(mistake.span.start).toBeLessThanOrEqual(mistake.span.end);
        expect(mistake.span.end).toBeLessThanOrEqual(text.length);
      }),
      { seed: 20261120, numRuns: 5_000 },
    );
  });

  test("takes nesting of any depth", () => {
    expect(findJsonMistake("[".repeat(200_000))?.span).toEqual({ start: 200_000, end: 200_000 });
  });
});

describe("locateValues", () => {
  const TEXT = '{ "a": [1, {"b": "x"}], "a\\u0062": null, "c": {} , "c": {"d": 2}}';

  test.each([
    [[], 0],
    [["a"], 7],
    [["a", 0], 8],
    [["a", 1, "b"], 17],
    [["ab"], TEXT.indexOf("null")],
    // Not there: the nearest value around it.
    [["a", 1, "z"], 11],
    [["nothing", "at", "all"], 0],
    // Given twice: the last one, which is the one that counts.
    [["c", "d"], TEXT.indexOf("2}")],
  ])("%j", (path, offset) => {
    expect(locateValues(TEXT, [path])).toEqual([offset]);
  });

  test("every value of any JSON is found where it stands", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const paths: (string | number)[][] = [];
        const values: unknown[] = [];
        const visit = (at: unknown, path: (string | number)[]): void => {
          paths.push(path);
          values.push(at);
          if (at === null || typeof at !== "object") return;
          for (const [key, inner] of Object.entries(at)) {
            visit(inner, [...path, Array.isArray(at) ? Number(key) : key]);
          }
        };
        visit(JSON.parse(text), []);
        locateValues(text, paths).forEach((offset, index) => {
          const start = JSON.stringify(values[index], null, indent)[0];
          expect(text[offset]).toBe(start);
        });
      }),
      { seed: 20261120, numRuns: 500 },
    );
  });
});
