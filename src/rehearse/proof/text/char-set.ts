/** Sets of characters: sorted, disjoint ranges of Unicode scalar values (code points without surrogates). */
import {
  CODE_POINT_MAX,
  type CodeRange,
  complement,
  mergeRanges,
} from "../../../engine/pattern/syntax/class-tables.ts";

export type CharSet = readonly CodeRange[];

const [SURROGATE_FIRST, SURROGATE_LAST] = [0xd800, 0xdfff];

/** Rules see only well-formed text, so no character is a surrogate. */
export const ANY_CHAR: CharSet = [
  [0, SURROGATE_FIRST - 1],
  [SURROGATE_LAST + 1, CODE_POINT_MAX],
];

/** Sorts and joins ranges, and leaves out surrogates. */
export function charSet(ranges: readonly CodeRange[]): CharSet {
  return intersectChars(mergeRanges(ranges), ANY_CHAR);
}

export function intersectChars(a: CharSet, b: CharSet): CharSet {
  const both: CodeRange[] = [];
  let [left, right] = [0, 0];
  while (left < a.length && right < b.length) {
    const [one, other] = [a[left]!, b[right]!];
    const [first, last] = [Math.max(one[0], other[0]), Math.min(one[1], other[1])];
    if (first <= last) both.push([first, last]);
    if (one[1] < other[1]) left++;
    else right++;
  }
  return both;
}

/** The characters outside `set`. */
export function otherChars(set: CharSet): CharSet {
  return intersectChars(complement(set), ANY_CHAR);
}

export function withoutChars(set: CharSet, less: CharSet): CharSet {
  return intersectChars(set, otherChars(less));
}

export function uniteChars(...sets: readonly CharSet[]): CharSet {
  return charSet(sets.flat());
}

export function hasChar(set: CharSet, char: number): boolean {
  let [low, high] = [0, set.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = set[middle]!;
    if (char < first) high = middle - 1;
    else if (char > last) low = middle + 1;
    else return true;
  }
  return false;
}

/** The characters of the basic plane that `String.prototype.toLowerCase` does not change, and all beyond it. */
let lowerCased: CharSet | undefined;

/** The characters that a text in lower case can have. All characters beyond the basic plane count as lower case. */
export function lowerCaseChars(): CharSet {
  if (lowerCased !== undefined) return lowerCased;
  const changed: CodeRange[] = [];
  for (let char = 0; char <= 0xffff; char++) {
    if (char >= SURROGATE_FIRST && char <= SURROGATE_LAST) continue;
    const text = String.fromCharCode(char);
    if (text.toLowerCase() !== text) changed.push([char, char]);
  }
  lowerCased = otherChars(charSet(changed));
  return lowerCased;
}
