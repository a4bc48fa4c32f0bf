/** Decodes bytes of the charsets that mail names, total, with the guesses that mail in the wild needs. */
import { isAscii, isUtf8 } from "node:buffer";
import iconv from "iconv-lite";
import { octetText, SHORT_OCTETS } from "../mail/octet-text.ts";

const UTF_8 = /^utf-?8$/;
const ASCII = /^(?:us-?)?ascii$/;
/** What mail calls ISO-8859-1 is windows-1252 in practice (WHATWG Encoding §4.2). */
const WINDOWS_1252 = /^(?:(?:x-)?ansi|iso-?8859-?1|latin-?1|l1|cp-?1252|x-cp1252|windows-?1252)$/;
/** Others in which an octet below 128 is what it is in ASCII, wherever it stands. */
const ASCII_BASED = /^(?:iso-?8859-?\d\d?|(?:windows|cp)-?125\d|koi8-[ru])$/;
/** Transfer encodings and UTF-7, which iconv-lite knows as charsets and nobody means. */
const REFUSED = /^(?:base64|hex|binary|utf-?7(?:-?imap)?|unicode-1-1-utf-7)$/;

const utf8 = new TextDecoder("utf-8");

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function fromAscii(bytes: Uint8Array): string {
  return bytes.length <= SHORT_OCTETS ? octetText(bytes) : bufferOf(bytes).toString("latin1");
}

function hasOnlyAscii(bytes: Uint8Array): boolean {
  return bytes.length <= SHORT_OCTETS ? bytes.every((byte) => byte < 128) : isAscii(bytes);
}

const C1 = /[\u0080-\u009f]/g;
const C1_LETTERS = iconv.decode(
  Buffer.from(Array.from({ length: 32 }, (_, index) => 0x80 + index)),
  "windows-1252",
);

/** The letters of windows-1252 are those of ISO-8859-1 but for 0x80 to 0x9F. */
function fromWindows1252(bytes: Uint8Array): string {
  const text = bufferOf(bytes).toString("latin1");
  return text.replace(C1, (letter) => C1_LETTERS[letter.charCodeAt(0) - 0x80]!);
}

function guess(bytes: Uint8Array): string {
  return isUtf8(bytes) ? utf8.decode(bytes) : fromWindows1252(bytes);
}

/**
 * ISO-2022 without escape sequences that another one follows at once, which joined encoded words leave: TextDecoder
 * answers those with U+FFFD.
 */
function withoutIdleEscapes(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString("latin1");
  return Buffer.from(text.replace(/\u001b(?:\$?\([A-Z]|\$[@-B])(?=\u001b)/g, ""), "latin1");
}

/**
 * The text of `bytes`. Node 20's TextDecoder reads windows-1252 wrongly for 0x80–0x9F, so it is asked only for UTF-8
 * and for what iconv-lite lacks, the ISO-2022 family. A charset nobody knows is UTF-8 where valid, else windows-1252.
 */
export function decodeCharset(bytes: Uint8Array, charset: string): string {
  const name = charset.trim().toLowerCase();
  const is8Bit = !hasOnlyAscii(bytes);
  if (UTF_8.test(name)) return is8Bit ? utf8.decode(bytes) : fromAscii(bytes);
  if (ASCII.test(name)) return is8Bit ? guess(bytes) : fromAscii(bytes);
  if (!is8Bit && ASCII_BASED.test(name)) return fromAscii(bytes);
  if (WINDOWS_1252.test(name)) return fromWindows1252(bytes);
  if (REFUSED.test(name)) return guess(bytes);
  if (iconv.encodingExists(name)) return iconv.decode(bytes, name);
  try {
    return new TextDecoder(name).decode(withoutIdleEscapes(bytes));
  } catch {
    return guess(bytes);
  }
}
