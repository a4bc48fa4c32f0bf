/** Counts the octets of a part's content after transfer decoding (RFC 2045 §6.7, §6.8), without decoding it. */

import { hexValue } from "../text/octet-text.ts";
import type { MimePart } from "./part-reader.ts";

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

/** Counts content that comes piece by piece. */
export interface SizeCounter {
  push(content: Uint8Array): void;
  end(): number;
}

class Base64Size implements SizeCounter {
  #size = 0;
  #letters = 0;

  push(content: Uint8Array): void {
    let letters = this.#letters;
    for (let index = 0; index < content.length; index++) {
      const byte = content[index]!;
      letters += BASE64[byte]!;
      if (byte !== EQUALS) continue;
      this.#size += Math.floor((letters * 3) / 4);
      letters = 0;
    }
    this.#letters = letters;
  }

  end(): number {
    return this.#size + Math.floor((this.#letters * 3) / 4);
  }
}

/** The end of the content so far: anything else; `=`; `=` and a digit; `=` and blanks; the same and a CR. */
type Escape = "none" | "equals" | "digit" | "blanks" | "cr";

/** Blanks at the end of a line and soft line breaks count 0, `=XX` counts 1. */
class QuotedPrintableSize implements SizeCounter {
  #size = 0;
  /** Blanks that count unless the end of a line follows. */
  #blanks = 0;
  #escape: Escape = "none";

  push(content: Uint8Array): void {
    for (const byte of content) {
      if (this.#escape !== "none" && this.#passEscaped(byte)) continue;
      if (byte === SPACE || byte === TAB) {
        this.#blanks++;
        continue;
      }
      if (byte !== LF && byte !== CR) this.#size += this.#blanks;
      this.#blanks = 0;
      if (byte === EQUALS) this.#escape = "equals";
      else this.#size++;
    }
  }

  /** Takes an octet after a `=`; `false` if the `=` turns out to be a plain `=`. */
  #passEscaped(byte: number): boolean {
    const last = this.#escape;
    if (last === "equals" && hexValue(byte) >= 0) {
      this.#escape = "digit";
      return true;
    }
    if (last === "digit") {
      this.#escape = "none";
      this.#size += hexValue(byte) >= 0 ? 1 : 2;
      return hexValue(byte) >= 0;
    }
    if (byte === LF) {
      this.#escape = "none";
      this.#blanks = 0;
      return true;
    }
    if (last !== "cr" && (byte === SPACE || byte === TAB)) {
      this.#escape = "blanks";
      this.#blanks++;
      return true;
    }
    if (last !== "cr" && byte === CR) {
      this.#escape = "cr";
      return true;
    }
    this.#keepEquals();
    return false;
  }

  /** Counts the `=` and the octets after it as text. */
  #keepEquals(): void {
    this.#size++;
    if (this.#escape === "digit") this.#size++;
    if (this.#escape === "cr") {
      this.#size++;
      this.#blanks = 0;
    }
    this.#escape = "none";
  }

  end(): number {
    if (this.#escape === "digit" || this.#escape === "cr") this.#keepEquals();
    return this.#size;
  }
}

class PlainSize implements SizeCounter {
  #size = 0;

  push(content: Uint8Array): void {
    this.#size += content.length;
  }

  end(): number {
    return this.#size;
  }
}

/** A counter for content in a transfer encoding. */
export function sizeCounter(encoding: MimePart["transferEncoding"]): SizeCounter {
  if (encoding === "base64") return new Base64Size();
  return encoding === "quoted-printable" ? new QuotedPrintableSize() : new PlainSize();
}

export function decodedSize(part: MimePart): number {
  if (part.decodedSize !== undefined) return part.decodedSize;
  const counter = sizeCounter(part.transferEncoding);
  counter.push(part.content);
  return counter.end();
}
