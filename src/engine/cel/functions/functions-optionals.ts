/** Optional values; `or`, `orValue` and the macros are built into the language. */
import { plainNumber } from "../values/arithmetic.ts";
import { CelError, isList, isMap, NONE, Optional, type Value } from "../values/value.ts";
import type { FunctionEntry } from "./signature.ts";

const EMPTY = new CelError("the optional is empty: use `orValue` to give another value");

function isZero(value: Value): boolean {
  if (value === null || value === false || value === "") return true;
  const number = plainNumber(value);
  if (number !== undefined) return number === 0;
  if (isList(value)) return value.length === 0;
  if (isMap(value)) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  return value instanceof Optional && value.value === undefined;
}

export const OPTIONAL_FUNCTIONS: readonly FunctionEntry[] = [
  { signature: "optional.none(): optional<dyn>", run: () => NONE },
  { signature: "optional.of(A): optional<A>", run: (value: Value) => new Optional(value) },
  {
    signature: "optional.ofNonZeroValue(A): optional<A>",
    run: (value: Value) => (isZero(value) ? NONE : new Optional(value)),
  },
  {
    signature: "optional<A>.hasValue(): bool",
    run: (optional: Optional) => optional.value !== undefined,
  },
  {
    signature: "optional<A>.value(): A",
    run: (optional: Optional) => (optional.value === undefined ? EMPTY : optional.value),
  },
];
