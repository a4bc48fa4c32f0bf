/** Operators of CEL that a table can describe; `==`, `in`, `&&` and the like are built into the language. */

import {
  compareBytes,
  compareDurations,
  compareNumbers,
  compareStrings,
  compareTimestamps,
} from "../run/equality.ts";
import { type Frame, overspends, type Run } from "../run/frame.ts";
import { durationOf, shiftTimestamp, timeBetween } from "../values/time.ts";
import {
  Abnormal,
  CelError,
  Double,
  type Duration,
  EXHAUSTED,
  type Int,
  intResult,
  type Result,
  type Timestamp,
  type Uint,
  uintResult,
  type Value,
} from "../values/value.ts";
import { charged, type FunctionTable } from "./signature.ts";

/** Integers too large for a JavaScript number, and everything computed with them, take ten times as long. */
const BIG_FUEL = 8;

interface Sized {
  readonly length: number;
}
const both = (a: Sized, b: Sized): number => a.length + b.length;
/** Eight octets for each element, at two octets a unit. */
const bothLists = (a: Sized, b: Sized): number => 4 * (a.length + b.length);
const shorter = (a: Sized, b: Sized): number => Math.min(a.length, b.length);

type Compute<T> = (a: T, b: T) => T;

/** An operation on ints (64 bits, errors instead of wrap-around) and on uints; `byZero`: the error of a zero on the right. */
function integerOperation(
  operator: string,
  small: Compute<number>,
  exact: Compute<bigint>,
  byZero: CelError | null = null,
): FunctionTable {
  return {
    [`${operator}(int, int): int`]: {
      takesFrame: true,
      run(frame: Frame, a: Int, b: Int): Result {
        if (typeof a === "number" && typeof b === "number") {
          const result = small(a, b);
          // `+ 0` turns `-0` into `0`: ints have one zero.
          if (Number.isSafeInteger(result)) return result + 0;
        } else if (overspends(frame, BIG_FUEL)) return EXHAUSTED;
        if (byZero !== null && b === 0) return byZero;
        return intResult(exact(BigInt(a), BigInt(b)));
      },
    },
    [`${operator}(uint, uint): uint`]: {
      cost: BIG_FUEL,
      run({ value: a }: Uint, { value: b }: Uint): Result {
        if (byZero !== null && b === 0) return byZero;
        return uintResult(exact(BigInt(a), BigInt(b)));
      },
    },
  };
}

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

const arithmetic: FunctionTable = {
  "!(bool): bool": (a: boolean) => !a,
  "-(int): int": (a: Int) => (typeof a === "number" ? 0 - a : intResult(-a)),
  "-(double): double": (a: Double) => new Double(-a.value),
  ...integerOperation(
    "+",
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  ...integerOperation(
    "-",
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  ...integerOperation(
    "*",
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  // Both round towards zero; the sign of a rest is that of `a`.
  ...integerOperation(
    "/",
    (a, b) => (a - (a % b)) / b,
    (a, b) => a / b,
    new CelError("division by zero"),
  ),
  ...integerOperation(
    "%",
    (a, b) => a % b,
    (a, b) => a % b,
    new CelError("modulus by zero"),
  ),
  "+(double, double): double": (a: Double, b: Double) => new Double(a.value + b.value),
  "-(double, double): double": (a: Double, b: Double) => new Double(a.value - b.value),
  "*(double, double): double": (a: Double, b: Double) => new Double(a.value * b.value),
  "/(double, double): double": (a: Double, b: Double) => new Double(a.value / b.value),
  ...charged(both, {
    "+(string, string): string": (a: string, b: string) => a + b,
    "+(bytes, bytes): bytes": joinBytes,
  }),
  "+(list<A>, list<A>): list<A>": {
    cost: bothLists,
    run: (a: readonly Value[], b: readonly Value[]) => a.concat(b),
  },
  ...charged(BIG_FUEL, {
    "+(duration, duration): duration": (a: Duration, b: Duration) => durationOf(a.nanos + b.nanos),
    "-(duration, duration): duration": (a: Duration, b: Duration) => durationOf(a.nanos - b.nanos),
    "+(timestamp, duration): timestamp": shiftTimestamp,
    "+(duration, timestamp): timestamp": (a: Duration, b: Timestamp) => shiftTimestamp(b, a),
    "-(timestamp, duration): timestamp": (a: Timestamp, b: Duration) =>
      shiftTimestamp(a, { nanos: -b.nanos }),
    "-(timestamp, timestamp): duration": timeBetween,
  }),
};

/** The four relations of two types, from their order. */
function relations<T>(types: string, compare: (a: T, b: T) => number) {
  return {
    [`<(${types}): bool`]: (a: T, b: T) => compare(a, b) < 0,
    [`<=(${types}): bool`]: (a: T, b: T) => compare(a, b) <= 0,
    [`>(${types}): bool`]: (a: T, b: T) => compare(a, b) > 0,
    [`>=(${types}): bool`]: (a: T, b: T) => compare(a, b) >= 0,
  };
}

const NUMBERS = ["int", "uint", "double"];
const numberRelations: FunctionTable = Object.assign(
  {},
  ...NUMBERS.flatMap((left) =>
    NUMBERS.map((right) => relations(`${left}, ${right}`, compareNumbers)),
  ),
);

const below = (a: Result, b: Int): Result => (a instanceof Abnormal ? a : (a as Int) < b);
const upTo = (a: Result, b: Int): Result => (a instanceof Abnormal ? a : (a as Int) <= b);
const above = (a: Result, b: Int): Result => (a instanceof Abnormal ? a : (a as Int) > b);
const from = (a: Result, b: Int): Result => (a instanceof Abnormal ? a : (a as Int) >= b);

/** The common case, without a call of `compareNumbers`. */
const intRelations: FunctionTable = {
  "<(int, int): bool": { run: below, prepare: (a: Run, b: Int) => (frame) => below(a(frame), b) },
  "<=(int, int): bool": { run: upTo, prepare: (a: Run, b: Int) => (frame) => upTo(a(frame), b) },
  ">(int, int): bool": { run: above, prepare: (a: Run, b: Int) => (frame) => above(a(frame), b) },
  ">=(int, int): bool": { run: from, prepare: (a: Run, b: Int) => (frame) => from(a(frame), b) },
};

export const OPERATOR_FUNCTIONS: FunctionTable = {
  ...arithmetic,
  ...numberRelations,
  ...intRelations,
  ...relations("bool, bool", (a: boolean, b: boolean) => Number(a) - Number(b)),
  ...charged(shorter, relations("string, string", compareStrings)),
  ...charged(shorter, relations("bytes, bytes", compareBytes)),
  ...relations("timestamp, timestamp", compareTimestamps),
  ...relations("duration, duration", compareDurations),
};
