/** Charsets that mail names. */
import { describe, expect, test } from "vitest";
import { decodeCharset } from "../../../src/message/text/charset.ts";

const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(" ", ""), "hex");

describe("decodeCharset", () => {
  test.each([
    ["utf-8", "c3a9", "é"],
    ["UTF8", "c3a9", "é"],
    ["utf-8", "ff", "\ufffd"],
    ["windows-1252", "80 8e 93 9f e9", "€Ž“Ÿé"],
    ["ISO-8859-1", "80 e9", "€é"],
    ["latin1", "99", "™"],
    ["us-ascii", "61", "a"],
    ["us-ascii", "c3a9", "é"],
    ["us-ascii", "e9", "é"],
    ["iso-8859-15", "a4", "€"],
    ["koi8-r", "d0", "п"],
    ["gb2312", "c4e3", "你"],
    ["big5", "a741", "你"],
    ["shift_jis", "93fa", "日"],
    ["euc-jp", "c6fc", "日"],
    ["iso-2022-jp", "1b2442 467c 1b2842", "日"],
    ["iso-2022-jp", "1b2442 467c 1b2842 1b2442 4b5c 1b2842", "日本"],
    ["utf-16le", "6100", "a"],
    [" UTF-8 ", "61", "a"],
    ["utf-7", "2b41", "+A"],
    ["base64", "5951", "YQ"],
    ["hex", "3631", "61"],
    ["iso-2022-kr", "61", "a"],
    ["constructor", "c3a9", "é"],
    ["__proto__", "e9", "é"],
    ["", "e9", "é"],
    [`"${" ".repeat(90)}koi8-r"`, "d0", "п"],
    // No charset's name is as long: trimming it took seconds.
    [`"${" ".repeat(200)}koi8-r"`, "d0", "Ð"],
    [`${";".repeat(60_000)}x`, "d0", "Ð"],
  ])("%s: %s is %s", (charset, bytes, expected) => {
    expect(decodeCharset(hex(bytes), charset)).toBe(expected);
  });

  test.each(["windows-1252", "iso-8859-1", "us-ascii"])(
    "%s: 0x80 to 0x9F are right on every Node, where TextDecoder is not",
    (charset) => {
      const bytes = Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index);
      const text = decodeCharset(bytes, charset).replaceAll("\ufffd", "");
      expect(text).toBe("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ");
    },
  );
});
