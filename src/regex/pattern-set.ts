/** Which of many patterns occur in a text: by literals where they have any, together where they have none. */
import { createLiteralSearch, type Sought, soughtByLiterals } from "./literal-search.ts";
import type { Pattern } from "./pattern-engine.ts";
import { readPattern } from "./re2-syntax.ts";
import { createAutomata } from "./set-automata.ts";
import type { Member, SetPart } from "./set-part.ts";

export interface PatternSet {
  readonly size: number;
  /** Indexes, in order, of the patterns that occur anywhere in `text`. */
  match(text: string): readonly number[];
}

/** `patterns` have been compiled before: their sources are of the dialect and within the caps. */
export function createPatternSet(patterns: readonly Pick<Pattern, "source">[]): PatternSet {
  const sought: Sought[] = [];
  const rest: Member[] = [];
  for (const [index, { source }] of patterns.entries()) {
    const read = readPattern(source);
    if (!read.ok) throw new Error(`not a compiled pattern: \`${source}\``);
    const member = { index, source, tree: read.tree };
    const one = soughtByLiterals(member);
    if (one === undefined) rest.push(member);
    else sought.push(one);
  }
  const parts: SetPart[] = [];
  if (sought.length > 0) parts.push(createLiteralSearch(sought));
  if (rest.length > 0) parts.push(createAutomata(rest));
  return {
    size: patterns.length,
    match(given) {
      const text = given.isWellFormed() ? given : given.toWellFormed();
      return parts.flatMap((part) => part(text)).sort((a, b) => a - b);
    },
  };
}
