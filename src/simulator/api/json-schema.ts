/** The JSON Schema of a zod schema, with what is needed to read requests and explain mistakes. */
import { z } from "zod";

/** JSON Schema 2020-12, the keywords that zod writes. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  /** What is known about a text that the schema leaves open. */
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/** `sent`: what clients write (defaults may be absent); `shown`: what they read. */
export function toJsonSchema(schema: z.ZodType, side: "sent" | "shown"): JsonSchema {
  const written = z.toJSONSchema(schema, { io: side === "sent" ? "input" : "output" });
  const { $schema: _dialect, ...rest } = written;
  return rest as JsonSchema;
}

/** The types that a value may have; empty if any is allowed. */
export function typesOf(schema: JsonSchema): readonly string[] {
  if (schema.type !== undefined) return [schema.type].flat();
  return (schema.anyOf ?? []).flatMap(typesOf);
}

const list = (values: readonly unknown[]): string =>
  values.map((value) => `\`${String(value)}\``).join(", ");

const WORDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  null: "null",
};

function numbers(noun: string, { minimum, maximum }: JsonSchema): string {
  const from = minimum ?? Number.MIN_SAFE_INTEGER;
  const to = maximum ?? Number.MAX_SAFE_INTEGER;
  if (from === Number.MIN_SAFE_INTEGER && to === Number.MAX_SAFE_INTEGER) return noun;
  return `${noun} from ${from} to ${to}`;
}

/** What else a text or a list is asked for. */
const SIZES: Readonly<Record<string, readonly [min: string, max: string, noun: string]>> = {
  string: ["minLength", "maxLength", "characters"],
  array: ["minItems", "maxItems", "entries"],
};

/** A type with its bounds: `an array of 1 to 100 entries`. */
function bounded(type: string, schema: JsonSchema): string {
  const word = WORDS[type] ?? type;
  if (type === "number") return numbers(word, schema);
  const [min, max, noun] = SIZES[type] ?? [];
  const [from, to] = [schema[min!], schema[max!]];
  if (from === undefined && to === undefined) return word;
  const many =
    to === undefined
      ? `at least ${from}`
      : from === undefined
        ? `at most ${to}`
        : `${from} to ${to}`;
  return `${word} of ${many} ${noun}`;
}

/** What to give, as it follows "give": `a whole number from 1 to 200`. */
export function expectation(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  const choice = schema.enum ?? schema.examples;
  if (choice !== undefined) return `one of ${list(choice)}`;
  const isPattern = [schema, ...(schema.anyOf ?? [])].some(({ pattern }) => pattern !== undefined);
  if (isPattern && schema.description !== undefined) return schema.description;
  if (schema.anyOf !== undefined) {
    return [...new Set(schema.anyOf.map(expectation))].join(" or ");
  }
  if (schema.type === "integer") return numbers("a whole number", schema);
  return typesOf(schema)
    .map((type) => bounded(type, schema))
    .join(" or ");
}

/** The schema of the value at `path`, or `undefined` where none is stated. */
export function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  let at: JsonSchema | undefined = schema;
  for (const step of path) {
    at = typeof step === "number" ? at?.items : at?.properties?.[String(step)];
  }
  return at;
}
