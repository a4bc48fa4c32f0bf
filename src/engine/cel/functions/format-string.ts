/** `string.format`: clauses `%s %d %f %e %b %o %x %X` and `%%`, as the strings extension of CEL defines them. */
import { LIMITS } from "../../../base/limits.ts";
import { plainNumber } from "../run/equality.ts";
import { type Frame, overspends } from "../run/frame.ts";
import { formatDuration, formatTimestamp } from "../values/time.ts";
import {
  Abnormal,
  CelError,
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

const CLAUSE = /%(?:(%)|(?:\.(\d{1,4}))?([A-Za-z]))?/g;

export function formatString(frame: Frame, template: string, args: readonly Value[]): Result {
  let text = "";
  let from = 0;
  let next = 0;
  for (const match of template.matchAll(CLAUSE)) {
    const [clause, percent, decimals, verb] = match;
    text += template.slice(from, match.index);
    from = match.index + clause.length;
    if (percent !== undefined) {
      text += "%";
      continue;
    }
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
    text += piece;
  }
  return text + template.slice(from);
}

/** By clause: what it writes of a value; `null` if it takes no such value. */
const CLAUSES: Readonly<
  Record<string, (value: Value, frame: Frame, decimals: number) => string | Abnormal | null>
> = {
  s: formatPlain,
  d: formatWhole,
  f: (value, _, decimals) => formatDecimal("f", decimals, value),
  e: (value, _, decimals) => formatDecimal("e", decimals, value),
  b: (value) => (typeof value === "boolean" ? `${Number(value)}` : formatRadix(value, 2)),
  o: (value) => formatRadix(value, 8),
  x: formatHex,
  X(value, frame) {
    const text = formatHex(value, frame);
    return typeof text === "string" ? text.toUpperCase() : text;
  },
};

function mismatch(verb: string, value: Value): CelError {
  return new CelError(`\`%${verb}\` does not take a ${typeNameOf(value)}`);
}

function formatRadix(value: Value, radix: number): string | null {
  const number = value instanceof Double ? undefined : plainNumber(value);
  return number === undefined ? null : number.toString(radix);
}

function formatWhole(value: Value): string | null {
  return value instanceof Double ? String(value.value) : formatRadix(value, 10);
}

function formatHex(value: Value, frame: Frame): string | Abnormal | null {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  if (!(bytes instanceof Uint8Array)) return formatRadix(value, 16);
  if (overspends(frame, 2 * bytes.length)) return EXHAUSTED;
  return Array.from(bytes, (octet) => octet.toString(16).padStart(2, "0")).join("");
}

function formatDecimal(verb: "f" | "e", decimals: number, value: Value): string | null {
  const plain = plainNumber(value);
  if (plain === undefined) return null;
  const number = Number(plain);
  if (!Number.isFinite(number)) return String(number);
  if (verb === "f") return formatFixed(number, decimals);
  const [digits, exponent] = roundTie(decimals, (at) => number.toExponential(at)).split("e");
  return `${digits}e${exponent![0]}${exponent!.slice(1).padStart(2, "0")}`;
}

function formatFixed(number: number, decimals: number): string {
  // From here on doubles are whole, and `toFixed` writes an exponent.
  if (Math.abs(number) >= 1e21) {
    return `${BigInt(number)}${decimals === 0 ? "" : `.${"0".repeat(decimals)}`}`;
  }
  return roundTie(decimals, (at) => number.toFixed(at));
}

/** JavaScript rounds a tie away from zero; the extension rounds it to the even digit. */
function roundTie(decimals: number, format: (decimals: number) => string): string {
  const rounded = format(decimals);
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
  if (value instanceof Double || value instanceof Uint) return String(value.value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof Uint8Array) {
    return overspends(frame, value.length) ? EXHAUSTED : new TextDecoder().decode(value);
  }
  if (!isList(value) && !isMap(value)) return mismatch("s", value);
  const parts: string[] = [];
  for (const item of isList(value) ? value : value.keys()) {
    const part = formatPlain(
      isList(value) ? (item as Value) : keyValue(value, item as string),
      frame,
    );
    if (part instanceof Abnormal) return part;
    const shown = isList(value) ? "" : formatPlain(value.get(item as string)!, frame);
    if (shown instanceof Abnormal) return shown;
    if (overspends(frame, part.length + shown.length)) return EXHAUSTED;
    parts.push(isList(value) ? part : `${part}: ${shown}`);
  }
  return isList(value) ? `[${parts.join(", ")}]` : `{${parts.sort().join(", ")}}`;
}
