/** Texts of rules in tokens, for their colours. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type CodeKind, tokensOf } from "../../../src/page/editor/tokens.ts";

const shown = (text: string, code: CodeKind): string[] =>
  tokensOf(text, code).map(({ start, end, kind }) => `${kind} ${text.slice(start, end)}`);

test("an expression: variables, functions, texts, numbers", () => {
  expect(shown('sender.endsWith("@a\\".b") && size < 5 // end', "cel")).toEqual([
    "name sender",
    "call endsWith",
    'string "@a\\".b"',
    "op &&",
    "name size",
    "op <",
    "number 5",
    "op // end",
  ]);
  expect(shown("senders in null", "cel")).toEqual(["number in", "number null"]);
  expect(shown('r"""a"b"""', "cel")).toEqual(['string r"""a"b"""']);
});

test("a pattern: groups, classes, escapes, repeats", () => {
  expect(shown("(?i)\\binvoice ([^]a-z[:digit:]]{2,3})+$", "pattern")).toEqual([
    "call (?i)",
    "string \\b",
    "call (",
    "string [^]a-z[:digit:]]",
    "number {2,3}",
    "call )",
    "number +",
    "op $",
  ]);
  expect(shown("[ab", "pattern")).toEqual(["string [ab"]);
});

test("JSON: keys, texts, numbers", () => {
  expect(shown('{ "a": "b", "c": [1, null, tru] }', "json")).toEqual([
    'name "a"',
    'string "b"',
    'name "c"',
    "number 1",
    "number null",
  ]);
  expect(shown('{ "forward": "https://a.example"', "json")).toEqual([
    'name "forward"',
    'string "https://a.example"',
  ]);
});

test("tokens of any text are in order, and lie within it", () => {
  const piece = fc.constantFrom(
    '"',
    "'",
    "\\",
    "[",
    "]",
    "(",
    "a",
    "1",
    "{",
    "}",
    ":",
    "&&",
    "é",
    "\n",
    "😀",
  );
  const code = fc.constantFrom<CodeKind>("cel", "pattern", "json");
  let seen = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), code, (pieces, kind) => {
      const text = pieces.join("");
      let at = 0;
      for (const { start, end } of tokensOf(text, kind)) {
        expect(start).toBeGreaterThanOrEqual(at);
        expect(end).toBeGreaterThan(start);
        at = end;
        seen++;
      }
      expect(at).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 1_000 },
  );
  expect(seen).toBeGreaterThan(500);
});
