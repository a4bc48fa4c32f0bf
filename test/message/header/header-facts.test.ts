/** The facts of a header block. */
import { describe, expect, test } from "vitest";
import { readHeaderFacts } from "../../../src/message/header/header-facts.ts";
import { decodeCharset } from "../../../src/message/text/charset.ts";

const read = (text: string) => readHeaderFacts(Buffer.from(text, "latin1"), decodeCharset);
const subject = (text: string): string => read(`Subject: ${text}\n\n`).subject;

describe("the sender", () => {
  test.each([
    ["one mailbox", "From: Ada <Ada@B.test>\n", "ada@b.test"],
    ["several: the first", "From: a@b.test, c@d.test\n", "a@b.test"],
    [
      "several: the first as written",
      "From: Milka, root@localhost, <x@y.test>\n",
      "root@localhost",
    ],
    ["several fields: the first that has one", "From: <>\nFrom: x@y.test\n", "x@y.test"],
    ["a host of one label", "From: Correios <Contato@Correios>\n", "contato@correios"],
    ["odd letters in the domain", "From: <a@ex_ample!.c$om>\n", "a@ex_ample!.c$om"],
    ["a long local part", `From: <${"a".repeat(65)}@b.test>\n`, `${"a".repeat(65)}@b.test`],
    ["two dots", "From: <a..b@c..test>\n", "a..b@c..test"],
    ["a dot at the end", "From: Ann <ann@x.test.>\n", "ann@x.test."],
    ["two at signs", "From: <a@b@c.test>\n", "a@b@c.test"],
    ["two at signs without brackets", "From: Ann a@b@c.test\n", "a@b@c.test"],
    ["an unclosed quote", 'From: "Ann <ann@x.test>\n', "ann@x.test"],
    ["an unclosed quote and a comma", 'From: "Ann, <ann@x.test>\n', "ann@x.test"],
    ["a group", "From: Team: Ann <ann@one>, bob@x.test;\n", "ann@one"],
    ["an empty group", "From: Team:;\n", null],
    ["a word before and behind", "From: Ann ann@one (Ann) here\n", "ann@one"],
    ["a quoted address alone is a name", 'From: "ann@x.test"\n', null],
    ["nothing on either side", "From: <@>\n", null],
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
