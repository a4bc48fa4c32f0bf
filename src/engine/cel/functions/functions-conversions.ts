/** Conversions between the types of CEL. */
import { LIMITS } from "../../../base/limits.ts";
import {
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  timestampOf,
} from "../values/time.ts";
import { readUtf8 } from "../values/utf8.ts";
import {
  CelError,
  canonicalInt,
  Double,
  type Int,
  intResult,
  type Timestamp,
  TYPE_VALUES,
  type TypeValue,
  typeNameOf,
  Uint,
  uintResult,
  type Value,
} from "../values/value.ts";
import { DATE_FUEL } from "./functions-times.ts";
import type { FunctionTable } from "./signature.ts";

const NOT_INT = new CelError("not a 64-bit integer");
const NOT_UINT = new CelError("not an unsigned 64-bit integer");
const NOT_DOUBLE = new CelError("not a number");
const NOT_BOOL = new CelError("not a bool: write `true` or `false`");
const NOT_UTF8 = new CelError("bytes that are not UTF-8");

/** The bounds themselves are out of range: numbers beyond the range round to the same doubles. */
function intOfDouble({ value }: Double): Int | CelError {
  if (!(Math.abs(value) < 2 ** 63)) return NOT_INT;
  return canonicalInt(BigInt(Math.trunc(value)));
}

function uintOfDouble({ value }: Double): Uint | CelError {
  if (!(value >= 0 && value < 2 ** 64)) return NOT_UINT;
  return new Uint(canonicalInt(BigInt(Math.trunc(value))));
}

function intOfString(text: string): Int | CelError {
  const isInt = text.length <= LIMITS.celNumberUnitsMax && /^[+-]?\d+$/.test(text);
  return isInt ? intResult(BigInt(text.replace(/^\+/, "")), NOT_INT) : NOT_INT;
}

function uintOfString(text: string): Uint | CelError {
  const isUint = text.length <= LIMITS.celNumberUnitsMax && /^\d+$/.test(text);
  return isUint ? uintResult(BigInt(text), NOT_UINT) : NOT_UINT;
}

function doubleOfString(text: string): Double | CelError {
  if (text.length > LIMITS.celNumberUnitsMax) return NOT_DOUBLE;
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return new Double(Number(text));
  const [, sign, word] = /^([+-]?)(inf|infinity|nan)$/i.exec(text) ?? [];
  if (word === undefined) return NOT_DOUBLE;
  if (word.toLowerCase() === "nan") return new Double(Number.NaN);
  return new Double(sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
}

function boolOfString(text: string): boolean | CelError {
  if (["1", "t", "true", "TRUE", "True"].includes(text)) return true;
  return ["0", "f", "false", "FALSE", "False"].includes(text) ? false : NOT_BOOL;
}

function stringOfDouble({ value }: Double): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  return Object.is(value, -0) ? "-0" : String(value);
}

function stringOfBytes(bytes: Uint8Array): string | CelError {
  return readUtf8(bytes) ?? NOT_UTF8;
}

/** Fuel of writing or reading a number, which takes a microsecond at most. */
const NUMBER_FUEL = 12;
/** Code units of a timestamp that `DATE_FUEL` pays for: nanoseconds and an offset need 35. */
const TIMESTAMP_UNITS = 40;
const read = (text: string): number =>
  NUMBER_FUEL + Math.min(text.length, LIMITS.celNumberUnitsMax);
const readDuration = (text: string): number =>
  DATE_FUEL + 8 * Math.min(text.length, LIMITS.celDurationUnitsMax);
/** A timestamp may have any number of decimals. */
const readTimestamp = (text: string): number =>
  DATE_FUEL + Math.max(0, text.length - TIMESTAMP_UNITS);
/** Fuel of bytes, however few: measured 600 ns and 300 octets. */
const BYTES_FUEL = 200;

/** Each type converts to itself. */
const TO_ITSELF: FunctionTable = Object.fromEntries(
  ["bool", "bytes", "double", "int", "uint", "string", "timestamp", "duration"].map((type) => [
    `${type}(${type}): ${type}`,
    (value: Value) => value,
  ]),
);

export const CONVERSION_FUNCTIONS: FunctionTable = {
  "dyn(A): dyn": (value: Value) => value,
  "type(dyn): type": (value: Value): TypeValue => TYPE_VALUES.get(typeNameOf(value))!,
  ...TO_ITSELF,
  "bool(string): bool": boolOfString,
  "bytes(string): bytes": {
    cost: (text: string) => BYTES_FUEL + 3 * text.length,
    run: (text: string) => new TextEncoder().encode(text),
  },
  "double(int): double": (value: Int) => new Double(Number(value)),
  "double(uint): double": (value: Uint) => new Double(Number(value.value)),
  "double(string): double": { cost: read, run: doubleOfString },
  "int(uint): int": {
    cost: NUMBER_FUEL,
    run: (value: Uint) => intResult(BigInt(value.value), NOT_INT),
  },
  "int(double): int": { cost: NUMBER_FUEL, run: intOfDouble },
  "int(string): int": { cost: read, run: intOfString },
  "int(timestamp): int": (time: Timestamp) => time.seconds,
  "uint(int): uint": {
    cost: NUMBER_FUEL,
    run: (value: Int) => uintResult(BigInt(value), NOT_UINT),
  },
  "uint(double): uint": { cost: NUMBER_FUEL, run: uintOfDouble },
  "uint(string): uint": { cost: read, run: uintOfString },
  "string(bool): string": (value: boolean) => String(value),
  "string(int): string": { cost: NUMBER_FUEL, run: (value: Int) => String(value) },
  "string(uint): string": { cost: NUMBER_FUEL, run: (value: Uint) => String(value.value) },
  "string(double): string": { cost: NUMBER_FUEL, run: stringOfDouble },
  "string(bytes): string": { cost: (bytes: Uint8Array) => 10 + bytes.length, run: stringOfBytes },
  "string(timestamp): string": { cost: DATE_FUEL, run: formatTimestamp },
  "string(duration): string": { cost: DATE_FUEL, run: formatDuration },
  "timestamp(int): timestamp": (seconds: Int) => timestampOf(Number(seconds), 0),
  "timestamp(string): timestamp": { cost: readTimestamp, run: parseTimestamp },
  "duration(string): duration": { cost: readDuration, run: parseDuration },
};
