/** Header blocks: fields, folds, preambles, line endings and bounds. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { findBlankLine, splitHeaderBlock } from "../../../src/message/header/header-block.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");

function read(text: string): { fields: [string, string][]; body: string | null; codes: string[] } {
  const block = splitHeaderBlock(bytes(text));
  const fields = block.fields.map(({ name, value }): [string, string] => [
    name,
    Buffer.from(value).toString("latin1"),
  ]);
  const body = block.bodyStart === null ? null : text.slice(block.bodyStart);
  return { fields, body, codes: block.problems.map(({ code }) => code) };
}

describe("splitHeaderBlock", () => {
  test.each([
    [
      "LF",
      "A: 1\nB: 2\n\nbody\n\nx",
      [
        ["a", " 1"],
        ["b", " 2"],
      ],
      "body\n\nx",
      [],
    ],
    [
      "CRLF",
      "A: 1\r\nB: 2\r\n\r\nbody",
      [
        ["a", " 1\r"],
        ["b", " 2\r"],
      ],
      "body",
      [],
    ],
    ["CR CR LF", "A: 1\r\r\n\r\r\nbody", [["a", " 1\r\r"]], "body", []],
    [
      "folds",
      "A: 1\n 2\n\t3\nB: 4\n\n",
      [
        ["a", " 1\n 2\n\t3"],
        ["b", " 4"],
      ],
      "",
      [],
    ],
    ["a fold of blanks only", "A: 1\n \n 2\n\n", [["a", " 1\n \n 2"]], "", []],
    [
      "a blank before the colon",
      "From : a@b.c\nX\t: y\n\n",
      [
        ["from", " a@b.c"],
        ["x", " y"],
      ],
      "",
      [],
    ],
    ["no blank line", "A: 1", [["a", " 1"]], null, []],
    ["no blank line after an end of line", "A: 1\n", [["a", " 1"]], null, []],
    ["nothing", "", [], null, []],
    ["no header", "\nbody", [], "body", []],
    ["an empty value", "A:\n\n", [["a", ""]], "", []],
    ["colons in the value", "A: b:c\n\n", [["a", " b:c"]], "", []],
    [
      "no colon",
      "A: 1\nnonsense\n more\nB: 2\n\n",
      [
        ["a", " 1"],
        ["b", " 2"],
      ],
      "",
      ["malformed-field"],
    ],
    ["a name with a blank", "A b: 1\nB: 2\n\n", [["b", " 2"]], "", ["malformed-field"]],
    ["a name above ASCII", "\xe9: 1\nB: 2\n\n", [["b", " 2"]], "", ["malformed-field"]],
    ["a fold before any field", " x: y\nB: 2\n\n", [["b", " 2"]], "", []],
    ["a lone CR is no line ending", "A: 1\rBcc: x\n\n", [["a", " 1\rBcc: x"]], "", []],
  ] as const)("%s", (_name, text, fields, body, codes) => {
    expect(read(text)).toEqual({ fields, body, codes });
  });

  test.each([
    ["a byte order mark", "\xef\xbb\xbfFrom: a@b.c\n\nx"],
    ["an mbox separator", "From a@b.c Thu Jan  1 00:00:00 1970\nFrom: a@b.c\n\nx"],
    ["both", "\xef\xbb\xbfFrom a@b.c Thu Jan  1 00:00:00 1970\r\nFrom: a@b.c\n\nx"],
    ["`From :`", "From : a@b.c\n\nx"],
    ["`From` and a tab before the colon", "From \t: a@b.c\n\nx"],
  ])("%s in front loses no field", (_name, text) => {
    const { fields, body, codes } = read(text);
    expect([fields.map(([name]) => name), body, codes]).toEqual([["from"], "x", []]);
  });

  test("a header block beyond its bound is cut at a line, and told", () => {
    const line = `X: ${"y".repeat(1_020)}\n`;
    const { fields, body, codes } = read(`${line.repeat(300)}\nbody`);
    expect(fields).toHaveLength(LIMITS.headerBlockBytesMax / line.length);
    expect([body, codes]).toEqual([null, ["header-too-long"]]);
  });

  test("fields beyond their number are dropped, and told", () => {
    const { fields, body, codes } = read(`${"X: y\n".repeat(LIMITS.headerFieldsMax + 1)}\nbody`);
    expect(fields).toHaveLength(LIMITS.headerFieldsMax);
    expect([body, codes]).toEqual(["body", ["too-many-fields"]]);
    expect(read(`${"X: y\n".repeat(LIMITS.headerFieldsMax)}\n`).codes).toEqual([]);
  });

  test("a field beyond its length is cut, and told", () => {
    const max = LIMITS.headerFieldBytesMax;
    const { fields, codes } = read(`A: 1\nX:${"y".repeat(max)}\n z\nB: 2\n\n`);
    expect(fields.map(([name, value]) => [name, value.length])).toEqual([
      ["a", 2],
      ["x", max],
      ["b", 2],
    ]);
    expect(codes).toEqual(["field-too-long"]);
    expect(read(`X:${"y".repeat(max)}\n\n`).codes).toEqual([]);
  });
});

test("findBlankLine goes on where it stopped", () => {
  const first = findBlankLine(bytes("A: 1\nB"), 0);
  expect(first).toEqual({ bodyStart: null, complete: 5 });
  expect(findBlankLine(bytes("A: 1\nB: 2\r\n\r\nx"), first.complete).bodyStart).toBe(13);
});
