/** Decodes the character references of HTML (§13.2.5.72); the names are a library's. */
import { DecodingMode, HtmlEntityDecoder } from "entities/decode";

const AMPERSAND = 38;

/** What the reference that was read last means; it is copied before another is read. */
const meant: number[] = [];
const decoder = new HtmlEntityDecoder((point) => meant.push(point));

/** Reads the reference whose `&` is at `at`: its code points are in `meaning`. The result is its end, `at` if none. */
export function referenceEnd(text: string, at: number): number {
  meant.length = 0;
  decoder.startEntity(DecodingMode.Legacy);
  const consumed = decoder.write(text, at + 1);
  return at + (consumed < 0 ? decoder.end() : consumed);
}

/** The code points, or halves of one, of the reference that was read last. */
export function meaning(): readonly number[] {
  return meant;
}

/** Whether what stands behind the `&` at `at` can make a character reference of it. */
export function beginsReference(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  const lower = next | 32;
  return next === 35 || (lower >= 97 && lower <= 122);
}

/** The value of an attribute with its references decoded, as text has them. */
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

export { AMPERSAND };
