/** Shapes of JSON values: closed objects, kinds of timestamps, null only where it is stated. */

type Fields = Readonly<Record<string, Shape>>;

export type Shape =
  | { readonly kind: "leaf"; readonly name: string; readonly holds: (value: unknown) => boolean }
  | { readonly kind: "nullable"; readonly of: Shape }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "map"; readonly of: Shape }
  | { readonly kind: "either"; readonly of: readonly Shape[] }
  | { readonly kind: "object"; readonly fields: Fields; readonly optional: Fields };

function leaf(name: string, holds: (value: unknown) => boolean): Shape {
  return { kind: "leaf", name, holds };
}

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
/** Between the years 2001 and 2286 a count of seconds has ten digits, one of milliseconds thirteen. */
const hasDigits = (value: unknown, digits: number): boolean =>
  isInteger(value) && value > 0 && String(value).length === digits;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const string: Shape = leaf("string", (value) => typeof value === "string");
export const filled: Shape = leaf("non-empty string", (v) => typeof v === "string" && v !== "");
export const integer: Shape = leaf("integer", isInteger);
export const number: Shape = leaf("number", Number.isFinite);
export const boolean: Shape = leaf("boolean", (value) => typeof value === "boolean");
export const uuid: Shape = leaf("UUID", (value) => typeof value === "string" && UUID.test(value));
export const anything: Shape = leaf("anything", (value) => value !== undefined);
export const timestamp: Shape = leaf(
  "ISO 8601 UTC timestamp",
  (value) => typeof value === "string" && ISO.test(value) && !Number.isNaN(Date.parse(value)),
);
export const milliseconds: Shape = leaf("epoch milliseconds", (value) => hasDigits(value, 13));
export const seconds: Shape = leaf("epoch seconds", (value) => hasDigits(value, 10));

export function exactly(...values: readonly unknown[]): Shape {
  const name = values.map((value) => JSON.stringify(value)).join(" or ");
  return leaf(name, (value) => values.includes(value));
}

export function nullable(of: Shape): Shape {
  return { kind: "nullable", of };
}

export function list(of: Shape): Shape {
  return { kind: "list", of };
}

export function map(of: Shape): Shape {
  return { kind: "map", of };
}

export function either(...of: readonly Shape[]): Shape {
  return { kind: "either", of };
}

/** All of `fields`, any of `optional`, and nothing else. */
export function object(fields: Fields, optional: Fields = {}): Shape {
  return { kind: "object", fields, optional };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 80) ?? "undefined";

function objectMismatches(
  shape: Extract<Shape, { kind: "object" }>,
  value: Record<string, unknown>,
  path: string,
): string[] {
  const known = { ...shape.optional, ...shape.fields };
  const missing = Object.keys(shape.fields).filter((name) => !Object.hasOwn(value, name));
  return [
    ...missing.map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, field]) =>
      Object.hasOwn(known, name)
        ? mismatches(known[name]!, field, `${path}.${name}`)
        : [`${path}.${name} is not in the text`],
    ),
  ];
}

/** What in `value` is not of the shape, one line each; empty when all is. */
export function mismatches(shape: Shape, value: unknown, path = "body"): string[] {
  switch (shape.kind) {
    case "leaf":
      return shape.holds(value) ? [] : [`${path} should be ${shape.name}, is ${shown(value)}`];
    case "nullable":
      return value === null ? [] : mismatches(shape.of, value, path);
    case "list":
      if (!Array.isArray(value)) return [`${path} should be an array, is ${shown(value)}`];
      return value.flatMap((entry, index) => mismatches(shape.of, entry, `${path}[${index}]`));
    case "map":
      if (!isRecord(value)) return [`${path} should be an object, is ${shown(value)}`];
      return Object.entries(value).flatMap(([name, entry]) =>
        mismatches(shape.of, entry, `${path}.${name}`),
      );
    case "either": {
      const tries = shape.of.map((each) => mismatches(each, value, path));
      return tries.some((found) => found.length === 0) ? [] : tries.flat();
    }
    case "object":
      if (!isRecord(value)) return [`${path} should be an object, is ${shown(value)}`];
      return objectMismatches(shape, value, path);
  }
}
