/** Optional values; `or`, `orValue` and the macros are built into the language. */
import { plainNumber } from "../run/equality.ts";
import { CelError, Duration, isList, isMap, NONE, Optional, type Value } from "../values/value.ts";
import type { FunctionTable } from "./signature.ts";

const EMPTY = new CelError("the optional is empty: use `orValue` to give another value");

function isZero(value: Value): boolean {
  if (value === null || value === false || value === "") return true;
  const number = plainNumber(value);
  if (number !== undefined) return number === 0;
  if (isList(value)) return value.length === 0;
  if (isMap(value)) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  return value instanceof Optional && value.value === undefined;
}

export const OPTIONAL_FUNCTIONS: FunctionTable = {
  "optional.none(): optional<dyn>": () => NONE,
  "optional.of(A): optional<A>": (value: Value) => new Optional(value),
  "optional.ofNonZeroValue(A): optional<A>": (value: Value) =>
    isZero(value) ? NONE : new Optional(value),
  "optional<A>.hasValue(): bool": (optional: Optional) => optional.value !== undefined,
  "optional<A>.value(): A": (optional: Optional) =>
    optional.value === undefined ? EMPTY : optional.value,
};
