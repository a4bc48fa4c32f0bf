/** The order of two values of one type: negative, zero or positive; `NaN` where there is none. */
import { Double, type Duration, type Int, type Timestamp, Uint, type Value } from "./value.ts";

/** A number of any type, in a form that JavaScript compares exactly across `number` and `bigint`. */
export function plainNumber(value: Value): Int | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Double || value instanceof Uint) return value.value;
  return undefined;
}

/** Numbers of any types: ints with uints exactly, either with doubles as doubles. NaN has no order. */
export function compareNumbers(a: Value, b: Value): number {
  const asDoubles = a instanceof Double || b instanceof Double;
  const [left, right] = [plainNumber(a)!, plainNumber(b)!];
  return asDoubles ? difference(Number(left), Number(right)) : difference(left, right);
}

function difference(a: Int, b: Int): number {
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN;
}

/** By code points, which is not the order of UTF-16 code units: surrogates sort above U+E000 to U+FFFF. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left === right) continue;
    const surrogates = Number(isSurrogate(left)) - Number(isSurrogate(right));
    return surrogates !== 0 && left >= 0xd800 && right >= 0xd800 ? surrogates : left - right;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    if (a[index] !== b[index]) return a[index]! - b[index]!;
  }
  return a.length - b.length;
}

export function compareTimestamps(a: Timestamp, b: Timestamp): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}

export function compareDurations(a: Duration, b: Duration): number {
  return difference(a.nanos, b.nanos);
}
