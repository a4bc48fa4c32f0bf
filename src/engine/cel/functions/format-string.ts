/** `string.format`: clauses `%s %d %f %e %b %o %x %X` and `%%`, as the strings extension of CEL defines them. */
import { LIMITS } from "../../../base/limits.ts";
import { plainNumber } from "../run/equality.ts";
import { type Frame, overspends } from "../run/frame.ts";
import { TextBuilder } from "../values/text-builder.ts";
import { formatDuration, formatTimestamp } from "../values/time.ts";
import { decodeUtf8 } from "../values/utf8.ts";
import {
  Abnormal,
  CelError,
  type CelMap,
  Double,
  Duration,
  EXHAUSTED,
  isList,
  isMap,
  keyValue,
  type Result,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
  type Value,
} from "../values/value.ts";

const DECIMALS_DEFAULT = 6;

/** Fuel of one clause, besides what it writes. */
const CLAUSE_FUEL = 120;
/** Fuel of `%%`. */
const PERCENT_FUEL = 16;
/** From here on the host writes decimals one by one, measured at 60 ns each; and what that costs for each in fuel. */
const FAST_DECIMALS = 17;
const DECIMAL_FUEL = 6;
/** Fuel of finding out whether a number lies between two that can be written: a hundred decimals. */
const TIE_FUEL = 600;

/** What follows a `%` that is not doubled. */
const CLAUSE = /(?:\.(\d{1,4}))?([A-Za-z])|/y;

export function formatString(frame: Frame, template: string, args: readonly Value[]): Result {
  const text = new TextBuilder(template.length);
  let from = 0;
  let next = 0;
  for (let at = template.indexOf("%"); at >= 0; at = template.indexOf("%", from)) {
    text.add(template, from, at);
    if (template.charAt(at + 1) === "%") {
      if (overspends(frame, PERCENT_FUEL)) return EXHAUSTED;
      text.add("%");
      from = at + 2;
      continue;
    }
    CLAUSE.lastIndex = at + 1;
    const [clause, decimals, verb] = CLAUSE.exec(template)!;
    from = at + 1 + clause.length;
    if (verb === undefined)
      return new CelError("a format ends in `%`: write `%%` for a percent sign");
    if (next >= args.length)
      return new CelError(`the format needs more than ${args.length} values`);
    const precision = decimals === undefined ? DECIMALS_DEFAULT : Number(decimals);
    if (precision > LIMITS.celDecimalsMax)
      return new CelError(`more than ${LIMITS.celDecimalsMax} decimals`);
    const format = CLAUSES[verb];
    if (format === undefined) return new CelError(`a format has no clause \`%${verb}\``);
    const value = args[next++]!;
    const piece = format(value, frame, precision) ?? mismatch(verb, value);
    if (piece instanceof Abnormal) return piece;
    if (overspends(frame, CLAUSE_FUEL + piece.length)) return EXHAUSTED;
    text.add(piece);
  }
  text.add(template, from);
  return text.toString();
}

/** By clause: what it writes of a value; `null` if it takes no such value. */
const CLAUSES: Readonly<
  Record<string, (value: Value, frame: Frame, decimals: number) => string | Abnormal | null>
> = {
  s: formatPlain,
  d: formatWhole,
  f: (value, frame, decimals) => formatDecimal("f", decimals, value, frame),
  e: (value, frame, decimals) => formatDecimal("e", decimals, value, frame),
  b: (value) => (typeof value === "boolean" ? `${Number(value)}` : formatRadix(value, 2)),
  o: (value) => formatRadix(value, 8),
  x: (value, frame) => formatHex(value, frame, "0123456789abcdef"),
  X: (value, frame) => formatHex(value, frame, "0123456789ABCDEF"),
};

function mismatch(verb: string, value: Value): CelError {
  return new CelError(`\`%${verb}\` does not take a ${typeNameOf(value)}`);
}

function formatRadix(value: Value, radix: number): string | null {
  const number = value instanceof Double ? undefined : plainNumber(value);
  return number === undefined ? null : number.toString(radix);
}

/** A double as JavaScript writes it, but with the sign of a negative zero. */
function plainDouble({ value }: Double): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function formatWhole(value: Value): string | null {
  return value instanceof Double ? plainDouble(value) : formatRadix(value, 10);
}

function formatHex(value: Value, frame: Frame, digits: string): string | Abnormal | null {
  if (typeof value === "string") {
    if (overspends(frame, value.length)) return EXHAUSTED;
    return hexOfBytes(new TextEncoder().encode(value), frame, digits);
  }
  if (value instanceof Uint8Array) return hexOfBytes(value, frame, digits);
  const text = formatRadix(value, 16);
  return digits.endsWith("F") && text !== null ? text.toUpperCase() : text;
}

