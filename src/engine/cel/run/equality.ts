/** Equality of any two values: numbers across types, lists and maps by content, all else only within its type. */
import { compareNumbers, compareTimestamps, plainNumber } from "../values/order.ts";
import {
  type Abnormal,
  type CelMap,
  Duration,
  EXHAUSTED,
  isList,
  isMap,
  keyOf,
  Optional,
  type Struct,
  Timestamp,
  TypeValue,
  typeNameOf,
  type Value,
} from "../values/value.ts";
import { type Frame, overspends } from "./frame.ts";

/** Costs one per element and per character that may be compared. Deep values share parts, so every visit costs. */
export function equalValues(a: Value, b: Value, frame: Frame): boolean | Abnormal {
  if (typeof a === "string" || typeof b === "string") {
    if (typeof a !== typeof b || (a as string).length !== (b as string).length) return false;
    return overspends(frame, (a as string).length) ? EXHAUSTED : a === b;
  }
  if (overspends(frame, 1)) return EXHAUSTED;
  if (typeof a !== "object" && typeof a === typeof b) return a === b;
  if (plainNumber(a) !== undefined && plainNumber(b) !== undefined) {
    return compareNumbers(a, b) === 0;
  }
  if (a === null || b === null) return a === b;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return equalObjects(a, b, frame);
}

function equalObjects(a: object & Value, b: object & Value, frame: Frame): boolean | Abnormal {
  if (isList(a)) return isList(b) && equalLists(a, b, frame);
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

/** Whether each entry has an equal one. */
function equalEntries<K>(
  entries: Iterable<readonly [K, Value]>,
  otherOf: (key: K) => Value | undefined,
  frame: Frame,
): boolean | Abnormal {
  for (const [key, value] of entries) {
    const other = otherOf(key);
    if (other === undefined) return false;
    const equal = equalValues(value, other, frame);
    if (equal !== true) return equal;
  }
  return true;
}

function equalBytes(a: Uint8Array, b: Uint8Array, frame: Frame): boolean | Abnormal {
  if (a.length !== b.length) return false;
  if (overspends(frame, a.length)) return EXHAUSTED;
  return a.every((octet, index) => octet === b[index]);
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
    const equal = equalValues(item, element, frame);
    if (equal !== false) return equal;
  }
  // Comparing strings of other lengths was free above, so the loop is charged here.
  return overspends(frame, range.length) ? EXHAUSTED : false;
}
