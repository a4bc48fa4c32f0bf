/** Conversions between the types of CEL. */
import { LIMITS } from "../../../base/limits.ts";
import {
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  timestampOf,
} from "../values/time.ts";
import {
  CelError,
  canonicalInt,
  Double,
  type Duration,
  INT_MAX,
  INT_MIN,
  type Int,
  type Timestamp,
  TYPE_VALUES,
  type TypeValue,
  typeNameOf,
  UINT_MAX,
  Uint,
  type Value,
} from "../values/value.ts";
import { DATE_FUEL } from "./functions-times.ts";
import type { FunctionEntry } from "./signature.ts";

const NOT_INT = new CelError("not a 64-bit integer");
const NOT_UINT = new CelError("not an unsigned 64-bit integer");
const NOT_DOUBLE = new CelError("not a number");
const NOT_BOOL = new CelError("not a bool: write `true` or `false`");
const NOT_UTF8 = new CelError("bytes that are not UTF-8");

function intOf(value: bigint): Int | CelError {
  return value < INT_MIN || value > INT_MAX ? NOT_INT : canonicalInt(value);
}

function uintOf(value: bigint): Uint | CelError {
  return value < 0n || value > UINT_MAX ? NOT_UINT : new Uint(canonicalInt(value));
}

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
  return text.length <= LIMITS.celNumberUnitsMax && /^[+-]?\d+$/.test(text)
    ? intOf(BigInt(text.replace(/^\+/, "")))
    : NOT_INT;
}

function uintOfString(text: string): Uint | CelError {
  return text.length <= LIMITS.celNumberUnitsMax && /^\d+$/.test(text)
    ? uintOf(BigInt(text))
    : NOT_UINT;
}

function doubleOfString(text: string): Double | CelError {
  if (text.length > LIMITS.celNumberUnitsMax) return NOT_DOUBLE;
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return new Double(Number(text));
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special === null) return NOT_DOUBLE;
  if (special[2]!.toLowerCase() === "nan") return new Double(Number.NaN);
  return new Double(special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
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
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return NOT_UTF8;
  }
}

const slow = (): number => DATE_FUEL;
/** Fuel of writing or reading a number, which takes a microsecond at most. */
const NUMBER_FUEL = 12;
const written = (): number => NUMBER_FUEL;
const read = (text: string): number =>
  NUMBER_FUEL + Math.min(text.length, LIMITS.celNumberUnitsMax);
const readDuration = (text: string): number =>
  DATE_FUEL + 8 * Math.min(text.length, LIMITS.celDurationUnitsMax);
/** Fuel of bytes, however few: measured 600 ns and 300 octets. */
const BYTES_FUEL = 200;
const same = (value: Value): Value => value;

export const CONVERSION_FUNCTIONS: readonly FunctionEntry[] = [
  { signature: "dyn(A): dyn", run: same },
  {
    signature: "type(dyn): type",
    run: (value: Value): TypeValue => TYPE_VALUES.get(typeNameOf(value))!,
  },
  { signature: "bool(bool): bool", run: same },
  { signature: "bool(string): bool", run: boolOfString },
  { signature: "bytes(bytes): bytes", run: same },
  {
    signature: "bytes(string): bytes",
    cost: (text: string) => BYTES_FUEL + 3 * text.length,
    run: (text: string) => new TextEncoder().encode(text),
  },
  { signature: "double(double): double", run: same },
  { signature: "double(int): double", run: (value: Int) => new Double(Number(value)) },
  { signature: "double(uint): double", run: (value: Uint) => new Double(Number(value.value)) },
  { signature: "double(string): double", cost: read, run: doubleOfString },
  { signature: "int(int): int", run: same },
  { signature: "int(uint): int", cost: written, run: (value: Uint) => intOf(BigInt(value.value)) },
  { signature: "int(double): int", cost: written, run: intOfDouble },
  { signature: "int(string): int", cost: read, run: intOfString },
  { signature: "int(timestamp): int", run: (time: Timestamp) => time.seconds },
  { signature: "uint(uint): uint", run: same },
  { signature: "uint(int): uint", cost: written, run: (value: Int) => uintOf(BigInt(value)) },
  { signature: "uint(double): uint", cost: written, run: uintOfDouble },
  { signature: "uint(string): uint", cost: read, run: uintOfString },
  { signature: "string(string): string", run: same },
  { signature: "string(bool): string", run: (value: boolean) => String(value) },
  { signature: "string(int): string", cost: written, run: (value: Int) => String(value) },
  { signature: "string(uint): string", cost: written, run: (value: Uint) => String(value.value) },
  { signature: "string(double): string", cost: written, run: stringOfDouble },
  {
    signature: "string(bytes): string",
    cost: (bytes: Uint8Array) => 10 + bytes.length,
    run: stringOfBytes,
  },
  { signature: "string(timestamp): string", cost: slow, run: formatTimestamp },
  { signature: "string(duration): string", cost: slow, run: formatDuration },
  { signature: "timestamp(timestamp): timestamp", run: same },
  {
    signature: "timestamp(int): timestamp",
    run: (seconds: Int) => timestampOf(Number(seconds), 0),
  },
  { signature: "timestamp(string): timestamp", cost: slow, run: parseTimestamp },
  { signature: "duration(duration): duration", run: (value: Duration): Value => value },
  { signature: "duration(string): duration", cost: readDuration, run: parseDuration },
];
