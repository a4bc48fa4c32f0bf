/** Values are copied and frozen on their way into a store, so that no caller holds a part that could change. */
import { LIMITS } from "../../base/limits.ts";

function storedText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "") : wellFormed;
}

const OWN = { enumerable: true, configurable: true, writable: true } as const;

function storedNumber(number: number): number {
  if (!Number.isFinite(number)) {
    throw new TypeError(`\`${number}\` cannot be stored: store a finite number or null`);
  }
  return number === 0 ? 0 : number;
}

function storedObject(object: object, depth: number): object {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    const name = object.constructor?.name ?? "object";
    throw new TypeError(`a \`${name}\` cannot be stored: store plain objects and arrays`);
  }
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    const value = stored((object as Readonly<Record<string, unknown>>)[name], depth);
    // An assignment would set the prototype.
    if (name === "__proto__") Object.defineProperty(copy, name, { value, ...OWN });
    else copy[storedText(name)] = value;
  }
  return copy;
}

function stored(value: unknown, depth: number): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return storedText(value);
  if (typeof value === "number") return storedNumber(value);
  if (typeof value !== "object") {
    throw new TypeError(`a value of type \`${typeof value}\` cannot be stored: leave it out`);
  }
  if (depth === LIMITS.storedDepthMax) {
    throw new RangeError(`a value deeper than \`${depth}\` levels cannot be stored: flatten it`);
  }
  const isList = Array.isArray(value);
  return Object.freeze(
    isList ? value.map((item) => stored(item, depth + 1)) : storedObject(value, depth + 1),
  );
}

/**
 * A frozen copy that survives JSON unchanged. NUL is removed from texts and lone surrogates become U+FFFD, because SQL texts
 * cannot contain them. Throws for values that JSON would lose: undefined, NaN, dates, functions.
 */
export function storedValue<Value>(value: Value): Value {
  return stored(value, 0) as Value;
}

/** Freezes a value parsed from JSON, with all its parts. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const item of Object.values(value)) freezeDeep(item);
  return Object.freeze(value);
}
