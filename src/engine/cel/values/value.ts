/** Values of CEL at run time; errors, unknowns and spent fuel are values too, and are never thrown. */
import type { Span } from "../../../base/diagnostic.ts";

/**
 * An int of CEL (64 bits, signed), in one form per number: a `number` (never `-0`) if it is a safe
 * integer, else a `bigint`. So ints compare with `===`, and small ones, which nearly all are, cost no allocation.
 */
export type Int = number | bigint;

export const INT_MIN: bigint = -(2n ** 63n);
export const INT_MAX: bigint = 2n ** 63n - 1n;
const UINT_MAX: bigint = 2n ** 64n - 1n;

/** The canonical form of an integer. */
export function canonicalInt(value: bigint): Int {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

export class Uint {
  constructor(readonly value: Int) {}
}

/** A double; boxed, because a bare `number` is an int. */
export class Double {
  constructor(readonly value: number) {}
}

export class Optional {
  constructor(readonly value: Value | undefined) {}
}

export const NONE: Optional = new Optional(undefined);

/** A type as a value, such as the result of `type(1)`. */
export class TypeValue {
  constructor(readonly name: string) {}
}

/** Seconds since 1970 (rounded down) and nanoseconds within them; years 1 to 9999. */
export class Timestamp {
  constructor(
    readonly seconds: number,
    readonly nanos: number,
  ) {}
}

/** Nanoseconds; at most about 290 years, as int64 nanoseconds allow. */
export class Duration {
  constructor(readonly nanos: bigint) {}
}

/** A map's key in the form that makes equal numbers one key: an int for uints and for whole doubles. */
export type Key = string | boolean | Int;

/** A map of CEL. A plain `Map` has no uint keys; a map that has some lists them in `uintKeys`. */
export type CelMap = ReadonlyMap<Key, Value> & { readonly uintKeys?: ReadonlySet<Key> };

/** An object with fields that a type declares, such as an attachment. */
export interface Struct {
  readonly [field: string]: Value;
}

export type Value =
  | null
  | boolean
  | string
  | Int
  | Uint
  | Double
  | Uint8Array
  | Optional
  | TypeValue
  | Timestamp
  | Duration
  | readonly Value[]
  | CelMap
  | Struct;

/** A result that is not a value; every strict operation returns the first one it gets. */
export class Abnormal {
  constructor(readonly kind: "failed" | "unknown" | "exhausted") {}
}

/** Most errors are made once for their node. */
export class CelError extends Abnormal {
  declare readonly kind: "failed";
  /** `span`: where it occurred; `null` until the call that caused it is known. */
  constructor(
    readonly message: string,
    readonly span: Span | null = null,
  ) {
    super("failed");
  }
}

const OVERFLOW = new CelError("integer overflow");

/** An int from its exact value; `error` if it is out of range. */
export function intResult(value: bigint, error: CelError = OVERFLOW): Int | CelError {
  return value < INT_MIN || value > INT_MAX ? error : canonicalInt(value);
}

/** A uint from its exact value; `error` if it is out of range. */
export function uintResult(value: bigint, error: CelError = OVERFLOW): Uint | CelError {
  return value < 0n || value > UINT_MAX ? error : new Uint(canonicalInt(value));
}

/** Depends on a fact that is not known. */
export const UNKNOWN: Abnormal = new Abnormal("unknown");
/** The fuel is spent. Unlike an error it is never absorbed: it ends the evaluation. */
export const EXHAUSTED: Abnormal = new Abnormal("exhausted");

export type Result = Value | Abnormal;

export function isMap(value: Value): value is CelMap {
  return value instanceof Map;
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** The key under which a map holds `value`; `undefined` if no map can hold it. */
export function keyOf(value: Value): Key | undefined {
  if (typeof value !== "object") return value;
  if (value instanceof Uint) return value.value;
  const isWhole = value instanceof Double && Number.isInteger(value.value);
  return isWhole ? canonicalInt(BigInt(value.value)) : undefined;
}

/** A map's key as a value again. */
export function keyValue(map: CelMap, key: Key): Value {
  if (map.uintKeys?.has(key)) return new Uint(key as Int);
  return key;
}

const TYPE_NAMES =
  "bool bytes double int list map null_type string type uint optional_type attachment google.protobuf.Timestamp google.protobuf.Duration";

/** The types that an expression can name, by name. */
export const TYPE_VALUES: ReadonlyMap<string, TypeValue> = new Map(
  TYPE_NAMES.split(" ").map((name) => [name, new TypeValue(name)]),
);

/** The name of a value's type, as `type(value)` has it. */
export function typeNameOf(value: Value): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" || typeof value === "bigint") return "int";
  if (value === null) return "null_type";
  if (isList(value)) return "list";
  if (isMap(value)) return "map";
  if (value instanceof Double) return "double";
  if (value instanceof Uint) return "uint";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof TypeValue) return "type";
  if (value instanceof Optional) return "optional_type";
  if (value instanceof Timestamp) return "google.protobuf.Timestamp";
  if (value instanceof Duration) return "google.protobuf.Duration";
  return "attachment";
}
