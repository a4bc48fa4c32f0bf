/** The members of Unicode's classes, by tables that are the same on every host. */
import {
  CATEGORY_NAMES,
  CODE_POINT_MAX,
  type CodeRange,
  complement,
  SCRIPT_NAMES,
} from "./class-tables.ts";
import { CATEGORY_RUNS, SCRIPT_RUNS } from "./unicode-data.ts";

/** Of what is in no class. */
const UNNAMED = "";

/** Reads which class each stretch of code points is in: two letters for its number, then its length, if not one. */
function readRuns(runs: string, names: readonly string[]): ReadonlyMap<string, CodeRange[]> {
  const members = new Map<string, CodeRange[]>([UNNAMED, ...names].map((name) => [name, []]));
  const lists = [...members.values()];
  let first = 0;
  for (const [, letters, count] of runs.matchAll(/([A-Z]{2})([0-9a-z]*)/g)) {
    const number = (letters!.charCodeAt(0) - 65) * 26 + letters!.charCodeAt(1) - 65;
    const next = first + (count === "" ? 1 : Number.parseInt(count!, 36));
    lists[number]!.push([first, next - 1]);
    first = next;
  }
  return members;
}

let categories: ReadonlyMap<string, readonly CodeRange[]> | undefined;
let scripts: ReadonlyMap<string, readonly CodeRange[]> | undefined;
/** By letter: all categories that begin with it. */
const groups = new Map<string, readonly CodeRange[]>();

/** The code points of a class of `UNICODE_CLASSES`, in order. */
export function unicodeRanges(name: string): readonly CodeRange[] {
  if (name === "Any") return [[0, CODE_POINT_MAX]];
  categories ??= readRuns(CATEGORY_RUNS, CATEGORY_NAMES);
  const held = categories.get(name);
  if (held !== undefined) return held;
  if (name.length > 1) {
    scripts ??= readRuns(SCRIPT_RUNS, SCRIPT_NAMES);
    return scripts.get(name)!;
  }
  const known = groups.get(name);
  if (known !== undefined) return known;
  const parts = [...categories].filter(([part]) => part[0] === name).flatMap(([, each]) => each);
  const unnamed = name === "C" ? categories.get(UNNAMED)! : [];
  const group = complement(complement([...parts, ...unnamed]));
  groups.set(name, group);
  return group;
}
