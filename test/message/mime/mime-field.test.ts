/** MIME fields with parameters. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { parseMimeField } from "../../../src/message/mime/mime-field.ts";
import { decodeCharset } from "../../../src/message/text/charset.ts";

const read = (text: string) => {
  const { value, parameters } = parseMimeField(text, decodeCharset);
  return [value, Object.fromEntries(parameters)];
};

describe("parseMimeField", () => {
  test.each([
    ["no parameter", "Text/Plain", "text/plain", {}],
    [
      "parameters",
      'text/plain; Charset=UTF-8; name="a;b.txt"',
      "text/plain",
      { charset: "UTF-8", name: "a;b.txt" },
    ],
    ["blanks", " text/plain ;a = b ; c= d", "text/plain", { a: "b", c: "d" }],
    ["a quoted value", '"base64"', "base64", {}],
    ["escapes", 'a; b="x\\"y\\\\z"', "a", { b: 'x"y\\z' }],
    ["text after a quoted value", 'a; b="c" d', "a", { b: "c" }],
    ["a quoted value that never ends", 'a; b="c; d=e', "a", { b: "c; d=e" }],
    ["comments", "text/plain (x; y=z); a=b (c)", "text/plain", { a: "b" }],
    ["a parenthesis within a value", "a; name=x(1).pdf", "a", { name: "x(1).pdf" }],
    ["the first of two counts", "a; b=c; b=d", "a", { b: "c" }],
    ["junk", ";; =x; y; a=b", "", { "": "x", a: "b" }],
    ["RFC 2231 §3: segments", 'a; url*0="ftp://"; url*1="x.test"', "a", { url: "ftp://x.test" }],
    ["segments out of order", "a; b*1=y; b*0=x", "a", { b: "xy" }],
    ["a segment is missing", "a; b*0=x; b*2=z", "a", { b: "x" }],
    [
      "RFC 2231 §4: a charset",
      "a; t*=us-ascii'en-us'This%20is%20***fun***",
      "a",
      { t: "This is ***fun***" },
    ],
    ["RFC 2231 §4.1: both", "a; t*0*=utf-8''%C3; t*1*=%A9; t*2=\" x%20\"", "a", { t: "é x%20" }],
    ["RFC 2231 goes first", "a; b=plain; b*=utf-8''%C3%A9", "a", { b: "é" }],
    ["a stray percent sign", "a; b*=utf-8''100%", "a", { b: "100%" }],
    ["encoded words", 'a; name="=?utf-8?Q?=C3=A9?="', "a", { name: "é" }],
    [
      "no encoded words in RFC 2231",
      "a; n*=utf-8''a%3D%3Futf-8%3FQ%3Fb%3F%3D",
      "a",
      { n: "a=?utf-8?Q?b?=" },
    ],
    [
      "no encoded words in a boundary",
      'a; boundary="=?utf-8?Q?b?="',
      "a",
      { boundary: "=?utf-8?Q?b?=" },
    ],
    ["controls", "a; name*=utf-8''x%0D%0Ay%00", "a", { name: "xy" }],
    ["names of Object.prototype", "a; constructor=b", "a", { constructor: "b" }],
  ])("%s", (_name, text, value, parameters) => {
    expect(read(text)).toEqual([value, parameters]);
  });

  test("no more parameters are read than the bound", () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `;p${index}=x`).join("");
    expect(parseMimeField(text, decodeCharset).parameters.size).toBe(LIMITS.mimeParametersMax);
  });
});
