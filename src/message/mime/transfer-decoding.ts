/** Decodes the content of a part from its transfer encoding, in linear time (RFC 2045 §6.7, §6.8). */

import { hexValue } from "../text/octet-text.ts";
import type { MimePart } from "./part-reader.ts";

const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;
const EQUALS = 61;

/** The value of each octet of the base64 alphabet; 64 for `=`, 65 for octets to skip. */
const BASE64 = new Uint8Array(256).fill(65);
for (const [value, letter] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=",
].entries()) {
  BASE64[letter.charCodeAt(0)] = value;
}

/**
 * Decodes base64 into `out` and returns the number of octets. Octets outside the alphabet are skipped. A `=` ends a
 * group, so that texts encoded one by one and then joined are read to the end.
 */
function base64(content: Uint8Array, out: Uint8Array): number {
  let length = 0;
  let index = 0;
  while (index < content.length) {
    const a = BASE64[content[index]!]!;
    const b = BASE64[content[index + 1]!] ?? 65;
    const c = BASE64[content[index + 2]!] ?? 65;
    const d = BASE64[content[index + 3]!] ?? 65;
    if ((a | b | c | d) < 64) {
      out[length] = (a << 2) | (b >> 4);
      out[length + 1] = (b << 4) | (c >> 2);
      out[length + 2] = (c << 6) | d;
      length += 3;
      index += 4;
      continue;
    }
    // A group with other octets in it, letter by letter.
    let bits = 0;
    let letters = 0;
    while (letters < 4 && index < content.length) {
      const value = BASE64[content[index++]!]!;
      if (value === 64) break;
      if (value > 64) continue;
      bits = (bits << 6) | value;
      letters++;
    }
    bits <<= 6 * (4 - letters);
    for (let octet = 1; octet < letters; octet++) out[length++] = (bits >> (24 - 8 * octet)) & 255;
  }
  return length;
}

/**
 * Where the line continues after a soft line break whose `=` is at `at`; `-1` if that is not a soft line break.
 * Blanks between the two are scanned once: without a line break they end at something else, so no later scan meets
 * them.
 */
function afterSoftBreak(content: Uint8Array, at: number): number {
  let next = at + 1;
  while (content[next] === SPACE || content[next] === TAB) next++;
  if (content[next] === CR && content[next + 1] === LF) return next + 2;
  return next >= content.length || content[next] === LF ? next + 1 : -1;
}

/** The length without the blanks at the end of what was written from `from` on. */
function withoutBlanks(out: Uint8Array, from: number, length: number): number {
  let end = length;
  while (end > from && (out[end - 1] === SPACE || out[end - 1] === TAB)) end--;
  return end;
}

/** Decodes quoted-printable into `out` and returns the number of octets. Drops blanks at the end of a line. */
function quotedPrintable(content: Uint8Array, out: Uint8Array): number {
  let length = 0;
  /** Blanks before this position were encoded and stay; those after it are dropped at the end of a line. */
  let meant = 0;
  for (let index = 0; index < content.length; index++) {
    const byte = content[index]!;
    // Most octets are letters.
    if (byte > EQUALS) {
      out[length++] = byte;
      continue;
    }
    if (byte === LF || byte === CR) length = withoutBlanks(out, meant, length);
    if (byte !== EQUALS) {
      out[length++] = byte;
      continue;
    }
    const high = hexValue(content[index + 1]);
    const low = hexValue(content[index + 2]);
    const next = high < 0 || low < 0 ? afterSoftBreak(content, index) : -1;
    if (high >= 0 && low >= 0) {
      out[length++] = high * 16 + low;
      index += 2;
    } else if (next >= 0) {
      index = next - 1;
    } else {
      out[length++] = byte;
    }
    meant = length;
  }
  return withoutBlanks(out, meant, length);
}

/** Decodes the octets of a part from its transfer encoding. Returns `content` itself if it is not encoded. Total. */
export function decodeTransfer(
  content: Uint8Array,
  encoding: MimePart["transferEncoding"],
): Uint8Array {
  if (encoding === "identity") return content;
  const out = new Uint8Array(content.length + 2);
  const length = encoding === "base64" ? base64(content, out) : quotedPrintable(content, out);
  return out.subarray(0, length);
}
