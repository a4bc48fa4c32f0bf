/** Classes of code points that no set of a program distinguishes, and which of them each set contains. */
import type { CodeRange } from "./class-tables.ts";

export interface CodeClasses {
  readonly count: number;
  /** Where the page of a unit's upper eight bits starts in `pages`. */
  readonly pageStarts: Uint16Array;
  /** Classes by unit, in pages of 256; the first page is that of ASCII and Latin-1. Surrogate halves are of `pairClassOf(count)`. */
  readonly pages: Uint16Array;
  /** Beyond the basic plane: where each stretch of one class starts, and the class. */
  readonly farStarts: readonly number[];
  readonly farClasses: readonly number[];
  /** By set and class: `members[set * count + class]` is 1 if the set contains the class. */
  readonly members: Uint8Array;
}

const PAGE_UNITS = 256;
const NEAR_END = 0x10000;
const [PAIRS_START, PAIRS_END] = [0xd800, 0xe000] as const;

/** A stretch of code points of one class; it ends where the next one starts. */
interface Stretch {
  readonly start: number;
  readonly codeClass: number;
}

/** Lays out the classes of all units. Most pages are all of one class; for each class one such page is kept. */
function layPages(stretches: readonly Stretch[]): Pick<CodeClasses, "pageStarts" | "pages"> {
  const pageStarts = new Uint16Array(NEAR_END / PAGE_UNITS);
  const kept: number[] = [];
  const evenStarts: number[] = [];
  for (const [nth, { start, codeClass }] of stretches.entries()) {
    const end = Math.min(NEAR_END, stretches[nth + 1]?.start ?? NEAR_END);
    for (let from = start; from < end; ) {
      const page = Math.floor(from / PAGE_UNITS);
      const units = Math.min(end, (page + 1) * PAGE_UNITS) - from;
      if (units < PAGE_UNITS) {
        if (from % PAGE_UNITS === 0) pageStarts[page] = kept.length;
        for (let unit = 0; unit < units; unit++) kept.push(codeClass);
        from += units;
        continue;
      }
      if (evenStarts[codeClass] === undefined) {
        evenStarts[codeClass] = kept.length;
        for (let unit = 0; unit < PAGE_UNITS; unit++) kept.push(codeClass);
      }
      const pagesEnd = Math.floor(end / PAGE_UNITS);
      pageStarts.fill(evenStarts[codeClass], page, pagesEnd);
      from = pagesEnd * PAGE_UNITS;
    }
  }
  return { pageStarts, pages: Uint16Array.from(kept) };
}

/** The class of surrogate halves: the number after those of classes and of a text's end. */
export function pairClassOf(count: number): number {
  return count + 1;
}

/** Splits the code points by all of `sets`; code points in the same sets share a class. */
export function splitCodes(sets: readonly (readonly CodeRange[])[]): CodeClasses {
  const edges = new Set([0, PAIRS_START, PAIRS_END, NEAR_END]);
  for (const [first, last] of sets.flat()) edges.add(first).add(last + 1);
  const starts = [...edges].sort((a, b) => a - b);
  const stretchAt = new Map(starts.map((start, stretch) => [start, stretch] as const));
  const eachStretch = (ranges: readonly CodeRange[], visit: (stretch: number) => void): void => {
    for (const [first, last] of ranges) {
      const end = stretchAt.get(last + 1)!;
      for (let stretch = stretchAt.get(first)!; stretch < end; stretch++) visit(stretch);
    }
  };
  // Each set moves what it holds of a class to a new one.
  const drafts = new Int32Array(starts.length);
  const movedBy = [-1];
  const movedTo = [0];
  for (const [set, ranges] of sets.entries()) {
    eachStretch(ranges, (stretch) => {
      const from = drafts[stretch]!;
      if (movedBy[from] !== set) {
        movedBy[from] = set;
        movedTo[from] = movedBy.push(-1) - 1;
        movedTo.push(0);
      }
      drafts[stretch] = movedTo[from]!;
    });
  }
  const numbers = new Map<number, number>();
  const stretches = starts.map((start, nth): Stretch => {
    if (start >= PAIRS_START && start < PAIRS_END) return { start, codeClass: -1 };
    const codeClass = numbers.get(drafts[nth]!) ?? numbers.size;
    numbers.set(drafts[nth]!, codeClass);
    return { start, codeClass };
  });
  const count = numbers.size;
  const members = new Uint8Array(sets.length * count);
  for (const [set, ranges] of sets.entries()) {
    eachStretch(ranges, (stretch) => {
      const { codeClass } = stretches[stretch]!;
      if (codeClass >= 0) members[set * count + codeClass] = 1;
    });
  }
  const near = stretches.filter(({ start }) => start < NEAR_END);
  const far = stretches.filter(({ start }) => start >= NEAR_END);
  const laid = near.map(({ start, codeClass }) => ({
    start,
    codeClass: codeClass < 0 ? pairClassOf(count) : codeClass,
  }));
  return {
    count,
    ...layPages(laid),
    farStarts: far.map(({ start }) => start),
    farClasses: far.map(({ codeClass }) => codeClass),
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
  return codePoint < NEAR_END ? nearClass(classes, REPLACEMENT) : farClass(classes, codePoint);
}

function nearClass({ pages, pageStarts }: CodeClasses, unit: number): number {
  return pages[pageStarts[unit >> 8]! + (unit & 0xff)]!;
}

/** Code units of the character that starts at `at`. */
export function unitsAt(text: string, at: number): 1 | 2 {
  const isHigh = (text.charCodeAt(at) & 0xfc00) === 0xd800;
  return isHigh && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}

/** The class of a code point beyond the basic plane. */
function farClass({ farStarts, farClasses }: CodeClasses, codePoint: number): number {
  let low = 0;
  for (let high = farStarts.length; high - low > 1; ) {
    const middle = (low + high) >>> 1;
    if (farStarts[middle]! <= codePoint) low = middle;
    else high = middle;
  }
  return farClasses[low]!;
}
