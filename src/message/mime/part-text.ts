/** Decodes the text of one part. */

import { decodeCharset } from "../text/charset.ts";
import { joinFlowed } from "../text/flowed-text.ts";
import { metaCharset } from "./meta-charset.ts";
import type { MimePart } from "./part-reader.ts";
import { decodeTransfer } from "./transfer-decoding.ts";

const [LF, CR] = [10, 13];

/** Charsets in which the octets of CR and LF may mean something else, or line ends have other octets. */
const NOT_ASCII_BASED = /utf-?(?:7|16|32)|ucs|10646|unicode|ebcdic|37/i;

/** The buffer shared by all texts that fit in it. */
const shared = new Uint8Array(65_536);

/**
 * The octets with CRLF as LF, to be decoded before the next text. The time does not depend on the lines; in a string,
 * each line end would cost as much as a hundred letters.
 */
function withLf(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(CR)) return bytes;
  const end = bytes.length;
  const out = end <= shared.length ? shared : new Uint8Array(end);
  let length = 0;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at]!;
    out[length] = byte;
    // What follows overwrites the CR of a CRLF.
    if (byte !== CR || bytes[at + 1] !== LF) length++;
  }
  return out.subarray(0, length);
}

/** The text of a text part, with LF at line ends. Total; linear in the length of its content. */
export function decodeText(part: MimePart): string {
  const transferred = decodeTransfer(part.content, part.transferEncoding);
  const isAsciiBased = !NOT_ASCII_BASED.test(part.charset);
  const bytes = isAsciiBased ? withLf(transferred) : transferred;
  const own = part.charset === "" && part.contentType === "text/html" ? metaCharset(bytes) : "";
  const decoded = decodeCharset(bytes, part.charset || own || "us-ascii");
  const text = isAsciiBased ? decoded : decoded.replaceAll("\r\n", "\n");
  if (part.format === "fixed") return text;
  return joinFlowed(text, part.format === "flowed-delsp" ? "delsp" : "keep");
}
