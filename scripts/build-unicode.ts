/** Writes the tables of Unicode that patterns use, as re2js has them, to where the engine finds them. */
import { writeFileSync } from "node:fs";
import { RE2JS } from "re2js";
import {
  CATEGORY_NAMES,
  CODE_POINT_MAX,
  type CodeRange,
  SCRIPT_NAMES,
} from "../src/engine/pattern/syntax/class-tables.ts";

const FILE = new URL("../src/engine/pattern/syntax/unicode-data.ts", import.meta.url);

/** What `\p{name}` takes, or `(?i)` and one character. */
export function rangesByRe2js(source: string): CodeRange[] {
  // A second branch keeps the program to one instruction with ranges.
  const { prog } = RE2JS.compile(`(?:${source}|\\x{1})`).re2() as {
    readonly prog: { readonly inst: readonly { readonly runes?: ArrayLike<number> }[] };
  };
  const found: CodeRange[] = [];
  for (const { runes } of prog.inst) {
    for (let at = 0; runes !== undefined && at < runes.length; at += 2) {
      found.push([runes[at]!, runes[at + 1] ?? runes[at]!]);
    }
  }
  const hasMark = RE2JS.compile(source).test("\u0001");
  return found.flatMap(([first, last]): CodeRange[] => {
    if (hasMark || first > 1 || last < 1) return [[first, last]];
    return first === 1 ? (last === 1 ? [] : [[2, last]]) : [];
  });
}

/** By code point: the number of its class among `names`, plus one; 0 if it is in none. */
function partition(names: readonly string[]): Uint8Array {
  const classes = new Uint8Array(CODE_POINT_MAX + 1);
  for (const [nth, name] of names.entries()) {
    for (const [first, last] of rangesByRe2js(`\\p{${name}}`))
      classes.fill(nth + 1, first, last + 1);
  }
  return classes;
}

/** Two letters for the number of a class, then how many code points in a row have it, if not one. */
function runsOf(classes: Uint8Array): string {
  let runs = "";
  for (let at = 0; at < classes.length; ) {
    const of = classes[at]!;
    let end = at + 1;
    while (end < classes.length && classes[end] === of) end++;
    const letters = String.fromCharCode(65 + Math.floor(of / 26), 65 + (of % 26));
    runs += letters + (end - at > 1 ? (end - at).toString(36) : "");
    at = end;
  }
  return runs;
}

/** By code point that folds with another: the one that represents them all. */
function foldPairs(): [from: number, to: number][] {
  const pairs: [number, number][] = [];
  const cased = rangesByRe2js("[\\pL\\pM\\pN\\pS]");
  for (const [first, last] of cased) {
    for (let codePoint = first; codePoint <= last; codePoint++) {
      const orbit = rangesByRe2js(`(?i)\\x{${codePoint.toString(16)}}`);
      const least = Math.min(...orbit.map(([start]) => start));
      const root = least >= 0x41 && least <= 0x5a ? least + 0x20 : least;
      if (root !== codePoint) pairs.push([codePoint, root]);
    }
  }
  return pairs;
}

/** Rows of numbers: the distance from the row before, how many code points, their distance, and that of what they fold to. */
function foldRows(pairs: readonly (readonly [number, number])[]): string {
  const rows: number[][] = [];
  let before = 0;
  for (let nth = 0; nth < pairs.length; ) {
    const [from, to] = pairs[nth]!;
    const step = (pairs[nth + 1]?.[0] ?? from + 1) - from;
    let count = 1;
    while (
      pairs[nth + count]?.[0] === from + count * step &&
      pairs[nth + count]![1] - pairs[nth + count]![0] === to - from
    )
      count++;
    rows.push([from - before, count, count > 1 ? step : 1, to - from]);
    before = from;
    nth += count;
  }
  return rows.map((row) => row.map((number) => number.toString(36)).join(" ")).join(",");
}

/** The file that holds the tables, as it should be. */
export function unicodeData(): string {
  const constant = (name: string, about: string, text: string): string =>
    `/** ${about} */\nexport const ${name}: string =\n  "${text}";\n`;
  return [
    "/** Tables of Unicode 17, written by `npm run unicode`; `code-sets.ts` and `case-orbits.ts` read them. */\n",
    constant(
      "CATEGORY_RUNS",
      "From U+0000 on: the number of a category of `CATEGORY_NAMES` from 1 on, 0 for none, then how many have it.",
      runsOf(partition(CATEGORY_NAMES)),
    ),
    constant("SCRIPT_RUNS", "The same of `SCRIPT_NAMES`.", runsOf(partition(SCRIPT_NAMES))),
    constant(
      "FOLD_ROWS",
      "Which code points fold to which: the distance from the row before, count, step, distance of what they fold to.",
      foldRows(foldPairs()),
    ),
  ].join("\n");
}

if (process.argv[1]?.endsWith("build-unicode.ts")) writeFileSync(FILE, unicodeData());
