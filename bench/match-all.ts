/** All patterns that occur in a text, by the pieces that plans are made of: literals, windows, sets. */

import type { Span } from "../src/base/diagnostic.ts";
import { LIMITS } from "../src/base/limits.ts";
import { compilePattern } from "../src/regex/compile-pattern.ts";
import { createLiteralScanner } from "../src/regex/literal-scanner.ts";
import type { Pattern } from "../src/regex/pattern-engine.ts";
import { createPatternSet } from "../src/regex/pattern-set.ts";
import { readPattern } from "../src/regex/re2-syntax.ts";
import { re2jsEngine } from "../src/regex/re2js-engine.ts";
import {
  type RequiredLiteral,
  type RequiredLiterals,
  requiredLiterals,
} from "../src/regex/required-literals.ts";
import { windowsAround } from "../src/regex/window.ts";

export function compileSource(source: string): Pattern {
  const result = compilePattern(source, re2jsEngine);
  if (!result.ok) throw new Error(`${source}: ${result.problem.message}`);
  return result.pattern;
}

interface Sought {
  readonly index: number;
  readonly pattern: Pattern;
  readonly required: RequiredLiterals;
}

/** A negative window is final; a positive one may have taken its edge for the text's. */
function occurs({ pattern, required }: Sought, text: string, hits: readonly Span[]): boolean {
  if (hits.length > LIMITS.literalHitsMax) return pattern.test(text);
  const windows = windowsAround(
    text,
    hits.toSorted((a, b) => a.start - b.start),
    required,
  );
  return (
    windows.some(({ start, end }) => pattern.test(text.slice(start, end))) && pattern.test(text)
  );
}

/** Answers the indexes of the patterns that occur, in order. */
export function matchAll(sources: readonly string[]): (text: string) => number[] {
  const soughtBy: Sought[][] = [];
  const literals: RequiredLiteral[] = [];
  const idOf = new Map<string, number>();
  const rest: { readonly index: number; readonly source: string }[] = [];
  for (const [index, source] of sources.entries()) {
    const read = readPattern(source);
    const required = read.ok ? requiredLiterals(read.tree) : null;
    if (required === null) {
      rest.push({ index, source });
      continue;
    }
    const sought = { index, pattern: compileSource(source), required };
    for (const literal of required.literals) {
      const key = `${literal.fold} ${literal.text}`;
      const id = idOf.get(key) ?? literals.push(literal) - 1;
      idOf.set(key, id);
      soughtBy[id] ??= [];
      soughtBy[id].push(sought);
    }
  }
  const scanner = createLiteralScanner(literals);
  const set = createPatternSet(rest);
  return (text) => {
    const hits = new Map<Sought, Span[]>();
    scanner.scan(text, (id, start) => {
      const hit = { start, end: start + literals[id]!.text.length };
      for (const sought of soughtBy[id]!) {
        const noted = hits.get(sought);
        if (noted === undefined) hits.set(sought, [hit]);
        else if (noted.length <= LIMITS.literalHitsMax) noted.push(hit);
      }
      return undefined;
    });
    const matched = set.match(text).map((at) => rest[at]!.index);
    for (const [sought, own] of hits) if (occurs(sought, text, own)) matched.push(sought.index);
    return matched.sort((a, b) => a - b);
  };
}
