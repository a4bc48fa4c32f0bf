/** Encoded words: RFC 2047's own examples, and what senders do instead. */
import { describe, expect, test } from "vitest";
import { decodeEncodedWords } from "../../../src/message/header/encoded-words.ts";
import { decodeCharset } from "../../../src/message/text/charset.ts";

const decode = (text: string): string => decodeEncodedWords(text, decodeCharset);

describe("decodeEncodedWords", () => {
  test.each([
    ["nothing", "plain text", "plain text"],
    ["Q", "=?utf-8?Q?caf=C3=A9_au_lait?=", "café au lait"],
    ["B", "=?UTF-8?B?Y2Fmw6k=?=", "café"],
    ["lower-case q and hex", "=?iso-8859-1?q?caf=e9?=", "café"],
    ["RFC 2047 §8: blanks between words vanish", "=?ISO-8859-1?Q?a?=  \t=?ISO-8859-1?Q?b?=", "ab"],
    ["RFC 2047 §8: blanks before text stay", "=?ISO-8859-1?Q?a?= b", "a b"],
    ["RFC 2047 §8: _ is a blank", "=?ISO-8859-1?Q?a_b?=", "a b"],
    ["RFC 2231 §5: a language suffix", "=?us-ascii*en-GB?Q?colour?=", "colour"],
    ["a character split over Q words", "=?utf-8?Q?=C3?= =?utf-8?Q?=A9?=", "é"],
    ["a character split over B words", "=?utf-8?B?4oI=?= =?UTF-8?B?rA==?=", "€"],
    ["a character split over a B and a Q word", "=?utf-8?B?4oI=?= =?utf-8?Q?=AC?=", "€"],
    [
      "base64 cut anywhere, without padding",
      "=?utf-8?B?Y2Fm?= =?utf-8?B?w6?= =?utf-8?B?k=?=",
      "café",
    ],
    ["two charsets are not joined", "=?utf-8?Q?=C3?= =?iso-8859-1?Q?=E9?=", "\ufffdé"],
    ["junk in base64", "=?utf-8?B?Y2 F*m-w6k=?=", "café"],
    ["an unknown charset", "=?x-nobody?Q?caf=C3=A9?=", "café"],
    ["an unknown charset, not UTF-8", "=?x-nobody?Q?caf=E9?=", "café"],
    ["a charset that is a transfer encoding", "=?base64?Q?abc?=", "abc"],
    ["UTF-7", "=?utf-7?Q?+ADw-?=", "<"],
    ["ISO-2022-JP", "=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=", "日本"],
    [
      "ISO-2022-JP over two words",
      "=?iso-2022-jp?B?GyRCRnwbKEI=?= =?iso-2022-jp?B?GyRCS1wbKEI=?=",
      "日本",
    ],
    ["EUC-KR", "=?euc-kr?B?sKE=?=", "가"],
    ["a word within quotes", '"=?utf-8?Q?=C3=A9?=" x', '"é" x'],
    ["a word without blanks around it", "a=?utf-8?Q?=C3=A9?=b", "aéb"],
    ["blanks within a word", "=?utf-8?Q?a b?=", "a b"],
    ["a question mark within a word", "=?utf-8?Q?why??=", "why?"],
    ["an equals sign before the end", "=?utf-8?Q?a=?=", "a="],
    ["raw text above ASCII within a word", "=?utf-8?Q?\u{1f600}é?=", "\u{1f600}é"],
    ["a word that never ends", "=?utf-8?Q?abc", "=?utf-8?Q?abc"],
    ["a word that the next one ends", "=?utf-8?Q?a =?utf-8?Q?b?=", "=?utf-8?Q?a b"],
    ["no word: an encoding nobody has", "=?utf-8?X?abc?=", "=?utf-8?X?abc?="],
    ["no word: no charset", "=??Q?abc?=", "=??Q?abc?="],
    ["an empty word", "a =?utf-8?Q??= b", "a  b"],
    ["a stray opening", "=?=?utf-8?Q?a?=", "=?a"],
  ])("%s", (_name, text, expected) => {
    expect(decode(text)).toBe(expected);
  });

  test("64 KB of words that never end are read in linear time", () => {
    const text = "=?utf-8?Q?".repeat(6_500);
    expect(decode(text)).toBe(text);
    expect(decode(`${text}?=`)).toBe(text.slice(0, -10));
  });
});
