/** Line endings, however a message is cut into chunks. */
import { describe, expect, test } from "vitest";
import { lineEndings } from "../../../src/message/text/line-endings.ts";

function read(text: string, chunkLength: number): string {
  const endings = lineEndings();
  let out = "";
  for (let at = 0; at < text.length; at += chunkLength) {
    out += Buffer.from(endings.push(Buffer.from(text.slice(at, at + chunkLength)))).toString();
  }
  return out + Buffer.from(endings.end()).toString();
}

describe.each([1, 2, 3, 7, 100])("lone-cr: in chunks of %i", (chunkLength) => {
  test.each([
    ["CRLF stays", "a\r\nb\rc\n\r\n", "a\r\nb\rc\n\r\n"],
    ["LF stays", "a\nb\r\rc\n", "a\nb\r\rc\n"],
    ["CR CR LF stays", "a\r\r\nb\r", "a\r\r\nb\r"],
    ["lone CR becomes LF", "a\rb\r\rc\r", "a\nb\n\nc\n"],
    ["after a lone CR, CRLF becomes LF", "a\rb\r\n\r\nc\n\n", "a\nb\n\nc\n\n"],
    ["a lone CR at the end", "a\r", "a\n"],
    ["CRs at the end", "a\r\r", "a\n\n"],
    ["no line ending", "abc", "abc"],
    ["nothing", "", ""],
  ])("%s", (_name, text, expected) => {
    expect(read(text, chunkLength)).toBe(expected);
  });
});
