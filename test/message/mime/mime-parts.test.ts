/** The parts of a message, well-formed and not. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { splitHeaderBlock } from "../../../src/message/header/header-block.ts";
import { findParts } from "../../../src/message/mime/mime-parts.ts";
import { decodeCharset } from "../../../src/message/text/charset.ts";

function find(text: string) {
  const bytes = Buffer.from(text);
  const block = splitHeaderBlock(bytes);
  return findParts(bytes, block.fields, block.bodyStart ?? bytes.length, decodeCharset);
}

/** `type|content` of each part, and the codes of the problems. */
function shape(text: string): [string[], string[]] {
  const { parts, problems } = find(text);
  return [
    parts.map((part) => `${part.contentType}|${Buffer.from(part.content).toString()}`),
    problems.map(({ code }) => code),
  ];
}

const MIXED = "Content-Type: multipart/mixed; boundary=b\n\n";

describe("findParts", () => {
  test.each([
    ["no MIME", "A: b\n\nhi\n", ["text/plain|hi\n"]],
    ["no body", "A: b\n\n", ["text/plain|"]],
    [
      "two parts",
      `${MIXED}pre\n--b\n\none\n--b\nContent-Type: text/html\n\ntwo\n--b--\nepilogue\n`,
      ["text/plain|one", "text/html|two"],
    ],
    ["CRLF", `${MIXED}--b\r\n\r\none\r\n\r\n--b--\r\n`, ["text/plain|one\r\n"]],
    [
      "trailing blanks on delimiters",
      `${MIXED}--b \t\n\none\n--b  \n\ntwo\n--b-- \n`,
      ["text/plain|one", "text/plain|two"],
    ],
    ["no closing delimiter", `${MIXED}--b\n\none\n`, ["text/plain|one\n"]],
    ["a delimiter at the end of the message", `${MIXED}--b\n\none\n--b--`, ["text/plain|one"]],
    ["empty parts", `${MIXED}--b\n\n--b\n\n\n--b--`, ["text/plain|", "text/plain|"]],
    [
      "a part of fields only",
      `${MIXED}--b\nContent-Type: text/html\n--b\n\nx\n--b--`,
      ["text/html|", "text/plain|x"],
    ],
    ["a part of content only", `${MIXED}--b\nhello there\n--b--`, ["text/plain|hello there"]],
    [
      "what only begins like a delimiter",
      `${MIXED}--b\n\n--bc\n--\n-- b\n --b\n--b-\n--b--c\n--b--`,
      ["text/plain|--bc\n--\n-- b\n --b\n--b-\n--b--c"],
    ],
    [
      "a closing delimiter before the first part",
      `${MIXED}--b--\n--b\n\none\n--b--`,
      ["text/plain|one"],
    ],
    [
      "delimiters after the closing one",
      `${MIXED}--b\n\none\n--b--\n--b\n\ntwo\n`,
      ["text/plain|one"],
    ],
    [
      "nested",
      `${MIXED}--b\nContent-Type: multipart/alternative; boundary="c c"\n\n--c c\n\none\n--c c--\n--b\n\ntwo\n--b--`,
      ["text/plain|one", "text/plain|two"],
    ],
    [
      "the inner one is never closed",
      `${MIXED}--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\none\n--b\n\ntwo\n--b--`,
      ["text/plain|one", "text/plain|two"],
    ],
    [
      "the inner boundary begins with the outer one",
      `${MIXED}--b\nContent-Type: multipart/alternative; boundary=b--\n\n--b--\n\none\n--b----\n--b\n\ntwo\n--b--`,
      ["text/plain|one", "text/plain|two"],
    ],
    [
      "a digest",
      "Content-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: x\n\ny\n--b--",
      ["message/rfc822|Subject: x\n\ny"],
    ],
    [
      "embedded-message: it is one part",
      `${MIXED}--b\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nx\n--c--\n--b--`,
      ["message/rfc822|Content-Type: multipart/mixed; boundary=c\n\n--c\n\nx\n--c--"],
    ],
    ["a type that is none", "Content-Type: text\n\nx", ["text/plain|x"]],
  ])("%s", (_name, text, parts) => {
    expect(shape(text)).toEqual([parts, []]);
  });

  test.each([
    ["no boundary", "Content-Type: multipart/mixed\n\n--b\n\none\n", ["text/plain|--b\n\none\n"]],
    ["no part", `${MIXED}one\n--c\n`, []],
    [
      "no part in an inner multipart",
      `${MIXED}--b\nContent-Type: multipart/mixed; boundary=c\n\none\n--b\n\ntwo\n--b--`,
      ["text/plain|two"],
    ],
  ])("a multipart with %s", (_name, text, parts) => {
    expect(shape(text)).toEqual([parts, ["missing-parts"]]);
  });

  test("a part says how to decode it", () => {
    const { parts } = find(
      "Content-Type: TEXT/Plain; charset=Latin1; format=flowed; delsp=yes; name=no\nContent-Transfer-Encoding: \"Base64\"\nContent-Disposition: attachment; filename*=utf-8''%C3%A9\n\n",
    );
    expect(parts[0]).toMatchObject({
      contentType: "text/plain",
      charset: "Latin1",
      transferEncoding: "base64",
      disposition: "attachment",
      filename: "é",
      format: "flowed-delsp",
    });
  });

  test.each([
    ["Quoted-Printable (really)", "quoted-printable"],
    ["base64; x=y", "base64"],
    ["8bit", "identity"],
    ["x-uuencode", "identity"],
  ])("the transfer encoding `%s` is %s", (value, expected) => {
    const { parts } = find(`Content-Transfer-Encoding: ${value}\n\n`);
    expect(parts[0]?.transferEncoding).toBe(expected);
  });

  test("a disposition that is not inline is an attachment, and `name` names a file", () => {
    const { parts } = find("Content-Type: text/plain; name=a.txt\nContent-Disposition: x\n\n");
    expect(parts[0]).toMatchObject({ disposition: "attachment", filename: "a.txt" });
  });

  test("parts beyond their number are dropped, and told", () => {
    const part = "--b\n\nx\n";
    const [some, fine] = shape(`${MIXED}${part.repeat(LIMITS.mimePartsMax)}--b--\n`);
    expect([some.length, fine]).toEqual([LIMITS.mimePartsMax, []]);
    const [most, codes] = shape(`${MIXED}${part.repeat(100_000)}--b--\n`);
    expect([most.length, codes]).toEqual([LIMITS.mimePartsMax, ["too-many-parts"]]);
  });

  test("multiparts nested too deep are not opened, and told", () => {
    const nest = (depth: number): string => {
      let text = "Content-Type: multipart/mixed; boundary=b0\n\n";
      for (let at = 1; at < depth; at++) {
        text += `--b${at - 1}\nContent-Type: multipart/mixed; boundary=b${at}\n\n`;
      }
      return `${text}--b${depth - 1}\n\nx`;
    };
    expect(shape(nest(LIMITS.mimeDepthMax))).toEqual([["text/plain|x"], []]);
    const [parts, codes] = shape(nest(100_000));
    expect(parts).toHaveLength(1);
    expect(parts[0]?.slice(0, 16)).toBe("multipart/mixed|");
    expect(codes).toEqual(["parts-too-deep"]);
  });
});
