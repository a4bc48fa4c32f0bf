/** Operators of CEL that a table can describe; `==`, `in`, `&&` and the like are built into the language. */

import type { Run } from "../run/frame.ts";
import {
  addInts,
  divideInts,
  divideUints,
  moduloInts,
  moduloUints,
  multiplyInts,
  negateInt,
  plainNumber,
  subtractInts,
  uintResult,
} from "../values/arithmetic.ts";
import {
  compareBytes,
  compareDurations,
  compareStrings,
  compareTimestamps,
} from "../values/order.ts";
import { addDurations, shiftTimestamp, timeBetween } from "../values/time.ts";
import {
  Abnormal,
  Double,
  type Duration,
  type Int,
  type Timestamp,
  type Uint,
  type Value,
} from "../values/value.ts";
import type { FunctionEntry } from "./signature.ts";

/** Integers too large for a JavaScript number, and everything computed with them, take ten times as long. */
const BIG_FUEL = 8;
const big = (): number => BIG_FUEL;
const bigIfBeyond = (a: Int, b: Int): number =>
  typeof a === "number" && typeof b === "number" ? 0 : BIG_FUEL;

const arithmetic: readonly FunctionEntry[] = [
  { signature: "!(bool): bool", run: (a: boolean) => !a },
  { signature: "-(int): int", run: negateInt },
  { signature: "-(double): double", run: (a: Double) => new Double(-a.value) },
  { signature: "+(int, int): int", cost: bigIfBeyond, run: addInts },
  { signature: "-(int, int): int", cost: bigIfBeyond, run: subtractInts },
  { signature: "*(int, int): int", cost: bigIfBeyond, run: multiplyInts },
  { signature: "/(int, int): int", cost: bigIfBeyond, run: divideInts },
  { signature: "%(int, int): int", cost: bigIfBeyond, run: moduloInts },
  {
    signature: "+(uint, uint): uint",
    cost: big,
    run: (a: Uint, b: Uint) => uintResult(BigInt(a.value) + BigInt(b.value)),
  },
  {
    signature: "-(uint, uint): uint",
    cost: big,
    run: (a: Uint, b: Uint) => uintResult(BigInt(a.value) - BigInt(b.value)),
  },
  {
    signature: "*(uint, uint): uint",
    cost: big,
    run: (a: Uint, b: Uint) => uintResult(BigInt(a.value) * BigInt(b.value)),
  },
  { signature: "/(uint, uint): uint", cost: big, run: divideUints },
  { signature: "%(uint, uint): uint", cost: big, run: moduloUints },
  {
    signature: "+(double, double): double",
    run: (a: Double, b: Double) => new Double(a.value + b.value),
  },
  {
    signature: "-(double, double): double",
    run: (a: Double, b: Double) => new Double(a.value - b.value),
  },
  {
    signature: "*(double, double): double",
    run: (a: Double, b: Double) => new Double(a.value * b.value),
  },
  {
    signature: "/(double, double): double",
    run: (a: Double, b: Double) => new Double(a.value / b.value),
  },
  {
    signature: "+(string, string): string",
    cost: (a: string, b: string) => a.length + b.length,
    run: (a: string, b: string) => a + b,
  },
  {
    signature: "+(bytes, bytes): bytes",
    cost: (a: Uint8Array, b: Uint8Array) => a.length + b.length,
    run: (a: Uint8Array, b: Uint8Array) => {
      const both = new Uint8Array(a.length + b.length);
      both.set(a);
      both.set(b, a.length);
      return both;
    },
  },
  {
    signature: "+(list<A>, list<A>): list<A>",
    cost: (a: readonly Value[], b: readonly Value[]) => a.length + b.length,
    run: (a: readonly Value[], b: readonly Value[]) => a.concat(b),
  },
  { signature: "+(duration, duration): duration", cost: big, run: addDurations },
  {
    signature: "-(duration, duration): duration",
    cost: big,
    run: (a: Duration, b: Duration) => addDurations(a, { nanos: -b.nanos }),
  },
  { signature: "+(timestamp, duration): timestamp", cost: big, run: shiftTimestamp },
  {
    signature: "+(duration, timestamp): timestamp",
    cost: big,
    run: (a: Duration, b: Timestamp) => shiftTimestamp(b, a),
  },
  {
    signature: "-(timestamp, duration): timestamp",
    cost: big,
    run: (a: Timestamp, b: Duration) => shiftTimestamp(a, { nanos: -b.nanos }),
  },
  { signature: "-(timestamp, timestamp): duration", cost: big, run: timeBetween },
];

