import { describe, expect, test } from "vitest";
import { messageFactsOf } from "../../../src/message/read-message.ts";

function bodyOf(charset: string, octets: Buffer, encoding = "base64"): string | undefined {
  const content = encoding === "base64" ? Buffer.from(octets.toString("base64")) : octets;
  const head = `From: a@b.test\r\nContent-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
  return messageFactsOf(Buffer.concat([Buffer.from(head), content])).body;
}

/** UTF-16 with its high octet first. */
function bigEndian(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

describe("lines of a text end with LF", () => {
  test.each(["us-ascii", "utf-8", "iso-8859-1", "windows-1252", "koi8-r", "shift_jis", "gb18030"])(
    "in %s",
    (charset) => {
      const octets = Buffer.from("one\r\n\r\ntwo\r\n");
      expect(bodyOf(charset, octets)).toBe("one\n\ntwo\n");
      expect(bodyOf(charset, octets, "8bit")).toBe("one\n\ntwo\n");
    },
  );

  test("in quoted-printable, encoded or not", () => {
    expect(bodyOf("utf-8", Buffer.from("a=0D=0Ab\r\nc \r\nd"), "quoted-printable")).toBe(
      "a\nb\nc\nd",
    );
  });

  test("in UTF-16, in which the octets of CR and LF are also those of a letter", () => {
    expect(bodyOf("utf-16be", bigEndian("\u0d0a one\r\ntwo"))).toBe("\u0d0a one\ntwo");
    expect(bodyOf("utf-16le", Buffer.from("\u0a0d one\r\ntwo", "utf16le"))).toBe("\u0a0d one\ntwo");
  });

  test("in UTF-7, in which a line end may be spelled in base64", () => {
    expect(bodyOf("utf-7", Buffer.from("one+AA0ACg-two\r\nthree"), "7bit")).toBe("one\ntwo\nthree");
  });

  test("a lone CR is none", () => {
    expect(bodyOf("utf-8", Buffer.from("a\r\nb\rc\r\r\nd\r"), "8bit")).toBe("a\nb\rc\r\nd\r");
  });

  test("each of a million", () => {
    const text = bodyOf("utf-8", Buffer.from("a\r\n".repeat(300_000)), "8bit");
    expect(text).toBe("a\n".repeat(300_000));
  });
});

test("quoted-printable: blanks at a line's end go, those that are encoded or before a soft break stay", () => {
  const written = "a \t\r\nb=20\r\nc =\r\n d =20 \r\ne=09\t\r\n  \r\nf";
  expect(bodyOf("utf-8", Buffer.from(written), "quoted-printable")).toBe("a\nb \nc  d  \ne\t\n\nf");
});

test.each([
  ["<meta charset=koi8-r>", "п"],
  ["<META http-equiv=x content='text/html; charset = koi8-r'>", "п"],
  ['<meta charset = " \n koi8-r\t">', "п"],
  ["<meta charset='koi8-r '>", "п"],
  ['<meta charset=" " ><meta charset="koi8-r">', "п"],
  ['<!-- <meta charset="utf-8"> --><meta charset="koi8-r">', "п"],
  ['<meta charset="koi8-r>">', "Ð"],
  [`<meta charset="${" ".repeat(1_000)}>">`, "Ð"],
])("the charset that an HTML text declares (case %#)", (meta, letter) => {
  const head = `Content-Type: text/html\n\n${meta}`;
  const { body } = messageFactsOf(Buffer.concat([Buffer.from(head), Buffer.from([0xd0])]));
  expect(body).toBe(letter);
});
