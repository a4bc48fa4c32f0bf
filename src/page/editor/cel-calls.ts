/** What can be called in an expression, as the checker knows it, with a line about each for a person. */
import { callableNames, findOverloads, formatCall } from "../../engine/cel/functions/functions.ts";
import { formatType } from "../../engine/cel/values/type.ts";

export interface CelCall {
  /** Without the text before its dot. */
  readonly name: string;
  readonly says: string;
}

/** More than the types say. */
const SAYS: Readonly<Record<string, string>> = {
  all: "list.all(x, condition): whether it holds for every element",
  charAt: "text.charAt(index): the character there",
  contains: "text.contains(part): whether the part is in the text",
  exists: "list.exists(x, condition): whether it holds for some element",
  exists_one: "list.exists_one(x, condition): whether it holds for exactly one",
  filter: "list.filter(x, condition): the elements for which it holds",
  format: '"%s has %d".format([a, b])',
  has: "has(a.b): whether the field is there",
  indexOf: "text.indexOf(part): its place, or -1",
  lastIndexOf: "text.lastIndexOf(part): its last place, or -1",
  lowerAscii: "text.lowerAscii(): A to Z in lower case",
  map: "list.map(x, value): the values",
  matches: "text.matches(pattern): whether the RE2 pattern is in the text",
  split: 'text.split(","): a list',
  trim: "text.trim(): without blanks at both ends",
  upperAscii: "text.upperAscii(): a to z in upper case",
};

/** The overloads with their types, such as `string.size(): int or list<A>.size(): int`. */
function signatures(name: string, form: "function" | "method"): string {
  return findOverloads(name, form)
    .map(({ params, result }) => `${formatCall({ name, form }, params)}: ${formatType(result)}`)
    .join(" or ");
}

const FORMS = ["method", "function"] as const;
/** What can be called after a dot is under the text before it: its namespace, or `METHOD`. */
const METHOD = "";
const calls = new Map<string | null, CelCall[]>();
for (const form of FORMS) {
  for (const full of callableNames(form)) {
    const [, space, name = full] = /^(\w+)\.(\w+)$/.exec(full) ?? [];
    const at = form === "method" ? METHOD : (space ?? null);
    const call = { name, says: SAYS[full] ?? (signatures(full, form) || full) };
    calls.set(at, [...(calls.get(at) ?? []), call]);
  }
}

/** The calls behind a dot, from the word before it; `null`: those without a dot. */
export function celCalls(before: string | null): readonly CelCall[] {
  return calls.get(before) ?? calls.get(METHOD)!;
}

/** `null`: nothing of that name can be called. */
export function celCallSaid(name: string): string | null {
  return [...calls.values()].flat().find((call) => call.name === name)?.says ?? null;
}
