/** Positions in strings by code point, as CEL counts them, over JavaScript's UTF-16 code units. */
import type { Int } from "./value.ts";

const SURROGATE = /[\ud800-\udfff]/;

/** Code points; the common text without surrogates costs one native scan. */
export function codePointLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let count = text.length;
  for (let at = 1; at < text.length; at++) if (isPairAt(text, at - 1)) count--;
  return count;
}

/** Whether the code unit is the first of a surrogate pair. */
export function isPairAt(text: string, unit: number): boolean {
  return (
    (text.charCodeAt(unit) & 0xfc00) === 0xd800 && (text.charCodeAt(unit + 1) & 0xfc00) === 0xdc00
  );
}

/** The code unit at which a code point starts; the text's length for its end, `-1` before the text and beyond. */
export function unitOffset(text: string, point: Int): number {
  if (point < 0) return -1;
  if (!SURROGATE.test(text)) return point <= text.length ? Number(point) : -1;
  let unit = 0;
  for (let index = 0; index < point; index++) {
    if (unit >= text.length) return -1;
    unit += text.codePointAt(unit)! > 0xffff ? 2 : 1;
  }
  return unit;
}

/** The position of the code point that starts at a code unit; `-1` for `-1`. */
export function pointOffset(text: string, unit: number): number {
  return unit < 0 ? -1 : codePointLength(text.slice(0, unit));
}
