/** The members of Unicode's classes, by tables that are the same on every host. */
import {
  CATEGORY_NAMES,
  CODE_POINT_MAX,
  type CodeRange,
  mergeRanges,
  SCRIPT_NAMES,
} from "./class-tables.ts";
import { CATEGORY_RUNS, SCRIPT_RUNS } from "./unicode-data.ts";

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
export function unicodeRanges(name: string): readonly CodeRange[] {
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