function hexOfBytes(bytes: Uint8Array, frame: Frame, digits: string): string | Abnormal {
  if (overspends(frame, bytes.length)) return EXHAUSTED;
  const text = new TextBuilder(2 * bytes.length);
  for (const octet of bytes) {
    text.addUnit(digits.charCodeAt(octet >> 4));
    text.addUnit(digits.charCodeAt(octet & 15));
  }
  return text.toString();
}

function formatDecimal(
  verb: "f" | "e",
  decimals: number,
  value: Value,
  frame: Frame,
): string | Abnormal | null {
  const plain = plainNumber(value);
  if (plain === undefined) return null;
  const number = Number(plain);
  if (!Number.isFinite(number)) return String(number);
  if (decimals >= FAST_DECIMALS && overspends(frame, DECIMAL_FUEL * decimals)) return EXHAUSTED;
  const text =
    verb === "f" ? formatFixed(number, decimals, frame) : formatExponent(number, decimals, frame);
  return Object.is(number, -0) && typeof text === "string" ? `-${text}` : text;
}

function formatExponent(number: number, decimals: number, frame: Frame): string | Abnormal {
  const text = roundTie(number, decimals, (at) => number.toExponential(at), frame);
  if (text instanceof Abnormal) return text;
  const [digits, exponent] = text.split("e");
  return `${digits}e${exponent![0]}${exponent!.slice(1).padStart(2, "0")}`;
}

function formatFixed(number: number, decimals: number, frame: Frame): string | Abnormal {
  // From here on doubles are whole, and `toFixed` writes an exponent.
  if (Math.abs(number) >= 1e21) {
    return `${BigInt(number)}${decimals === 0 ? "" : `.${"0".repeat(decimals)}`}`;
  }
  return roundTie(number, decimals, (at) => number.toFixed(at), frame);
}

/** Whether a number may lie in the middle between two of so many decimals: then one more decimal, a 5, gives all of it. */
function mayTie(number: number, decimals: number, format: (decimals: number) => string): boolean {
  if (decimals >= FAST_DECIMALS - 1) return true;
  const text = format(decimals + 1);
  return Number(text) === number && /5(?:e|$)/.test(text);
}

/** JavaScript rounds a tie away from zero; the extension rounds it to the even digit. */
function roundTie(
  number: number,
  decimals: number,
  format: (decimals: number) => string,
  frame: Frame,
): string | Abnormal {
  const rounded = format(decimals);
  if (!mayTie(number, decimals, format)) return rounded;
  if (overspends(frame, TIE_FUEL)) return EXHAUSTED;
  const exact = /^(-?\d+)\.(\d+)(.*)$/.exec(format(LIMITS.celDecimalsMax + 1));
  if (exact === null) return rounded;
  const [, whole, digits, exponent] = exact as unknown as [string, string, string, string];
  if (!/^50*$/.test(digits.slice(decimals))) return rounded;
  const kept = digits.slice(0, decimals);
  const last = kept === "" ? whole.at(-1)! : kept.at(-1)!;
  if (Number(last) % 2 === 1) return rounded;
  return `${whole}${kept === "" ? "" : `.${kept}`}${exponent}`;
}

/** `%s`. Deep values share parts, so each visit is charged. */
function formatPlain(value: Value, frame: Frame): string | Abnormal {
  if (typeof value === "string") return value;
  if (overspends(frame, 1)) return EXHAUSTED;
  if (value === null || typeof value !== "object") return String(value);
  if (value instanceof Double) return plainDouble(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof Uint8Array) {
    return overspends(frame, value.length) ? EXHAUSTED : decodeUtf8(value);
  }
  if (isList(value)) return formatList(value, frame);
  return isMap(value) ? formatMap(value, frame) : mismatch("s", value);
}

function formatList(list: readonly Value[], frame: Frame): string | Abnormal {
  const parts: string[] = [];
  for (const item of list) {
    const part = formatPlain(item, frame);
    if (part instanceof Abnormal) return part;
    if (overspends(frame, part.length)) return EXHAUSTED;
    parts.push(part);
  }
  return `[${parts.join(", ")}]`;
}

/** Entries in the order of their keys, as these are written; keys that are written alike, in that of their values. */
function formatMap(map: CelMap, frame: Frame): string | Abnormal {
  const entries: (readonly [key: string, value: string])[] = [];
  for (const [key, value] of map) {
    const written = formatPlain(keyValue(map, key), frame);
    if (written instanceof Abnormal) return written;
    const shown = formatPlain(value, frame);
    if (shown instanceof Abnormal) return shown;
    if (overspends(frame, written.length + shown.length)) return EXHAUSTED;
    entries.push([written, shown]);
  }
  entries.sort(([a, x], [b, y]) => compareTexts(a, b) || compareTexts(x, y));
  return `{${entries.map(([key, value]) => `${key}: ${value}`).join(", ")}}`;
}

/** By code units: this order shows, but decides nothing. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
