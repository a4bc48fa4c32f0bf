/** Arithmetic of ints (64 bits, errors instead of wrap-around) in their canonical form, and numbers as JavaScript compares them. */
import {
  CelError,
  canonicalInt,
  Double,
  INT_MAX,
  INT_MIN,
  type Int,
  UINT_MAX,
  Uint,
  type Value,
} from "./value.ts";

const OVERFLOW = new CelError("integer overflow");
const DIVISION_BY_ZERO = new CelError("division by zero");
const MODULUS_BY_ZERO = new CelError("modulus by zero");

/** An int from its exact value; `error` if it is out of range. */
export function intResult(value: bigint, error: CelError = OVERFLOW): Int | CelError {
  return value < INT_MIN || value > INT_MAX ? error : canonicalInt(value);
}

/** `+ 0` below turns `-0` into `0`: ints have one zero. */
export function addInts(a: Int, b: Int): Int | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return intResult(BigInt(a) + BigInt(b));
}

export function subtractInts(a: Int, b: Int): Int | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return intResult(BigInt(a) - BigInt(b));
}

export function multiplyInts(a: Int, b: Int): Int | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return intResult(BigInt(a) * BigInt(b));
}

/** Rounds towards zero. */
export function divideInts(a: Int, b: Int): Int | CelError {
  if (b === 0) return DIVISION_BY_ZERO;
  if (typeof a === "number" && typeof b === "number") return (a - (a % b)) / b + 0;
  return intResult(BigInt(a) / BigInt(b));
}

/** The sign is that of `a`. */
export function moduloInts(a: Int, b: Int): Int | CelError {
  if (b === 0) return MODULUS_BY_ZERO;
  if (typeof a === "number" && typeof b === "number") return (a % b) + 0;
  return intResult(BigInt(a) % BigInt(b));
}

export function negateInt(a: Int): Int | CelError {
  return subtractInts(0, a);
}

/** A uint from its exact value; `error` if it is out of range. */
export function uintResult(value: bigint, error: CelError = OVERFLOW): Uint | CelError {
  return value < 0n || value > UINT_MAX ? error : new Uint(canonicalInt(value));
}

export function divideUints(a: Uint, b: Uint): Uint | CelError {
  return b.value === 0 ? DIVISION_BY_ZERO : uintResult(BigInt(a.value) / BigInt(b.value));
}

export function moduloUints(a: Uint, b: Uint): Uint | CelError {
  return b.value === 0 ? MODULUS_BY_ZERO : uintResult(BigInt(a.value) % BigInt(b.value));
}

/** A number of any type, in a form that JavaScript compares exactly across `number` and `bigint`. */
export function plainNumber(value: Value): Int | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Double || value instanceof Uint) return value.value;
  return undefined;
}
