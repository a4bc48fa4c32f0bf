/** Octets as glibc's iconv writes these texts. */
import { expect, test } from "vitest";
import { decodeCharset } from "../../../src/message/text/charset.ts";

const octets = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));

test.each([
  [
    "iso-2022-jp-3",
    "丂丐俱か゚㋐𠀋𡈽鷗噓①ゔ今",
    "1b24285021221b244250221b2428512e2124772c5b2e222f427e6574272d2124743a231b2842",
  ],
  ["ISO-2022-JP-2004", "か゚", "1b242851247724771b2842"],
  ["euc-jisx0213", "丂俱か゚㋐𠀋𡈽鷗①今A", "8fa1a2aea1a4f7acdbaea2afc2fee5ada1baa341"],
  ["euc-jis-2004", "今A日本", "baa341c6fccbdc"],
  ["euc-jp-ms", "髙﨑①№㈱今", "8ff4fb8ff4bdada1ade2adeabaa3"],
  ["CP51932", "日本", "c6fccbdc"],
])("%s: %s", (charset, text, hex) => {
  const twice = charset === "ISO-2022-JP-2004" ? text + text : text;
  expect(decodeCharset(octets(hex), charset)).toBe(twice);
});

test("what no table has, and what is cut, is replaced, and nothing after it is lost", () => {
  for (const charset of ["euc-jis-2004", "euc-jp-ms"]) {
    expect(decodeCharset(octets("ffff41"), charset)).toMatch(/\ufffd.*A$/);
    expect(decodeCharset(octets("c6fc8fa1"), charset)).toMatch(/^日\ufffd/);
    expect(decodeCharset(octets("c6fc8e"), charset)).toMatch(/^日\ufffd/);
    expect(decodeCharset(octets(""), charset)).toBe("");
  }
});

test("characters of the third set mean what each charset says", () => {
  // Row 84 holds IBM's in one, JIS X 0213's second plane in the other.
  expect(decodeCharset(octets("8ff4fb"), "euc-jp-ms")).toBe("髙");
  expect(decodeCharset(octets("8ff4fb"), "euc-jis-2004")).not.toBe("髙");
  // JIS X 0212, which EUC-JP has there.
  expect(decodeCharset(octets("8fb0a1"), "euc-jp-ms")).toBe("丂");
});
