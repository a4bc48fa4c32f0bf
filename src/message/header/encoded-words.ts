/** Decodes the encoded words of header text (RFC 2047, with the language suffix of RFC 2231 §5). */
import { hexValue } from "../text/octet-text.ts";

/** Decodes bytes of a named charset. Total: for an unknown name it makes its best guess. */
export type CharsetDecoder = (bytes: Uint8Array, charset: string) => string;

/** The value of each ASCII letter of base64; 64 for `=`, 65 for characters to skip. */
const BASE64 = new Uint8Array(128).fill(65);
for (const [value, letter] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=",
].entries()) {
  BASE64[letter.charCodeAt(0)] = value;
}

/** A charset may be in quotes. */
const START = /=\?["']?([\w.:+()-]{1,64})["']?(?:\*[\w-]{0,64})?\?([QqBb])\?/y;

interface Word {
  readonly charset: string;
  readonly encoding: "Q" | "B";
  readonly text: string;
  readonly end: number;
}

const utf8 = new TextEncoder();
/** Octets that one code unit gives at most. */
const UNIT_OCTETS_MAX = 3;
const [EQUALS, QUESTION, UNDERSCORE] = [61, 63, 95];

/** The buffer shared by all runs of words that fit in it. */
const shared = new Uint8Array(4_096);

/** Collects octets in a buffer with room for all of them. They are decoded before the buffer is written to again. */
class Octets {
  readonly #octets: Uint8Array;
  #length = 0;
  /** Bits of base64 that do not make a whole octet yet, and their number. */
  #bits = 0;
  #bitCount = 0;

  constructor(units: number) {
    const most = units * UNIT_OCTETS_MAX;
    this.#octets = most <= shared.length ? shared : new Uint8Array(most);
  }

  /** RFC 2047 §4.2: `_` is a space, `=XX` an octet; a `=` without two hex digits is kept as `=`. */
  writeQ(text: string): void {
    this.#bitCount = 0;
    const octets = this.#octets;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      const high = unit === EQUALS ? hexValue(text.charCodeAt(index + 1)) : -1;
      const low = high < 0 ? -1 : hexValue(text.charCodeAt(index + 2));
      if (low >= 0) {
        octets[this.#length++] = high * 16 + low;
        index += 2;
      } else if (unit < 128) {
        octets[this.#length++] = unit === UNDERSCORE ? 32 : unit;
      } else {
        const letter = String.fromCodePoint(text.codePointAt(index)!);
        this.#length += utf8.encodeInto(letter, octets.subarray(this.#length)).written;
        index += letter.length - 1;
      }
    }
  }

  /**
   * Base64 continues from word to word: bits left at the end of a word without padding belong to the next word, since
   * some senders cut anywhere. Letters that are not base64 are skipped.
   */
  writeBase64(text: string): void {
    for (let index = 0; index < text.length; index++) {
      const value = BASE64[text.charCodeAt(index)] ?? 65;
      if (value === 64) this.#bitCount = 0;
      if (value > 63) continue;
      this.#bits = ((this.#bits << 6) | value) & 0xfff;
      this.#bitCount += 6;
      if (this.#bitCount < 8) continue;
      this.#bitCount -= 8;
      this.#octets[this.#length++] = this.#bits >> this.#bitCount;
    }
  }

  get written(): Uint8Array {
    return this.#octets.subarray(0, this.#length);
  }
}

/** Finds words in one pass. The next `?=` is searched for once, so unclosed words cost no second scan. */
function wordReader(text: string): (at: number) => Word | null {
  let close = -1;
  let closeFor = -1;
  const closeAfter = (from: number): number => {
    if (closeFor < 0 || (close >= 0 && close < from)) {
      close = text.indexOf("?=", from);
      closeFor = from;
    }
    return close;
  };
  return (at) => {
    const first = text.charCodeAt(at + 2);
    if (first === EQUALS || first === QUESTION) return null;
    START.lastIndex = at;
    const match = START.exec(text);
    if (match === null) return null;
    const start = START.lastIndex;
    const end = closeAfter(start);
    if (end < 0) return null;
    const content = text.slice(start, end);
    // A word within the word: the first was never closed.
    if (content.includes("=?")) return null;
    const encoding = match[2]!.toUpperCase() as "Q" | "B";
    return { charset: match[1]!.toLowerCase(), encoding, text: content, end: end + 2 };
  };
}

/** Decodes neighbouring words of one charset together, since a character may be split over two words. */
function decodeRun(words: readonly Word[], decode: CharsetDecoder): string {
  let text = "";
  for (let first = 0; first < words.length; ) {
    const { charset } = words[first]!;
    let [end, units] = [first, 0];
    while (words[end]?.charset === charset) units += words[end++]!.text.length;
    const octets = new Octets(units);
    for (const word of words.slice(first, end)) {
      if (word.encoding === "B") octets.writeBase64(word.text);
      else octets.writeQ(word.text);
    }
    text += decode(octets.written, charset);
    first = end;
  }
  return text;
}

/**
 * Decodes the encoded words of unfolded text and drops the blanks between neighbouring words. Like mail readers, it
 * takes a word anywhere, also inside quotes or without blanks around it.
 */
export function decodeEncodedWords(text: string, decode: CharsetDecoder): string {
  let at = text.indexOf("=?");
  if (at < 0) return text;
  const wordAt = wordReader(text);
  let out = "";
  /** Start of the text that is not written yet. */
  let from = 0;
  while (at >= 0) {
    const words: Word[] = [];
    let end = at;
    for (let next = at; ; ) {
      const word = wordAt(next);
      if (word === null) break;
      words.push(word);
      end = word.end;
      next = end;
      while (text[next] === " " || text[next] === "\t") next++;
    }
    if (words.length > 0) {
      out += text.slice(from, at) + decodeRun(words, decode);
      from = end;
    }
    at = text.indexOf("=?", words.length > 0 ? end : at + 2);
  }
  return out + text.slice(from);
}
