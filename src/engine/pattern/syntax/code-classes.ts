/** Classes of code points that no set of a program distinguishes, and which of them each set contains. */
import { CODE_POINT_MAX, type CodeRange, indexFrom } from "./class-tables.ts";

export interface CodeClasses {
  readonly count: number;
  /** Where the page of a unit's upper eight bits starts in `pages`. */
  readonly pageStarts: Uint16Array;
  /** Classes by unit, in pages of 256; the first page is that of ASCII and Latin-1. Surrogate halves are of `pairClassOf(count)`. */
  readonly pages: Uint16Array;
  /** Beyond the basic plane: where each stretch of one class starts, and the class. */
  readonly farStarts: Int32Array;
  readonly farClasses: Uint16Array;
  /** By page of `1 << farShift` such code points: the last stretch that starts at or before its first one. */
  readonly farPages: Int32Array;
  readonly farShift: number;
  /** By set and class: `members[set * count + class]` is 1 if the set contains the class. */
  readonly members: Uint8Array;
}

const PAGE_UNITS = 256;
const NEAR_END = 0x10000;
const [PAIRS_START, PAIRS_END] = [0xd800, 0xe000] as const;

/** The pages that are being laid out; all programs share it. */
const laying = new Uint16Array(NEAR_END);

/** Lays out the classes of units. For each class that fills whole pages, one such page is kept. */
function layPages(
  starts: Int32Array,
  codeClasses: readonly number[],
  pairClass: number,
): Pick<CodeClasses, "pageStarts" | "pages"> {
  const pageStarts = new Uint16Array(NEAR_END / PAGE_UNITS);
  const evenStarts: number[] = [];
  let [length, stretch] = [0, 0];
  for (let from = 0; from < NEAR_END; from += PAGE_UNITS) {
    while (starts[stretch + 1]! <= from) stretch++;
    const arePairs = from >= PAIRS_START && from < PAIRS_END;
    const codeClass = arePairs ? pairClass : codeClasses[stretch]!;
    const isEven = arePairs || starts[stretch + 1]! >= from + PAGE_UNITS;
    const known = isEven ? evenStarts[codeClass] : undefined;
    pageStarts[from / PAGE_UNITS] = known ?? length;
    if (known !== undefined) continue;
    if (isEven) evenStarts[codeClass] = length;
    laying.fill(codeClass, length, length + PAGE_UNITS);
    for (let nth = stretch + 1; !isEven && starts[nth]! < from + PAGE_UNITS; nth++) {
      laying.fill(codeClasses[nth]!, length + starts[nth]! - from, length + PAGE_UNITS);
    }
    length += PAGE_UNITS;
  }
  return { pageStarts, pages: laying.slice(0, length) };
}

/** Bits of a code point beyond the basic plane, counted from its start. */
const FAR_BITS = 20;
/** Pages are four to eight times as many as stretches: with a quarter of them, characters side by side took 1.2 times as long. */
const PAGE_BITS_MORE = 2;

/** Lays out so many pages that each has few stretches. */
function layFarPages(farStarts: Int32Array): Pick<CodeClasses, "farPages" | "farShift"> {
  const bits = Math.min(FAR_BITS, Math.ceil(Math.log2(farStarts.length)) + PAGE_BITS_MORE);
  const farShift = FAR_BITS - bits;
  const farPages = new Int32Array((1 << bits) + 1);
  let stretch = 0;
  for (let page = 0; page < farPages.length; page++) {
    while (farStarts[stretch + 1]! <= NEAR_END + (page << farShift)) stretch++;
    farPages[page] = stretch;
  }
  return { farPages, farShift };
}

/** The class of surrogate halves: the number after those of classes and of a text's end. */
export function pairClassOf(count: number): number {
  return count + 1;
}

/** Where stretches of code points start that no set distinguishes, in order; the last entry is the end of all code points. */
function stretchStarts(sets: readonly (readonly CodeRange[])[]): Int32Array {
  const edges = [0, NEAR_END, CODE_POINT_MAX + 1];
  for (const ranges of sets) for (const [first, last] of ranges) edges.push(first, last + 1);
  const starts = new Int32Array(edges).sort();
  let kept = 1;
  for (const edge of starts) if (edge !== starts[kept - 1]) starts[kept++] = edge;
  return starts.subarray(0, kept);
}

/** Splits the code points by all of `sets`, whose ranges are in order and apart; code points in the same sets share a class. */
export function splitCodes(sets: readonly (readonly CodeRange[])[]): CodeClasses {
  const starts = stretchStarts(sets);
  // Each set moves what it has of a class to a new one.
  const drafts = new Int32Array(starts.length - 1);
  // By class: the set that made it, the class it was taken from, and the last one taken from it.
  const [madeBy, takenFrom, taken] = [[-1], [0], [0]];
  for (const [set, ranges] of sets.entries()) {
    for (const [first, last] of ranges) {
      for (let stretch = indexFrom(starts, first); starts[stretch]! <= last; stretch++) {
        const from = drafts[stretch]!;
        if (madeBy[taken[from]!] !== set) {
          taken[from] = madeBy.push(set) - 1;
          takenFrom.push(from);
          taken.push(0);
        }
        drafts[stretch] = taken[from]!;
      }
    }
  }
  const numbers = new Map<number, number>();
  const codeClasses: number[] = [];
  for (const draft of drafts) {
    if (!numbers.has(draft)) numbers.set(draft, numbers.size);
    codeClasses.push(numbers.get(draft)!);
  }
  const count = numbers.size;
  const members = new Uint8Array(sets.length * count);
  for (const [draft, number] of numbers) {
    for (let of = draft; of > 0; of = takenFrom[of]!) members[madeBy[of]! * count + number] = 1;
  }
  const far = indexFrom(starts, NEAR_END);
  const farStarts = starts.slice(far, -1);
  return {
    count,
    ...layPages(starts, codeClasses, pairClassOf(count)),
    farStarts,
    farClasses: Uint16Array.from(codeClasses.slice(far)),
    ...layFarPages(farStarts),
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
  return farClass(classes, codePoint);
}

function farClass(classes: CodeClasses, codePoint: number): number {
  const { farStarts, farClasses, farPages, farShift } = classes;
  const page = (codePoint - NEAR_END) >> farShift;
  let low = farPages[page]!;
  let high = farPages[page + 1]!;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (farStarts[middle]! <= codePoint) low = middle;
    else high = middle - 1;
  }
  return farClasses[low]!;
}

function nearClass({ pages, pageStarts }: CodeClasses, unit: number): number {
  return pages[pageStarts[unit >> 8]! + (unit & 0xff)]!;
}

/** Code units of the character that starts at `at`. */
export function unitsAt(text: string, at: number): 1 | 2 {
  const isHigh = (text.charCodeAt(at) & 0xfc00) === 0xd800;
  return isHigh && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}
