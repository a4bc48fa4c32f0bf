/** The keys and values that the schema of domain files allows at a place in a JSON text. */
import schemaFile from "../../../schema/domain.schema.json" with { type: "json" };

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const ROOT = schemaFile as unknown as Schema;
const DEFINITIONS = ROOT.definitions!;

/** What a JSON text describes: a whole domain file, or one of its rules. */
export type JsonRoot = "domain" | "rule";

export interface JsonWord {
  /** As it is written, with its quotes. */
  readonly text: string;
  readonly kind: "key" | "value";
  readonly says: string;
}

export interface JsonPlace {
  /** Start of the word that a choice replaces. */
  readonly from: number;
  readonly words: readonly JsonWord[];
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

/** An object or list around the position. */
interface Frame {
  readonly kind: "{" | "[";
  readonly start: number;
  /** The key whose value comes next; `null` in a list. */
  key: string | null;
}

const unquoted = (token: string): string => token.replace(/^"|"$/g, "");

/** The members of the object that begins at `start`: the first token of each value, by key. Also reads an incomplete text. */
function membersOf(text: string, start: number): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let [depth, key] = [0, ""];
  let isValue = false;
  for (const { 0: token } of text.slice(start).matchAll(TOKEN)) {
    if (depth === 1 && isValue && !/^[,}]/.test(token)) {
      members.set(key, token);
      isValue = false;
    } else if (depth === 1 && token.startsWith('"')) key = unquoted(token);
    if (depth === 1 && token === ":") isValue = true;
    else if (depth === 1 && token === ",") isValue = false;
    if (token === "{" || token === "[") depth++;
    if ((token === "}" || token === "]") && --depth <= 0) break;
  }
  return members;
}

function holds(condition: Schema, members: ReadonlyMap<string, string>): boolean {
  return Object.entries(condition.properties ?? {}).every(([name, wanted]) => {
    const token = members.get(name);
    if (token === undefined) return false;
    return wanted.type === "object" ? token === "{" : token === JSON.stringify(wanted.const);
  });
}

/** A schema, the schemas it refers to, and those of its conditional schemas that apply to an object with these members. */
function expanded(schema: Schema, members: ReadonlyMap<string, string>): readonly Schema[] {
  const more: (Schema | undefined)[] = [...(schema.allOf ?? [])];
  if (schema.$ref !== undefined) more.push(DEFINITIONS[schema.$ref.split("/").at(-1)!]);
  if (schema.if !== undefined) more.push(holds(schema.if, members) ? schema.then : schema.else);
  return [schema, ...more.flatMap((each) => (each === undefined ? [] : expanded(each, members)))];
}

/** The schemas for the contents of the innermost frame. `frames` begins with the outermost. */
function schemasAt(text: string, frames: readonly Frame[], root: JsonRoot): readonly Schema[] {
  let schemas: readonly Schema[] = [root === "rule" ? DEFINITIONS.rule! : ROOT];
  for (const { kind, start, key } of frames) {
    const members = kind === "{" ? membersOf(text, start) : new Map();
    const here = schemas.flatMap((each) => expanded(each, members));
    schemas =
      kind === "["
        ? here.flatMap(({ items }) => items ?? [])
        : key === null
          ? here
          : here.flatMap(({ properties }) => properties?.[key] ?? []);
  }
  return schemas.flatMap((each) => expanded(each, new Map()));
}

function valuesOf({ enum: choices = [], type, const: only }: Schema): readonly unknown[] {
  const flags = type === "boolean" ? [true, false] : [];
  return [...choices, ...flags, ...(only === undefined ? [] : [only])];
}

function wordsAt(text: string, frames: readonly Frame[], root: JsonRoot): readonly JsonWord[] {
  const schemas = schemasAt(text, frames, root);
  const { kind, key, start } = frames.at(-1)!;
  const words = new Map<string, JsonWord>();
  const add = (word: JsonWord): void => {
    if (words.get(word.text)?.says !== undefined && word.says === "") return;
    words.set(word.text, word);
  };
  if (kind === "{" && key === null) {
    const present = membersOf(text, start);
    for (const { properties = {} } of schemas) {
      for (const [name, { description, $ref }] of Object.entries(properties)) {
        const referred = $ref === undefined ? undefined : DEFINITIONS[$ref.split("/").at(-1)!];
        const says = description ?? referred?.description ?? "";
        if (!present.has(name)) add({ text: JSON.stringify(name), kind: "key", says });
      }
    }
  }
  // Values already in a list are not offered again.
  const listed = kind === "[" ? (/^[^\]]*/.exec(text.slice(start))?.[0] ?? "") : "";
  if (kind === "[" || key !== null) {
    for (const schema of schemas) {
      for (const value of valuesOf(schema)) {
        const written = JSON.stringify(value);
        if (listed.includes(written)) continue;
        add({ text: written, kind: "value", says: schema.description ?? "" });
      }
    }
  }
  return [...words.values()];
}

/** The word begun at an offset, and its possible completions. `null` outside any object, and after a complete value. */
export function jsonWordsAt(text: string, offset: number, root: JsonRoot): JsonPlace | null {
  const frames: Frame[] = [];
  let from = offset;
  let last = "";
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const end = index + token.length;
    if (index >= offset) break;
    const isMark = /^[{}[\],:]$/.test(token);
    if (!isMark && end >= offset) {
      from = index;
      break;
    }
    const frame = frames.at(-1);
    if (token === "{" || token === "[") frames.push({ kind: token, start: index, key: null });
    else if (token === "}" || token === "]") frames.pop();
    else if (token === ":" && frame !== undefined) frame.key = unquoted(last);
    else if (token === "," && frame !== undefined) frame.key = null;
    last = token;
  }
  // After a whole value a comma comes first.
  if (frames.length === 0 || !/^[{[,:]$/.test(last)) return null;
  return { from, words: wordsAt(text, frames, root) };
}

/** The documentation of the key or value at an offset; `null` if there is none. */
export function jsonWordSaid(text: string, offset: number, root: JsonRoot): string | null {
  const token = [...text.matchAll(TOKEN)].find(
    ({ 0: found, index }) => index <= offset && offset < index + found.length,
  );
  if (token === undefined || !/^["\w]/.test(token[0])) return null;
  // Without the word, so that every choice is offered at its place.
  const { index } = token;
  const before = text.slice(0, index);
  const rest = text.slice(index + token[0].length).replace(/^\s*:[^,}\]]*/, "");
  const place = jsonWordsAt(before + rest, index, root);
  return place?.words.find((word) => word.text === token[0])?.says ?? null;
}
