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
  subtractInts,
  uintResult,
} from "../values/arithmetic.ts";
import {
  compareBytes,
  compareDurations,
  compareNumbers,
  compareStrings,
  compareTimestamps,
} from "../values/order.ts";
import { addDurations, shiftTimestamp, timeBetween } from "../values/time.ts";
import {
  Abnormal,
  type CelError,
  Double,
  type Duration,
  type Int,
  type Timestamp,
  type Uint,
  type Value,
} from "../values/value.ts";
import { charged, type FunctionTable } from "./signature.ts";

/** Integers too large for a JavaScript number, and everything computed with them, take ten times as long. */
const BIG_FUEL = 8;
const big = (): number => BIG_FUEL;
const bigIfBeyond = (a: Int, b: Int): number =>
  typeof a === "number" && typeof b === "number" ? 0 : BIG_FUEL;

interface Sized {
  readonly length: number;
}
const both = (a: Sized, b: Sized): number => a.length + b.length;
const shorter = (a: Sized, b: Sized): number => Math.min(a.length, b.length);

function ofUints(compute: (a: bigint, b: bigint) => bigint) {
  return (a: Uint, b: Uint): Uint | CelError =>
    uintResult(compute(BigInt(a.value), BigInt(b.value)));
}

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

const arithmetic: FunctionTable = {
  "!(bool): bool": (a: boolean) => !a,
  "-(int): int": negateInt,
  "-(double): double": (a: Double) => new Double(-a.value),
  ...charged(bigIfBeyond, {
    "+(int, int): int": addInts,
    "-(int, int): int": subtractInts,
    "*(int, int): int": multiplyInts,
    "/(int, int): int": divideInts,
    "%(int, int): int": moduloInts,
  }),
  ...charged(big, {
    "+(uint, uint): uint": ofUints((a, b) => a + b),
    "-(uint, uint): uint": ofUints((a, b) => a - b),
    "*(uint, uint): uint": ofUints((a, b) => a * b),
    "/(uint, uint): uint": divideUints,
    "%(uint, uint): uint": moduloUints,
  }),
  "+(double, double): double": (a: Double, b: Double) => new Double(a.value + b.value),
  "-(double, double): double": (a: Double, b: Double) => new Double(a.value - b.value),
  "*(double, double): double": (a: Double, b: Double) => new Double(a.value * b.value),
  "/(double, double): double": (a: Double, b: Double) => new Double(a.value / b.value),
  ...charged(both, {
    "+(string, string): string": (a: string, b: string) => a + b,
    "+(bytes, bytes): bytes": joinBytes,
    "+(list<A>, list<A>): list<A>": (a: readonly Value[], b: readonly Value[]) => a.concat(b),
  }),
  ...charged(big, {
    "+(duration, duration): duration": addDurations,
    "-(duration, duration): duration": (a: Duration, b: Duration) =>
      addDurations(a, { nanos: -b.nanos }),
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

/** The common case, without a call of `compareNumbers`. */
const intRelations: FunctionTable = {
  "<(int, int): bool": {
    run: (a: Int, b: Int) => a < b,
    prepare: (first: Run, b: Int) => (frame) => {
      const a = first(frame);
      return a instanceof Abnormal ? a : (a as Int) < b;
    },
  },
  "<=(int, int): bool": {
    run: (a: Int, b: Int) => a <= b,
    prepare: (first: Run, b: Int) => (frame) => {
      const a = first(frame);
      return a instanceof Abnormal ? a : (a as Int) <= b;
    },
  },
  ">(int, int): bool": {
    run: (a: Int, b: Int) => a > b,
    prepare: (first: Run, b: Int) => (frame) => {
      const a = first(frame);
      return a instanceof Abnormal ? a : (a as Int) > b;
    },
  },
  ">=(int, int): bool": {
    run: (a: Int, b: Int) => a >= b,
    prepare: (first: Run, b: Int) => (frame) => {
      const a = first(frame);
      return a instanceof Abnormal ? a : (a as Int) >= b;
    },
  },
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
