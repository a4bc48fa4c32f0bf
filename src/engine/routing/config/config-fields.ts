/** Reads fields of an author's configuration, reporting what is wrong with its path. */

import type { Diagnostic, Path, Problem } from "../../../base/diagnostic.ts";
import { LIMITS } from "../../../base/limits.ts";
import { nearestName } from "../../../base/nearest-name.ts";
import { quote } from "../../../base/quote.ts";
import { jsTypeName } from "../../../base/type-name.ts";

/** One object of the configuration and its path. */
export interface Fields {
  readonly values: Readonly<Record<string, unknown>>;
  readonly path: Path;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** The type of a value in messages to the author of a configuration. */
function typeName(value: unknown): string {
  return typeof value === "string" ? "a text" : jsTypeName(value);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

export function isTexts(value: unknown): value is readonly string[] {
  if (!Array.isArray(value)) return false;
  // Run for each header field of each message: a call for each value takes twice as long.
  for (let nth = 0; nth < value.length; nth++) if (typeof value[nth] !== "string") return false;
  return true;
}

/** The object's own value of a field; inherited ones (`constructor`) are not the author's. */
export function ownField(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields.values, name) ? fields.values[name] : undefined;
}

export function reportAt(fields: Fields, name: string, problem: Problem): null {
  fields.report({ ...problem, path: [...fields.path, name] });
  return null;
}

/** Reports a field that is missing, or holds none of the values that it may: what to do is `missing` or `unknown`. */
export function reportChoice(
  fields: Fields,
  name: string,
  kind: { readonly code: Problem["code"]; readonly called: string },
  missing: string,
  unknown: string = missing,
): null {
  const value = ownField(fields, name);
  if (value === undefined) {
    const message = `\`${name}\` is missing: ${missing}`;
    return reportAt(fields, name, { code: "config/missing-field", message });
  }
  const shown = typeof value === "string" ? quote(value) : "this";
  const message = `${shown} is not ${kind.called}: ${unknown}`;
  return reportAt(fields, name, { code: kind.code, message });
}

function reportType(
  fields: Fields,
  name: string,
  wanted: string,
  verb: "give" | "write" = "give",
): null {
  const value = ownField(fields, name);
  if (value === undefined) {
    const others = Object.keys(fields.values).filter((other) => other !== name);
    const misspelt = nearestName(name, others);
    const advice =
      misspelt === undefined ? `give ${wanted}` : `write \`${name}\` for ${quote(misspelt)}`;
    const message = `\`${name}\` is missing: ${advice}`;
    return reportAt(fields, name, { code: "config/missing-field", message });
  }
  const message = `\`${name}\` is ${typeName(value)}: ${verb} ${wanted}`;
  return reportAt(fields, name, { code: "config/wrong-type", message });
}

/** The text, unless it has more than `unitsMax` code units. */
function limited(fields: Fields, name: string, text: string, unitsMax: number): string | null {
  if (text.length <= unitsMax) return text;
  const message = `\`${name}\` has ${text.length} characters: at most ${unitsMax} are allowed`;
  return reportAt(fields, name, { code: "config/too-long", message });
}

/** A required string that is not blank, of at most `unitsMax` code units. */
export function readText(fields: Fields, name: string, unitsMax: number): string | null {
  const value = ownField(fields, name);
  if (typeof value !== "string") return reportType(fields, name, "a string");
  if (value.trim() === "") {
    const message = `\`${name}\` is empty: fill it in`;
    return reportAt(fields, name, { code: "config/empty-field", message });
  }
  return limited(fields, name, value, unitsMax);
}

/** Words that people write for `true` and `false`. */
const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "y", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "n", "off", "0"].map((word) => [word, false] as const),
]);

/** An optional id or time; `null` when absent or wrong. */
export function readOptionalText(fields: Fields, name: string): string | null {
  const value = ownField(fields, name);
  if (typeof value === "string") return limited(fields, name, value, LIMITS.idUnitsMax);
  return value === undefined ? null : reportType(fields, name, "a text", "write");
}

/** An optional truth value; `null` when absent or wrong. */
export function readOptionalFlag(fields: Fields, name: string): boolean | null {
  const value = ownField(fields, name);
  if (value === undefined) return null;
  if (typeof value === "boolean") return value;
  const isWord = typeof value === "string" || typeof value === "number";
  const meant = isWord ? BOOLEAN_WORDS.get(`${value}`.trim().toLowerCase()) : undefined;
  const quotes = typeof value === "string" ? ", without quotes" : "";
  const wanted = meant === undefined ? "true or false" : `${meant}${quotes}`;
  return reportType(fields, name, wanted, "write");
}

/** An optional ISO 8601 timestamp in milliseconds since the epoch; the latest possible when absent. */
export function readTimestamp(fields: Fields, name: string): number {
  const text = readOptionalText(fields, name);
  if (text === null) return Number.POSITIVE_INFINITY;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  const message = `${quote(text)} is not a timestamp: write it as \`2026-01-31T12:00:00Z\``;
  reportAt(fields, name, { code: "config/wrong-type", message });
  return Number.POSITIVE_INFINITY;
}

/** A required object. */
export function readRecord(fields: Fields, name: string): Fields | null {
  const values = ownField(fields, name);
  if (!isRecord(values)) return reportType(fields, name, "an object");
  return { values, path: [...fields.path, name], report: fields.report };
}

/** An optional array of objects, each with its path; other entries are reported and left out. */
export function readRecords(fields: Fields, name: string, entriesMax: number): readonly Fields[] {
  const value = ownField(fields, name);
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    reportType(fields, name, "an array");
    return [];
  }
  if (value.length > entriesMax) {
    const message = `\`${name}\` has ${value.length} entries: at most ${entriesMax} are allowed`;
    reportAt(fields, name, { code: "config/too-many", message });
    return [];
  }
  // A hole of an array is an entry, too.
  return Array.from(value).flatMap((values: unknown, index): Fields[] => {
    const path = [...fields.path, name, index];
    if (isRecord(values)) return [{ values, path, report: fields.report }];
    const message = `\`${name}[${index}]\` is ${typeName(values)}: give an object`;
    fields.report({ code: "config/not-an-object", message, path });
    return [];
  });
}
