/** Decodes the character references of HTML (§13.2.5.72). A library has the names. */
import { DecodingMode, HtmlEntityDecoder } from "entities/decode";

/** The code points of the reference read last. Copy them before reading another. */
const meant: number[] = [];
const decoder = new HtmlEntityDecoder((point) => meant.push(point));

/**
 * Reads the reference whose `&` is at `at`; `meaning` then gives its code points. Returns its end, or `at` if there
 * is none.
 */
export function referenceEnd(text: string, at: number): number {
  meant.length = 0;
  decoder.startEntity(DecodingMode.Legacy);
  const consumed = decoder.write(text, at + 1);
  return at + (consumed < 0 ? decoder.end() : consumed);
}

/** The code points, or surrogates, of the reference read last. */
export function meaning(): readonly number[] {
  return meant;
}

/** Whether what follows the `&` at `at` can be a character reference. */
export function beginsReference(units: Uint16Array, at: number): boolean {
  const next = units[at + 1]!;
  const lower = next | 32;
  return next === 35 || (lower >= 97 && lower <= 122);
}

/** Decodes the character references in an attribute's value, by the rules for text. */
export function decodeReferences(text: string): string {
  let out = "";
  let from = 0;
  for (let at = text.indexOf("&"); at >= 0; ) {
    const end = referenceEnd(text, at);
    if (end > at) {
      out += text.slice(from, at);
      for (const point of meant) out += String.fromCodePoint(point);
      from = end;
    }
    at = text.indexOf("&", Math.max(end, at + 1));
  }
  return from === 0 ? text : out + text.slice(from);
}