/** The four relations of one type, from its order. */
function relations<T>(
  types: string,
  compare: (a: T, b: T) => number,
  cost?: (a: T, b: T) => number,
): readonly FunctionEntry[] {
  const shared = cost === undefined ? {} : { cost };
  return [
    { signature: `<(${types}): bool`, ...shared, run: (a: T, b: T) => compare(a, b) < 0 },
    { signature: `<=(${types}): bool`, ...shared, run: (a: T, b: T) => compare(a, b) <= 0 },
    { signature: `>(${types}): bool`, ...shared, run: (a: T, b: T) => compare(a, b) > 0 },
    { signature: `>=(${types}): bool`, ...shared, run: (a: T, b: T) => compare(a, b) >= 0 },
  ];
}

/**
 * Numbers compare across types: ints with uints exactly, either with doubles as doubles. NaN is in no relation.
 */
function numberRelations(left: string, right: string): readonly FunctionEntry[] {
  const types = `(${left}, ${right}): bool`;
  const asDoubles = left === "double" || right === "double";
  const number = (value: Value): Int => {
    const plain = plainNumber(value)!;
    return asDoubles ? Number(plain) : plain;
  };
  return [
    { signature: `<${types}`, run: (a: Value, b: Value) => number(a) < number(b) },
    { signature: `<=${types}`, run: (a: Value, b: Value) => number(a) <= number(b) },
    { signature: `>${types}`, run: (a: Value, b: Value) => number(a) > number(b) },
    { signature: `>=${types}`, run: (a: Value, b: Value) => number(a) >= number(b) },
  ];
}

/** The common case, without a call of `plainNumber`. */
const intRelations: readonly FunctionEntry[] = [
  {
    signature: "<(int, int): bool",
    run: (a: Int, b: Int) => a < b,
    prepare: (first: Run, b: Int) => (frame) => {
      const a = first(frame);
      return a instanceof Abnormal ? a : (a as Int) < b;
    },
  },
  {
    signature: "<=(int, int): bool",
    run: (a: Int, b: Int) => a <= b,
    prepare: (first: Run, b: Int) => (frame) => {
      const a = first(frame);
      return a instanceof Abnormal ? a : (a as Int) <= b;
    },
  },
  {
    signature: ">(int, int): bool",
    run: (a: Int, b: Int) => a > b,
    prepare: (first: Run, b: Int) => (frame) => {
      const a = first(frame);
      return a instanceof Abnormal ? a : (a as Int) > b;
    },
  },
  {
    signature: ">=(int, int): bool",
    run: (a: Int, b: Int) => a >= b,
    prepare: (first: Run, b: Int) => (frame) => {
      const a = first(frame);
      return a instanceof Abnormal ? a : (a as Int) >= b;
    },
  },
];

const MIXED_NUMBERS = [
  ["int", "uint"],
  ["int", "double"],
  ["uint", "int"],
  ["uint", "uint"],
  ["uint", "double"],
  ["double", "int"],
  ["double", "uint"],
  ["double", "double"],
] as const;
const shorter = (a: { length: number }, b: { length: number }): number =>
  Math.min(a.length, b.length);

export const OPERATOR_FUNCTIONS: readonly FunctionEntry[] = [
  ...arithmetic,
  ...intRelations,
  ...MIXED_NUMBERS.flatMap(([left, right]) => numberRelations(left, right)),
  ...relations("bool, bool", (a: boolean, b: boolean) => Number(a) - Number(b)),
  ...relations("string, string", compareStrings, shorter),
  ...relations("bytes, bytes", compareBytes, shorter),
  ...relations("timestamp, timestamp", compareTimestamps),
  ...relations("duration, duration", compareDurations),
];
