/** Converts fields that arrive as text, in a query or a form, to the JSON that their schema expects. */
import { type JsonSchema, typesOf } from "../json-schema.ts";
import { parseJson } from "./parse-json.ts";
import type { FieldReader, SentFields } from "./read-fields.ts";

const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

/** A field that cannot be converted stays text, and the schema refuses it. */
function fromText(schema: JsonSchema, texts: readonly string[]): unknown {
  const types = typesOf(schema);
  const last = texts.at(-1)!;
  if (types.includes("string") || types.length === 0) return last;
  if (types.includes("array") || types.includes("object")) {
    if (/^\s*[[{]/.test(last)) return parseJson(last);
    return types.includes("array") ? texts : last;
  }
  if (types.includes("boolean") && Object.hasOwn(FLAGS, last)) return FLAGS[last];
  const isNumber = types.includes("integer") || types.includes("number");
  return isNumber && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(last) ? Number(last) : last;
}

/** Names may be repeated, or written `name[]`, for a list. */
// ASSUMPTION(repeated-fields): if a field is given more than once, in a query, a form or JSON, the last value counts
export function fromTexts(
  { json }: FieldReader,
  entries: Iterable<readonly [name: string, text: string]>,
): SentFields {
  const texts = new Map<string, string[]>();
  for (const [written, text] of entries) {
    const name = written.replace(/\[\]$/, "");
    const given = texts.get(name);
    if (given === undefined) texts.set(name, [text]);
    else given.push(text);
  }
  return Object.fromEntries(
    [...texts].map(([name, given]) => [
      name,
      fromText(Object.hasOwn(json.properties ?? {}, name) ? json.properties![name]! : {}, given),
    ]),
  );
}

/** The parameters of a URL's query. */
// ASSUMPTION(empty-parameter): a query parameter without a value counts as not given
export function fromQuery(reader: FieldReader, query: URLSearchParams): SentFields {
  return fromTexts(
    reader,
    [...query].filter(([, text]) => text !== ""),
  );
}
