/** Values as CEL source, cut to a length, for people who read a trace. */
import { LIMITS } from "../../../base/limits.ts";
import { TextBuilder } from "./text-builder.ts";
import { formatDuration, formatTimestamp } from "./time.ts";
import {
  Abnormal,
  CelError,
  Double,
  Duration,
  isList,
  isMap,
  type Key,
  keyValue,
  Optional,
  type Result,
  type Struct,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "./value.ts";

/** What escapes write for U+0007 to U+000D. */
export const CONTROLS = "abtnvfr";

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** The text as a string literal of CEL. */
export function quoteString(text: string): string {
  const quoted = new TextBuilder(text.length + 2);
  quoted.addUnit(QUOTE);
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const control = unit >= 7 && unit <= 13;
    if (!control && unit !== QUOTE && unit !== BACKSLASH) continue;
    quoted.add(text, from, at);
    quoted.addUnit(BACKSLASH);
    quoted.addUnit(control ? CONTROLS.charCodeAt(unit - 7) : unit);
    from = at + 1;
  }
  quoted.add(text, from);
  quoted.addUnit(QUOTE);
  return quoted.toString();
}

function renderString(text: string): string {
  return quoteString(text).replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function renderDouble(value: number): string {
  if (!Number.isFinite(value)) return `double("${value}")`;
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function renderBytes(bytes: Uint8Array): string {
  const octets = Array.from(bytes.subarray(0, LIMITS.celStepUnitsMax), (octet) =>
    octet >= 0x20 && octet < 0x7f && octet !== 0x22 && octet !== 0x5c
      ? String.fromCharCode(octet)
      : `\\x${octet.toString(16).padStart(2, "0")}`,
  );
  return `b"${octets.join("")}"`;
}

/** Joins items until they fill a rendering: a long list costs no more than what is shown of it. */
function renderItems<T>(items: Iterable<T>, render: (item: T) => string): string {
  let text = "";
  for (const item of items) {
    if (text !== "") text += ", ";
    if (text.length > LIMITS.celStepUnitsMax) break;
    text += render(item);
  }
  return text;
}

function renderObject(value: object & Value): string {
  if (isList(value)) return `[${renderItems(value, render)}]`;
  if (isMap(value)) {
    const entry = (key: Key): string =>
      `${render(keyValue(value, key))}: ${render(value.get(key)!)}`;
    return `{${renderItems(value.keys(), entry)}}`;
  }
  if (value instanceof Double) return renderDouble(value.value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Uint8Array) return renderBytes(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Timestamp) return `timestamp("${formatTimestamp(value)}")`;
  if (value instanceof Duration) return `duration("${formatDuration(value)}")`;
  if (value instanceof Optional) {
    return value.value === undefined ? "optional.none()" : `optional.of(${render(value.value)})`;
  }
  const struct: Struct = value as Struct;
  const field = (name: string): string => `${name}: ${render(struct[name]!)}`;
  return `attachment{${renderItems(Object.keys(struct), field)}}`;
}

function render(value: Value): string {
  if (typeof value === "string") return renderString(value.slice(0, LIMITS.celStepUnitsMax + 1));
  if (typeof value === "object" && value !== null) return renderObject(value);
  return String(value);
}

/** A value as CEL source of at most `LIMITS.celStepUnitsMax` code units (a cut value ends in `…`), `error: …`, or `unknown`. */
export function renderResult(result: Result): string {
  if (result instanceof CelError) return `error: ${result.message}`;
  if (result instanceof Abnormal) {
    return result.kind === "unknown" ? "unknown" : "error: fuel is spent";
  }
  const text = render(result).toWellFormed();
  return text.length <= LIMITS.celStepUnitsMax
    ? text
    : `${text.slice(0, LIMITS.celStepUnitsMax - 1)}…`;
}
