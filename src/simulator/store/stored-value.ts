/** Values are copied and frozen on their way into a store, so that no caller holds a part that could change. */
import { LIMITS } from "../../base/limits.ts";

function storedText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "") : wellFormed;
}

/** Names that need no change: code uses few, and checking them anew takes as long as checking the values. */
const checkedNames = new Set<string>();
const CHECKED_NAMES_MAX = 1_000;

function isStorableName(name: string): boolean {
  if (checkedNames.has(name)) return true;
  if (storedText(name) !== name) return false;
  if (checkedNames.size < CHECKED_NAMES_MAX) checkedNames.add(name);
  return true;
}

function storedNumber(number: number): number {
  if (!Number.isFinite(number)) {
    throw new TypeError(`\`${number}\` cannot be stored: store a finite number or null`);
  }
  return number === 0 ? 0 : number;
}

function storedObject(object: object, depth: number, prior: unknown): object {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    const name = object.constructor?.name ?? "object";
    throw new TypeError(`a \`${name}\` cannot be stored: store plain objects and arrays`);
  }
  // Spreading keeps the object's shape, which takes less time than adding name by name, and `__proto__` is a name like any other.
  const copy: Record<string, unknown> = { ...object };
  let names: "kept" | "changed" = "kept";
  for (const name in copy) {
    const value = copy[name];
    const kept = stored(value, depth, partOf(prior, name));
    // A zero may have been negative.
    if (kept !== value || kept === 0) copy[name] = kept;
    if (!isStorableName(name)) names = "changed";
  }
  if (names === "kept") return copy;
  return Object.fromEntries(Object.entries(copy).map(([name, value]) => [storedText(name), value]));
}

function partOf(prior: unknown, name: string | number): unknown {
  return typeof prior === "object" && prior !== null
    ? (prior as Readonly<Record<string | number, unknown>>)[name]
    : undefined;
}

function stored(value: unknown, depth: number, prior: unknown): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return storedText(value);
  if (typeof value === "number") return storedNumber(value);
  if (typeof value !== "object") {
    throw new TypeError(`a value of type \`${typeof value}\` cannot be stored: leave it out`);
  }
  if (value === prior) return value;
  if (depth === LIMITS.storedDepthMax) {
    throw new RangeError(`a value deeper than \`${depth}\` levels cannot be stored: flatten it`);
  }
  return Object.freeze(
    Array.isArray(value)
      ? value.map((item, index) => stored(item, depth + 1, partOf(prior, index)))
      : storedObject(value, depth + 1, prior),
  );
}

/**
 * A frozen copy that survives JSON unchanged. NUL is removed from texts and lone surrogates become U+FFFD, because SQL texts
 * cannot contain them. Throws for values that JSON would lose: undefined, NaN, dates, functions. Parts that are the very objects at
 * the same places of `prior`, which must be a stored value itself, are not copied again.
 */
export function storedValue<Value>(value: Value, prior?: unknown): Value {
  return stored(value, 0, prior) as Value;
}

/** Whatever a client sent, with its texts as a store keeps them: what is checked has to be what is stored. */
export function withStoredTexts(value: unknown, depth: number = 0): unknown {
  if (typeof value === "string") return storedText(value);
  // What is deeper is refused when it is stored.
  if (typeof value !== "object" || value === null || depth > LIMITS.storedDepthMax) return value;
  if (Array.isArray(value)) return value.map((item) => withStoredTexts(item, depth + 1));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, each]) => [name, withStoredTexts(each, depth + 1)]),
  );
}

/** Freezes a value parsed from JSON, with all its parts. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const item of Object.values(value)) freezeDeep(item);
  return Object.freeze(value);
}
