/** The facts of a header block. */
import { describe, expect, test } from "vitest";
import { readHeaderFacts } from "../../src/mail/header-facts.ts";
import { decodeCharset } from "../../src/message/charset.ts";

const read = (text: string) => readHeaderFacts(Buffer.from(text, "latin1"), decodeCharset);
const subject = (text: string): string => read(`Subject: ${text}\n\n`).subject;

describe("the sender", () => {
  test.each([
    ["one mailbox", "From: Ada <Ada@B.test>\n", "ada@b.test"],
    ["several: the first", "From: a@b.test, c@d.test\n", "a@b.test"],
    ["several: the first that is usable", "From: Milka, root@localhost, <x@y.test>\n", "x@y.test"],
    ["several fields: the first that is usable", "From: <>\nFrom: x@y.test\n", "x@y.test"],
    ["a quoted address is a name", 'From: "a@b.test", <c@d.test>\n', "c@d.test"],
    ["an encoded word is a name", "From: =?utf-8?Q?ceo=40bank.test?= <x@y.test>\n", "x@y.test"],
    ["an encoded word alone is no address", "From: =?utf-8?Q?ceo=40bank.test?=\n", null],
    ["folded", "From: Ada\n <a@b.test>\n", "a@b.test"],
    ["none", "Sender: a@b.test\n", null],
  ])("%s", (_name, header, from) => {
    expect(read(`${header}\n`).from).toBe(from);
  });
});

describe("header-text: the subject", () => {
  test.each([
    ["plain", "hello", "hello"],
    ["missing", "", ""],
    ["folded", "a\r\n b\n\tc", "a b c"],
    ["encoded", "=?utf-8?Q?=C3=A9?=", "é"],
    ["words over a fold", "=?utf-8?Q?=C3?=\r\n =?utf-8?Q?=A9?= x", "é x"],
    ["controls in encoded words", "=?utf-8?Q?a=0D=0ABcc:_b=00c=7Fd=C2=85e?=", "aBcc: bcde"],
    ["raw controls", "a\x00b\x08c\rd\te", "abcd e"],
    ["blanks at the ends", "=?utf-8?Q?_a_?=", "a"],
    ["a lone surrogate", "=?utf-16le?B?PdhhAA==?=", "\ufffda"],
  ])("%s", (_name, text, expected) => {
    expect(subject(text)).toBe(expected);
  });

  test("of two the first counts", () => {
    expect(read("Subject: a\nSubject: b\n\n").subject).toBe("a");
  });
});

describe("undeclared-8bit", () => {
  test("octets above 127 are UTF-8 where valid", () => {
    expect(subject("caf\xc3\xa9")).toBe("café");
  });

  test("else windows-1252, on Node 20 too", () => {
    expect(subject("\x80 5 \x93x\x94 caf\xe9")).toBe("€ 5 “x” café");
  });
});

describe("the headers", () => {
  test("are in order, by lower-case name, decoded", () => {
    const { headers } = read("Received: b\nX-A: =?utf-8?Q?=C3=A9?=\nRECEIVED: a\n c\n\nTo: no\n");
    expect([...headers]).toEqual([
      ["received", ["b", "a c"]],
      ["x-a", ["é"]],
    ]);
  });

  test("may have any name", () => {
    const { headers } = read("constructor: a\n__proto__: b\ntoString: c\n\n");
    expect([...headers.keys()]).toEqual(["constructor", "__proto__", "tostring"]);
    expect(headers.get("__proto__")).toEqual(["b"]);
  });
});
