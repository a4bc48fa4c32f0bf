/** What one character of a pattern matches, as ranges of code points. */
import { foldRanges } from "./case-orbits.ts";
import {
  CATEGORY_NAMES,
  CODE_POINT_MAX,
  type CodeRange,
  complement,
  mergeRanges,
  SCRIPT_NAMES,
} from "./class-tables.ts";
import type { PatternNode } from "./pattern-tree.ts";
import { CATEGORY_RUNS, SCRIPT_RUNS } from "./unicode-data.ts";

/** The code points outside `ranges`; where case does not count, also without what folds with them. */
export function allBut(ranges: readonly CodeRange[], fold: boolean): readonly CodeRange[] {
  return complement(fold ? foldRanges(ranges) : ranges);
}

/** Reads which class each stretch of code points is in: two letters for its number, then its length, if not one. */
function readRuns(runs: string, names: readonly string[]): Map<string, readonly CodeRange[]> {
  const lists = names.map((): CodeRange[] => []);
  let first = 0;
  for (const [, letters, count] of runs.matchAll(/([A-Z]{2})([0-9a-z]*)/g)) {
    const number = (letters!.charCodeAt(0) - 65) * 26 + letters!.charCodeAt(1) - 65;
    const next = first + (count === "" ? 1 : Number.parseInt(count!, 36));
    lists[number]!.push([first, next - 1]);
    first = next;
  }
  return new Map(names.map((name, number) => [name, lists[number]!]));
}

let categories: Map<string, readonly CodeRange[]> | undefined;
let scripts: ReadonlyMap<string, readonly CodeRange[]> | undefined;

/** The code points of a class of `UNICODE_CLASSES`, in order. */
function unicodeRanges(name: string): readonly CodeRange[] {
  if (name === "Any") return [[0, CODE_POINT_MAX]];
  // What has no category is of `C`, as if it had one of two letters.
  categories ??= readRuns(CATEGORY_RUNS, ["Cn", ...CATEGORY_NAMES]);
  if (name.length === 1 && !categories.has(name)) {
    const parts = [...categories].flatMap(([part, ranges]) => (part[0] === name ? ranges : []));
    categories.set(name, mergeRanges(parts));
  }
  const held = categories.get(name);
  if (held !== undefined) return held;
  scripts ??= readRuns(SCRIPT_RUNS, ["", ...SCRIPT_NAMES]);
  return scripts.get(name)!;
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
