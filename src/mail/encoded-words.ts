/** Decodes the encoded words of header text (RFC 2047, with the language suffix of RFC 2231 §5). */

/** Decodes bytes of a named charset. Total: an unknown name is answered with the best guess. */
export type CharsetDecoder = (bytes: Uint8Array, charset: string) => string;

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64_VALUES: ReadonlyMap<string, number> = new Map(
  [...BASE64].map((letter, value) => [letter, value]),
);

const START = /=\?([\w.:+()-]{1,64})(?:\*[\w-]{0,64})?\?([QqBb])\?/y;

interface Word {
  readonly charset: string;
  readonly encoding: "Q" | "B";
  readonly text: string;
  readonly end: number;
}

const utf8 = new TextEncoder();

/** RFC 2047 §4.2: `_` is a space, `=XX` an octet; a `=` without two hex digits stands for itself. */
function decodeQ(text: string, out: number[]): void {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const hex = unit === 61 ? text.slice(index + 1, index + 3) : "";
    if (/^[0-9a-f]{2}$/i.test(hex)) {
      out.push(Number.parseInt(hex, 16));
      index += 2;
    } else if (unit === 95) {
      out.push(32);
    } else if (unit < 128) {
      out.push(unit);
    } else {
      const point = text.codePointAt(index)!;
      out.push(...utf8.encode(String.fromCodePoint(point)));
      if (point > 0xffff) index++;
    }
  }
}

/**
 * Decodes base64 over word borders: bits left at the end of a word without padding go on in the next, for
 * senders that cut anywhere. Letters that are not base64 are skipped.
 */
function base64Decoder(): (text: string, out: number[]) => void {
  let bits = 0;
  let count = 0;
  return (text, out) => {
    for (const letter of text) {
      const value = BASE64_VALUES.get(letter);
      if (letter === "=") count = 0;
      if (value === undefined) continue;
      bits = ((bits << 6) | value) & 0xfff;
      count += 6;
      if (count < 8) continue;
      count -= 8;
      out.push((bits >> count) & 0xff);
    }
  };
}

/** Finds words in one pass: the next `?=` is looked up once, so unclosed words cost no second scan. */
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

/** Decodes neighbours of one charset together, since a character may be split over two words. */
function decodeRun(words: readonly Word[], decode: CharsetDecoder): string {
  let text = "";
  let bytes: number[] = [];
  let base64 = base64Decoder();
  words.forEach((word, index) => {
    if (word.encoding === "B") {
      base64(word.text, bytes);
    } else {
      base64 = base64Decoder();
      decodeQ(word.text, bytes);
    }
    if (words[index + 1]?.charset === word.charset) return;
    text += decode(Uint8Array.from(bytes), word.charset);
    bytes = [];
    base64 = base64Decoder();
  });
  return text;
}

/**
 * The text with its encoded words decoded, and blanks between neighbouring words dropped. `text` is unfolded.
 * Words are taken wherever they stand, within quotes and without blanks around them too, as mail readers do.
 */
export function decodeEncodedWords(text: string, decode: CharsetDecoder): string {
  let from = text.indexOf("=?");
  if (from < 0) return text;
  const wordAt = wordReader(text);
  let out = text.slice(0, from);
  while (from >= 0) {
    const words: Word[] = [];
    let end = from;
    let at = from;
    for (;;) {
      const word = wordAt(at);
      if (word === null) break;
      words.push(word);
      end = word.end;
      at = end;
      while (text[at] === " " || text[at] === "\t") at++;
    }
    if (words.length === 0) end = from + 2;
    out += words.length === 0 ? "=?" : decodeRun(words, decode);
    from = text.indexOf("=?", end);
    out += text.slice(end, from < 0 ? undefined : from);
  }
  return out;
}
