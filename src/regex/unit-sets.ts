/** What one character of a pattern takes, as sets of UTF-16 code units: one set, or two for a surrogate pair. */
import { caseFolds } from "./case-orbits.ts";
import { CODE_POINT_MAX, type CodeRange, complement } from "./class-tables.ts";
import type { PatternNode } from "./pattern-tree.ts";

/** Sets of units to be read one after the other. */
export type UnitSequence = readonly (readonly CodeRange[])[];

export const HIGH_SURROGATES: CodeRange = [0xd800, 0xdbff];
const LOW_SURROGATES: CodeRange = [0xdc00, 0xdfff];
const NEWLINE: readonly CodeRange[] = [[10, 10]];

/** Beyond the basic plane, letters with a case lie in here; newer Unicode adds more of them. */
const FAR_CASED: CodeRange = [0x10000, 0x1efff];

function merge(ranges: readonly CodeRange[]): CodeRange[] {
  return complement(complement(ranges));
}

let orbitsByRoot: ReadonlyMap<number, readonly number[]> | undefined;

/** The orbits of more than one unit, by the unit that stands for each. */
function caseOrbits(): ReadonlyMap<number, readonly number[]> {
  if (orbitsByRoot !== undefined) return orbitsByRoot;
  const folds = caseFolds();
  const orbits = new Map<number, number[]>();
  for (let unit = 0; unit < folds.length; unit++) {
    const root = folds[unit]!;
    if (root !== unit) orbits.set(root, [...(orbits.get(root) ?? [root]), unit]);
  }
  orbitsByRoot = orbits;
  return orbits;
}

/** Adds what folds with members; undefined where that is not known for certain. */
function foldRanges(ranges: readonly CodeRange[]): CodeRange[] | undefined {
  const [farFirst, farLast] = FAR_CASED;
  for (const [first, last] of ranges) {
    const apart = last < farFirst || first > farLast;
    if (!apart && (first > farFirst || last < farLast)) return undefined;
  }
  const holds = (unit: number) => ranges.some(([first, last]) => first <= unit && unit <= last);
  const added: CodeRange[] = [];
  for (const orbit of caseOrbits().values()) {
    const held = orbit.filter(holds).length;
    if (held === 0 || held === orbit.length) continue;
    // `\W` and its like are complements of what is folded, not folded complements.
    if (ranges.some(([, last]) => last === CODE_POINT_MAX)) return undefined;
    for (const unit of orbit) added.push([unit, unit]);
  }
  return merge([...ranges, ...added]);
}

/** The same for one code point: classes are folded by a walk over all orbits. */
function foldOne(codePoint: number): readonly CodeRange[] | undefined {
  if (codePoint >= FAR_CASED[0] && codePoint <= FAR_CASED[1]) return undefined;
  const orbit = codePoint > 0xffff ? undefined : caseOrbits().get(caseFolds()[codePoint]!);
  return orbit?.map((unit): CodeRange => [unit, unit]) ?? [[codePoint, codePoint]];
}

/** The code points that a leaf of the tree takes; undefined where the engine's tables decide. */
function rangesOf(node: PatternNode): readonly CodeRange[] | undefined {
  switch (node.kind) {
    case "literal": {
      return node.fold ? foldOne(node.codePoint) : [[node.codePoint, node.codePoint]];
    }
    case "any":
      return node.newline === "included" ? [[0, CODE_POINT_MAX]] : complement(NEWLINE);
    case "class": {
      if (node.unicode.length > 0) return undefined;
      const listed = merge(node.ranges);
      const folded = node.fold ? foldRanges(listed) : listed;
      return folded !== undefined && node.negated ? complement(folded) : folded;
    }
    default:
      return undefined;
  }
}

/** Within one range of code points beyond the basic plane: at most three sequences of a high and a low unit. */
function pairsOf([first, last]: CodeRange): UnitSequence[] {
  const high = (codePoint: number) => 0xd800 + ((codePoint - 0x10000) >> 10);
  const low = (codePoint: number) => 0xdc00 + ((codePoint - 0x10000) & 0x3ff);
  const [lowFirst, lowLast] = LOW_SURROGATES;
  const sequences: UnitSequence[] = [];
  const add = (from: number, to: number, lows: CodeRange) => {
    if (from <= to) sequences.push([[[from, to]], [lows]]);
  };
  let [from, to] = [high(first), high(last)];
  if (from === to) {
    add(from, to, [low(first), low(last)]);
    return sequences;
  }
  if (low(first) > lowFirst) add(from, from++, [low(first), lowLast]);
  if (low(last) < lowLast) add(to, to--, [lowFirst, low(last)]);
  add(from, to, [lowFirst, lowLast]);
  return sequences;
}

/** The alternatives of a leaf, in a text without lone surrogates; none if it takes nothing; undefined if unknown. */
export function unitSequences(node: PatternNode): readonly UnitSequence[] | undefined {
  const ranges = rangesOf(node);
  if (ranges === undefined) return undefined;
  const near: CodeRange[] = [];
  const sequences: UnitSequence[] = [];
  for (const [first, last] of merge(ranges)) {
    if (first < HIGH_SURROGATES[0]) near.push([first, Math.min(last, HIGH_SURROGATES[0] - 1)]);
    if (last > LOW_SURROGATES[1] && first < 0x10000) {
      near.push([Math.max(first, LOW_SURROGATES[1] + 1), Math.min(last, 0xffff)]);
    }
    if (last > 0xffff) sequences.push(...pairsOf([Math.max(first, 0x10000), last]));
  }
  return near.length === 0 ? sequences : [[near], ...sequences];
}
