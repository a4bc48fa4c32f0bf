/** Text that switches its charset at every character. */
import { expect, test } from "vitest";
import { decodeCharset } from "../../../src/message/text/charset.ts";
import { decodeHz, decodeIso2022 } from "../../../src/message/text/iso-2022.ts";

const [COUNT, CHARSETS_MAX] = [2_000, 4];

test.each([
  ["iso-2022-jp", "\x8f\xb1", "\ufffdｱ"],
  ["iso-2022-jp-2", "\x1b$BF|\x1b$AVP\x1b$(C0!\x1b(Ba\n", "日中가a\n"],
  ["iso-2022-kr", "a\x1b$)C\x0e0!\x0f", "a가"],
  ["hz-gb-2312", "a~{VP~}", "a中"],
])("%s: each charset is decoded at once", (name, piece, expected) => {
  let calls = 0;
  const decode = (bytes: Uint8Array, charset: string): string => {
    calls++;
    return decodeCharset(bytes, charset);
  };
  const bytes = Buffer.from(piece.repeat(COUNT), "latin1");
  const text = name.startsWith("hz") ? decodeHz(bytes, decode) : decodeIso2022(bytes, name, decode);
  expect(text).toBe(expected.repeat(COUNT));
  expect(calls).toBeLessThanOrEqual(CHARSETS_MAX);
});
