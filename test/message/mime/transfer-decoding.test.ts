/** Transfer decoding: what encoders write, what senders break, and that sizes are those of the octets. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodedSize } from "../../../src/message/mime/decoded-size.ts";
import { TEXT_HEAD } from "../../../src/message/mime/part-head.ts";
import { decodeTransfer } from "../../../src/message/mime/transfer-decoding.ts";
import { octetsOf, octetText } from "../../../src/message/text/octet-text.ts";

const SETTINGS = { seed: 20261120, numRuns: 500 };

function decode(encoding: "base64" | "quoted-printable", content: string): string {
  const bytes = Buffer.from(content, "latin1");
  return Buffer.from(decodeTransfer(bytes, encoding)).toString("latin1");
}

describe("base64", () => {
  test("of any octets, in lines of any length and with junk between", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.integer({ min: 1, max: 80 }),
        fc.constantFrom("\r\n", "\n", " ", "*", "\xff-"),
        (octets, lineLength, junk) => {
          const text = Buffer.from(octets).toString("base64");
          const lines = text.replace(new RegExp(`.{${lineLength}}`, "g"), `$&${junk}`);
          expect(decode("base64", lines)).toBe(Buffer.from(octets).toString("latin1"));
        },
      ),
      SETTINGS,
    );
  });

  test.each([
    ["no padding", "aGVsbG8", "hello"],
    ["padding in the middle", "aGk=aGk=", "hihi"],
    ["padding only", "====", ""],
    ["one letter left over", "aGVsbG8=a", "hello"],
    ["nothing", "", ""],
  ])("with %s", (_name, text, expected) => {
    expect(decode("base64", text)).toBe(expected);
  });
});

describe("quoted-printable", () => {
  test.each([
    ["digits in either case", "=C3=a9", "\xc3\xa9"],
    ["soft breaks", "a=\nb=\r\nc= \t\nd", "abcd"],
    ["blanks before a line end", "a \t\r\nb ", "a\r\nb"],
    ["blanks before a soft break", "a =\nb", "a b"],
    ["an encoded blank before a line end", "a=20\nb", "a \nb"],
    ["no digits", "=ZZ=4=", "=ZZ=4"],
    ["an equals sign before blanks", "a= b", "a= b"],
  ])("with %s", (_name, text, expected) => {
    expect(decode("quoted-printable", text)).toBe(expected);
  });
});

test("sizes are those of the octets, whatever the content", () => {
  const token = fc.constantFrom(
    "=",
    "=3D",
    "=\n",
    "=\r\n",
    " ",
    "\t",
    "\n",
    "\r",
    "a",
    "Q",
    "\xe9",
    "-",
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
      const content = Buffer.from(tokens.join(""), "latin1");
      for (const transferEncoding of ["base64", "quoted-printable", "identity"] as const) {
        const part = { ...TEXT_HEAD, transferEncoding, content, fields: [] };
        expect(decodedSize(part)).toBe(decodeTransfer(content, transferEncoding).length);
      }
    }),
    { ...SETTINGS, numRuns: 3_000 },
  );
});

test("octet texts are the octets", () => {
  const octets = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    fc.string().map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(octets, (bytes) => {
      expect(octetText(bytes)).toBe(Buffer.from(bytes).toString("latin1"));
      expect(Buffer.from(octetsOf(octetText(bytes)))).toEqual(Buffer.from(bytes));
    }),
    SETTINGS,
  );
  expect(octetText(new Uint8Array(100_000).fill(0xe9))).toBe("\xe9".repeat(100_000));
});
