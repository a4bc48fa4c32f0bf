/** Equality of any two values: numbers across types, lists and maps by content, all else only within its type. */
import { plainNumber } from "../values/arithmetic.ts";
import {
  type Abnormal,
  type CelMap,
  Double,
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
  const [left, right] = [plainNumber(a), plainNumber(b)];
  if (left !== undefined && right !== undefined) {
    const asDoubles = a instanceof Double || b instanceof Double;
    return asDoubles ? Number(left) === Number(right) : left === right;
  }
  if (a === null || b === null) return a === b;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return equalObjects(a, b, frame);
}

function equalObjects(a: object & Value, b: object & Value, frame: Frame): boolean | Abnormal {
  if (isList(a)) return isList(b) && equalLists(a, b, frame);
  if (isMap(a)) return isMap(b) && equalMaps(a, b, frame);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b, frame);
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Timestamp) {
    return b instanceof Timestamp && a.seconds === b.seconds && a.nanos === b.nanos;
  }
  if (a instanceof Optional) {
    if (!(b instanceof Optional)) return false;
    if (a.value === undefined || b.value === undefined) return a.value === b.value;
    return equalValues(a.value, b.value, frame);
  }
  if (typeNameOf(a) !== typeNameOf(b)) return false;
  return equalStructs(a as Struct, b as Struct, frame);
}

function equalLists(a: readonly Value[], b: readonly Value[], frame: Frame): boolean | Abnormal {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    const equal = equalValues(a[index]!, b[index]!, frame);
    if (equal !== true) return equal;
  }
  return true;
}

function equalMaps(a: CelMap, b: CelMap, frame: Frame): boolean | Abnormal {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
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

function equalStructs(a: Struct, b: Struct, frame: Frame): boolean | Abnormal {
  for (const field of Object.keys(a)) {
    const equal = equalValues(a[field]!, b[field]!, frame);
    if (equal !== true) return equal;
  }
  return true;
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
