/** Checks the fields of a query or a body against a schema, with mistakes in the author's words. */

import type { z } from "zod";
import { byField, issuesOf } from "../../../base/issues.ts";
import { LIMITS } from "../../../base/limits.ts";
import { readEntry } from "../../model/batch.ts";
import { type FieldErrors, refuseFields } from "../../model/problem.ts";
import { expectation, type JsonSchema, schemaAt, toJsonSchema } from "../json-schema.ts";

export type SentFields = Readonly<Record<string, unknown>>;

/** What happens to fields that are not in the schema. */
export type UnknownFields = "ignored" | "refused";

/** A schema of fields with its JSON Schema, which is made once. */
export interface FieldReader {
  readonly schema: z.ZodObject;
  readonly json: JsonSchema;
}

export function fieldReader(schema: z.ZodObject): FieldReader {
  return { schema, json: toJsonSchema(schema, "sent") };
}

/** Most code units of an input that a message repeats. */
const SHOWN_MAX = 80;

function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  const text = String(value);
  return `\`${text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text}\``;
}

function valueAt(fields: SentFields, path: readonly PropertyKey[]): unknown {
  let at: unknown = fields;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[step];
  }
  return at;
}

function typeErrors(
  { schema, json }: FieldReader,
  fields: SentFields,
  error: z.core.$ZodError,
): FieldErrors {
  const faults = issuesOf(error).map(({ field, path, message, kind }) => {
    const wanted = kind === "type" ? schemaAt(json, path) : undefined;
    const advice = wanted === undefined ? message : `give ${expectation(wanted)}`;
    return [field, `\`${field}\` is ${shown(valueAt(fields, path))}: ${advice}`] as const;
  });
  const errors = byField(faults);
  // In the order of the schema, which is that of the API's text.
  const rank = Object.keys(schema.shape);
  const place = (name: string): number => rank.indexOf(name.split(/[.[]/, 1)[0]!);
  return Object.fromEntries(Object.entries(errors).sort(([a], [b]) => place(a) - place(b)));
}

function unknownErrors({ schema }: FieldReader, fields: SentFields): FieldErrors {
  const names = Object.keys(fields).filter((name) => !Object.hasOwn(schema.shape, name));
  return Object.fromEntries(
    names
      .slice(0, LIMITS.unknownFieldsMax)
      .map((name) => [name, [`${shown(name)} is not a field of this request: remove it`]]),
  );
}

/** Reads an entry of a batch like the body of a single request. */
export function entryReader(schema: z.ZodObject): (entry: unknown) => SentFields {
  const reader = fieldReader(schema);
  return (entry) => readFields(reader, readEntry(entry), "ignored") as SentFields;
}

/** The checked fields, with defaults; throws 400 with the errors of all. */
export function readFields(
  reader: FieldReader,
  fields: SentFields,
  unknown: UnknownFields,
): unknown {
  const read = reader.schema.safeParse(fields);
  const errors = {
    ...(read.success ? {} : typeErrors(reader, fields, read.error)),
    ...(unknown === "refused" ? unknownErrors(reader, fields) : {}),
  };
  refuseFields(errors);
  return read.data;
}
