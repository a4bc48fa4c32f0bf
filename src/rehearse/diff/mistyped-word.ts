/** Whether two CEL expressions differ in a single word, by so few letters that one of them is a typo. */
import { nearestName } from "../../base/nearest-name.ts";

export interface WordChange {
  readonly from: string;
  readonly to: string;
}

// Strings, names, numbers, and single other characters.
const WORD = /"(?:\\.|[^\\"])*"|'(?:\\.|[^\\'])*'|[A-Za-z_]\w*|\d[\w.]*|\S/gs;

function wordsOf(expression: string): readonly string[] {
  return expression.match(WORD) ?? [];
}

/** The kind of a word, from its first character. */
function kindOf(word: string): "string" | "name" | "number" | "sign" {
  if (/^["']/.test(word)) return "string";
  if (/^[A-Za-z_]/.test(word)) return "name";
  return /^\d/.test(word) ? "number" : "sign";
}

/** The one string or name in which the expressions differ, if that can be a typo; `null` for other differences. */
export function mistypedWord(before: string, after: string): WordChange | null {
  const [from, to] = [wordsOf(before), wordsOf(after)];
  if (from.length !== to.length) return null;
  const places = from.flatMap((word, at) => (word === to[at] ? [] : [at]));
  if (places.length !== 1) return null;
  const [one, other] = [from[places[0]!]!, to[places[0]!]!];
  const kind = kindOf(one);
  if (kind !== kindOf(other) || (kind !== "string" && kind !== "name")) return null;
  const bare = (word: string): string => (kind === "string" ? word.slice(1, -1) : word);
  return nearestName(bare(one), [bare(other)]) === undefined ? null : { from: one, to: other };
}
