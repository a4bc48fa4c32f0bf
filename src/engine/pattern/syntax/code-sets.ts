/** What one character of a pattern matches, as ranges of code points. */
import { foldingCharacters, orbitOf } from "./case-orbits.ts";
import { CODE_POINT_MAX, type CodeRange, complement, mergeRanges } from "./class-tables.ts";
import type { PatternNode } from "./pattern-tree.ts";
import { unicodeRanges } from "./unicode-ranges.ts";

/** The index of the first number from `least` on; `numbers` are in order. */
export function indexFrom(numbers: Int32Array, least: number): number {
  let low = 0;
  for (let high = numbers.length; high > low; ) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds the code points that fold with members, in order. */
export function foldRanges(given: readonly CodeRange[]): readonly CodeRange[] {
  const ranges = mergeRanges(given);
  const added: CodeRange[] = [];
  const folding = foldingCharacters();
  for (const [first, last] of ranges) {
    for (let at = indexFrom(folding, first); folding[at]! <= last; at++) {
      for (const one of orbitOf(folding[at]!))
        if (one < first || one > last) added.push([one, one]);
    }
  }
  return added.length === 0 ? ranges : mergeRanges([...ranges, ...added]);
}

/** The code points outside `ranges`; where case does not count, also without what folds with them. */
export function allBut(ranges: readonly CodeRange[], fold: boolean): readonly CodeRange[] {
  return complement(fold ? foldRanges(ranges) : ranges);
}

/** The ranges of a literal, a class or `.`, in order. */
export function rangesOf(node: PatternNode): readonly CodeRange[] {
  switch (node.kind) {
    case "literal": {
      const ranges: readonly CodeRange[] = [[node.codePoint, node.codePoint]];
      return node.fold ? foldRanges(ranges) : ranges;
    }
    case "any":
      return node.newline === "included" ? [[0, CODE_POINT_MAX]] : complement([[10, 10]]);
    case "class": {
      const { ranges, unicode, negated, fold } = node;
      const named = unicode.flatMap(({ name, polarity }) =>
        polarity === "included" ? unicodeRanges(name) : allBut(unicodeRanges(name), fold),
      );
      const members = [...ranges, ...named];
      if (negated) return allBut(members, fold);
      return fold ? foldRanges(members) : mergeRanges(members);
    }
    default:
      return [];
  }
}
