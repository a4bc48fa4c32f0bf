/** Classes of code points that no set of a program distinguishes, and which of them each set contains. */
import { CODE_POINT_MAX, type CodeRange } from "./class-tables.ts";
import { indexFrom } from "./code-sets.ts";

export interface CodeClasses {
  readonly count: number;
  /** Where the page of a unit's upper eight bits starts in `pages`. */
  readonly pageStarts: Uint16Array;
  /** Classes by unit, in pages of 256; the first page is that of ASCII and Latin-1. Surrogate halves are of `pairClassOf(count)`. */
  readonly pages: Uint16Array;
  /** Beyond the basic plane: where each stretch of one class starts, and the class. */
  readonly farStarts: Int32Array;
  readonly farClasses: readonly number[];
  /** By set and class: `members[set * count + class]` is 1 if the set contains the class. */
  readonly members: Uint8Array;
}

const PAGE_UNITS = 256;
const NEAR_END = 0x10000;
const [PAIRS_START, PAIRS_END] = [0xd800, 0xe000] as const;

/** By unit: its class, before the pages are put together; all programs share it. */
const laying = new Uint16Array(NEAR_END);

/** Lays out the classes of units. For each class that fills whole pages, one such page is kept. */
function layPages(
  starts: Int32Array,
  codeClasses: readonly number[],
  pairClass: number,
): Pick<CodeClasses, "pageStarts" | "pages"> {
  const pageStarts = new Uint16Array(NEAR_END / PAGE_UNITS);
  const mixed = new Uint8Array(NEAR_END / PAGE_UNITS);
  for (let nth = 0; starts[nth]! < NEAR_END; nth++) {
    const start = starts[nth]!;
    laying.fill(codeClasses[nth]!, start, starts[nth + 1]);
    if (start % PAGE_UNITS > 0) mixed[start >> 8] = 1;
  }
  laying.fill(pairClass, PAIRS_START, PAIRS_END);
  const evenStarts: number[] = [];
  let length = 0;
  for (let page = 0; page < pageStarts.length; page++) {
    const from = page * PAGE_UNITS;
    const known = mixed[page] === 1 ? undefined : evenStarts[laying[from]!];
    pageStarts[page] = known ?? length;
    if (known !== undefined) continue;
    if (mixed[page] === 0) evenStarts[laying[from]!] = length;
    // Moves pages only towards the start, so that none is overwritten before it is read.
    laying.copyWithin(length, from, from + PAGE_UNITS);
    length += PAGE_UNITS;
  }
  return { pageStarts, pages: laying.slice(0, length) };
}

/** The class of surrogate halves: the number after those of classes and of a text's end. */
export function pairClassOf(count: number): number {
  return count + 1;
}

/** Where stretches of code points start that no set distinguishes, in order; the last entry is the end of all code points. */
function stretchStarts(sets: readonly (readonly CodeRange[])[]): Int32Array {
  const fixed = [0, NEAR_END, CODE_POINT_MAX + 1];
  const count = sets.reduce((sum, { length }) => sum + 2 * length, fixed.length);
  const edges = new Int32Array(count);
  edges.set(fixed);
  let at = fixed.length;
  for (const ranges of sets) {
    for (const [first, last] of ranges) {
      edges[at++] = first;
      edges[at++] = last + 1;
    }
  }
  edges.sort();
  let kept = 1;
  for (const edge of edges) if (edge !== edges[kept - 1]) edges[kept++] = edge;
  return edges.subarray(0, kept);
}

/** The stretches from `from` to `to`, which is not one of them. */
type StretchSpan = readonly [from: number, to: number];

/** What tells a set from its rest: its own runs of stretches, or those between them if they are fewer stretches. */
interface Split {
  readonly runs: readonly StretchSpan[];
  readonly side: "inside" | "outside";
}

function splitOf(ranges: readonly CodeRange[], starts: Int32Array): Split {
  const inside: StretchSpan[] = [];
  const outside: StretchSpan[] = [];
  let size = 0;
  let end = 0;
  for (const [first, last] of ranges) {
    const from = indexFrom(starts, first);
    if (from > end) outside.push([end, from]);
    end = indexFrom(starts, last + 1);
    size += end - from;
    inside.push([from, end]);
  }
  const count = starts.length - 1;
  if (2 * size <= count) return { runs: inside, side: "inside" };
  if (end < count) outside.push([end, count]);
  return { runs: outside, side: "outside" };
}

/** Splits the code points by all of `sets`, whose ranges are in order and apart; code points in the same sets share a class. */
export function splitCodes(sets: readonly (readonly CodeRange[])[]): CodeClasses {
  const starts = stretchStarts(sets);
  const splits = sets.map((ranges) => splitOf(ranges, starts));
  // Each set moves what is on one side of a class to a new one.
  const drafts = new Int32Array(starts.length);
  const movedBy = [-1];
  const movedTo = [0];
  for (const [set, { runs }] of splits.entries()) {
    for (const [first, end] of runs) {
      for (let stretch = first; stretch < end; stretch++) {
        const from = drafts[stretch]!;
        if (movedBy[from] !== set) {
          movedBy[from] = set;
          movedTo[from] = movedBy.push(-1) - 1;
          movedTo.push(0);
        }
        drafts[stretch] = movedTo[from]!;
      }
    }
  }
  const numbers = new Map<number, number>();
  const codeClasses = Array.from(starts.subarray(0, -1), (_, stretch) => {
    const draft = drafts[stretch]!;
    if (!numbers.has(draft)) numbers.set(draft, numbers.size);
    return numbers.get(draft)!;
  });
  const count = numbers.size;
  const members = new Uint8Array(sets.length * count);
  for (const [set, { runs, side }] of splits.entries()) {
    const row = members.subarray(set * count, (set + 1) * count);
    if (side === "outside") row.fill(1);
    for (const [first, end] of runs) {
      for (let stretch = first; stretch < end; stretch++) {
        row[codeClasses[stretch]!] = side === "inside" ? 1 : 0;
      }
    }
  }
  const far = indexFrom(starts, NEAR_END);
  return {
    count,
    ...layPages(starts, codeClasses, pairClassOf(count)),
    farStarts: starts.slice(far, -1),
    farClasses: codeClasses.slice(far),
    members,
  };
}

/** What a lone surrogate counts as. */
const REPLACEMENT = 0xfffd;

/** The class of the character at `at`: two units beyond the basic plane; a lone surrogate counts as U+FFFD. */
export function classAt(classes: CodeClasses, text: string, at: number): number {
  const near = nearClass(classes, text.charCodeAt(at));
  if (near !== pairClassOf(classes.count)) return near;
  const codePoint = text.codePointAt(at)!;
  if (codePoint < NEAR_END) return nearClass(classes, REPLACEMENT);
  return classes.farClasses[indexFrom(classes.farStarts, codePoint + 1) - 1]!;
}

function nearClass({ pages, pageStarts }: CodeClasses, unit: number): number {
  return pages[pageStarts[unit >> 8]! + (unit & 0xff)]!;
}

/** Code units of the character that starts at `at`. */
export function unitsAt(text: string, at: number): 1 | 2 {
  const isHigh = (text.charCodeAt(at) & 0xfc00) === 0xd800;
  return isHigh && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}
