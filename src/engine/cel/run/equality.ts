/**
 * Equality of any two values: numbers across types, lists and maps by content, all else only within its type; and the order
 * of two values of one type: negative, zero or positive, `NaN` where there is none.
 */
import {
  type Abnormal,
  type CelMap,
  Double,
  Duration,
  EXHAUSTED,
  type Int,
  isList,
  isMap,
  keyOf,
  Optional,
  type Struct,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
  type Value,
} from "../values/value.ts";
import { type Frame, overspends } from "./frame.ts";

/** Fuel of two values of which at least one is an object, such as a uint: measured at 25 ns. */
const OBJECT_FUEL = 2;

/** Costs one per element and per character that may be compared. Deep values share parts, so every visit costs. */
export function equalValues(a: Value, b: Value, frame: Frame): boolean | Abnormal {
  if (typeof a === "string" || typeof b === "string") {
    if (typeof a !== typeof b || (a as string).length !== (b as string).length) return false;
    return overspends(frame, (a as string).length) ? EXHAUSTED : a === b;
  }
  if (overspends(frame, 1)) return EXHAUSTED;
  // Before all else, because lists of lists that share parts are compared the most often.
  if (isList(a)) return isList(b) && equalLists(a, b, frame);
  if (typeof a !== "object" && typeof a === typeof b) return a === b;
  if (overspends(frame, OBJECT_FUEL)) return EXHAUSTED;
  if (plainNumber(a) !== undefined && plainNumber(b) !== undefined) {
    return compareNumbers(a, b) === 0;
  }
  if (a === null || b === null) return a === b;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return equalObjects(a, b, frame);
}

function equalObjects(a: object & Value, b: object & Value, frame: Frame): boolean | Abnormal {
  if (isMap(a)) {
    return isMap(b) && a.size === b.size && equalEntries(a, (key) => b.get(key), frame);
  }
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b, frame);
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Timestamp) return b instanceof Timestamp && compareTimestamps(a, b) === 0;
  if (a instanceof Optional) {
    if (!(b instanceof Optional)) return false;
    if (a.value === undefined || b.value === undefined) return a.value === b.value;
    return equalValues(a.value, b.value, frame);
  }
  if (typeNameOf(a) !== typeNameOf(b)) return false;
  return equalEntries(Object.entries(a as Struct), (field) => (b as Struct)[field], frame);
}

function equalLists(a: readonly Value[], b: readonly Value[], frame: Frame): boolean | Abnormal {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    const equal = equalValues(a[index]!, b[index]!, frame);
    if (equal !== true) return equal;
  }
  return true;
}

/** Fuel of an entry, besides its value: measured at 30 ns. */
const ENTRY_FUEL = 3;

/** Whether each entry has an equal one. */
function equalEntries<K>(
  entries: Iterable<readonly [K, Value]>,
  otherOf: (key: K) => Value | undefined,
  frame: Frame,
): boolean | Abnormal {
  for (const [key, value] of entries) {
    if (overspends(frame, ENTRY_FUEL)) return EXHAUSTED;
    const other = otherOf(key);
    if (other === undefined) return false;
    const equal = equalValues(value, other, frame);
    if (equal !== true) return equal;
  }
  return true;
}

function equalBytes(a: Uint8Array, b: Uint8Array, frame: Frame): boolean | Abnormal {
  if (a.length !== b.length) return false;
  return overspends(frame, a.length) ? EXHAUSTED : compareBytes(a, b) === 0;
}

/** `item in range`; for a map, whether it has the key. */
export function includesValue(
  item: Value,
  range: readonly Value[] | CelMap,
  frame: Frame,
): boolean | Abnormal {
  if (isMap(range)) {
    const key = keyOf(item);
    return key !== undefined && range.has(key);
  }
  for (const element of range) {
    // Comparing strings of other lengths is free.
    if (overspends(frame, 1)) return EXHAUSTED;
    const equal = equalValues(item, element, frame);
    if (equal !== false) return equal;
  }
  return false;
}

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
