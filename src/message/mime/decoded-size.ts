/** Counts the octets of a part's content after transfer decoding (RFC 2045 §6.7, §6.8), without decoding it. */

import { hexValue } from "../text/octet-text.ts";
import type { MimePart } from "./mime-parts.ts";

const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;
const EQUALS = 61;

/** 1 for each octet of the base64 alphabet. A `=` ends a group of letters. */
const BASE64 = new Uint8Array(256);
for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
  BASE64[letter.charCodeAt(0)] = 1;
}

function base64Size(content: Uint8Array): number {
  let size = 0;
  let letters = 0;
  for (let index = 0; index < content.length; index++) {
    const byte = content[index]!;
    letters += BASE64[byte]!;
    if (byte !== EQUALS) continue;
    size += Math.floor((letters * 3) / 4);
    letters = 0;
  }
  return size + Math.floor((letters * 3) / 4);
}

/** Blanks at a line's end and soft line breaks count nothing, `=XX` counts one. */
function quotedPrintableSize(content: Uint8Array): number {
  let size = 0;
  let blanks = 0;
  for (let index = 0; index < content.length; index++) {
    const byte = content[index]!;
    if (byte === SPACE || byte === TAB) {
      blanks++;
      continue;
    }
    if (byte !== LF && byte !== CR) size += blanks;
    blanks = 0;
    if (byte !== EQUALS) {
      size++;
      continue;
    }
    if (hexValue(content[index + 1]) >= 0 && hexValue(content[index + 2]) >= 0) {
      size++;
      index += 2;
      continue;
    }
    let next = index + 1;
    while (content[next] === SPACE || content[next] === TAB) next++;
    if (content[next] === CR && content[next + 1] === LF) next++;
    const isSoft = next >= content.length || content[next] === LF;
    if (isSoft) index = next;
    else size++;
  }
  return size;
}

export function decodedSize(part: MimePart): number {
  if (part.transferEncoding === "base64") return base64Size(part.content);
  if (part.transferEncoding === "quoted-printable") return quotedPrintableSize(part.content);
  return part.content.length;
}
