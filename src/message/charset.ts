/** Decodes bytes of the charsets that mail names, total, with the guesses that mail in the wild needs. */
import { isUtf8 } from "node:buffer";
import iconv from "iconv-lite";

/** What mail calls ISO-8859-1 and ASCII is windows-1252 in practice (WHATWG Encoding §4.2). */
const WINDOWS_1252 =
  /^(?:(?:us-?)?ascii|(?:x-)?ansi|iso-?8859-?1|latin-?1|l1|cp-?1252|x-cp1252|windows-?1252)$/;
/** Transfer encodings and UTF-7, which iconv-lite knows as charsets and nobody means. */
const REFUSED = /^(?:base64|hex|binary|utf-?7(?:-?imap)?|unicode-1-1-utf-7)$/;

const utf8 = new TextDecoder("utf-8");

function guess(bytes: Uint8Array): string {
  return isUtf8(bytes) ? utf8.decode(bytes) : iconv.decode(bytes, "windows-1252");
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
 * The text of `bytes`. Node 20's TextDecoder reads windows-1252 wrongly for 0x80–0x9F, so it is asked only for
 * what iconv-lite lacks, the ISO-2022 family. A charset nobody knows is UTF-8 where valid, else windows-1252.
 */
export function decodeCharset(bytes: Uint8Array, charset: string): string {
  const name = charset.trim().toLowerCase();
  if (/^utf-?8$/.test(name)) return utf8.decode(bytes);
  if (/^(?:us-?)?ascii$/.test(name)) return guess(bytes);
  if (WINDOWS_1252.test(name)) return iconv.decode(bytes, "windows-1252");
  if (REFUSED.test(name)) return guess(bytes);
  if (iconv.encodingExists(name)) return iconv.decode(bytes, name);
  try {
    return new TextDecoder(name).decode(withoutIdleEscapes(bytes));
  } catch {
    return guess(bytes);
  }
}
