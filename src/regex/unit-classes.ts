/** Classes of code units that no set of a program tells apart, and which of them each set holds. */
import type { CodeRange } from "./class-tables.ts";

export interface UnitClasses {
  readonly count: number;
  /** Where the page of a unit's upper eight bits starts in `pages`. */
  readonly pageStarts: Uint16Array;
  /** Classes by unit, in pages of 256; the first page is that of ASCII and Latin-1. */
  readonly pages: Uint16Array;
  /** By set and class: `members[set * count + class]` is 1 if the set holds the class. */
  readonly members: Uint8Array;
}

const PAGE_UNITS = 256;

/** A stretch of units of one class; it ends where the next one starts. */
interface Stretch {
  readonly start: number;
  readonly unitClass: number;
}

/** Lays out the classes of all units; of pages of one class, as most are, one is kept. */
function layPages(stretches: readonly Stretch[]): Pick<UnitClasses, "pageStarts" | "pages"> {
  const pageStarts = new Uint16Array(0x10000 / PAGE_UNITS);
  const kept: number[] = [];
  const evenStarts: number[] = [];
  for (const [nth, { start, unitClass }] of stretches.entries()) {
    const end = stretches[nth + 1]?.start ?? 0x10000;
    for (let from = start; from < end; ) {
      const page = Math.floor(from / PAGE_UNITS);
      const units = Math.min(end, (page + 1) * PAGE_UNITS) - from;
      if (units < PAGE_UNITS) {
        if (from % PAGE_UNITS === 0) pageStarts[page] = kept.length;
        for (let unit = 0; unit < units; unit++) kept.push(unitClass);
        from += units;
        continue;
      }
      if (evenStarts[unitClass] === undefined) {
        evenStarts[unitClass] = kept.length;
        for (let unit = 0; unit < PAGE_UNITS; unit++) kept.push(unitClass);
      }
      const pagesEnd = Math.floor(end / PAGE_UNITS);
      pageStarts.fill(evenStarts[unitClass], page, pagesEnd);
      from = pagesEnd * PAGE_UNITS;
    }
  }
  return { pageStarts, pages: Uint16Array.from(kept) };
}

/** Splits the units by all of `sets`; units that the same sets hold share a class. */
export function splitUnits(sets: readonly (readonly CodeRange[])[]): UnitClasses {
  const edges = new Set([0]);
  for (const [first, last] of sets.flat()) {
    edges.add(first);
    if (last < 0xffff) edges.add(last + 1);
  }
  const starts = [...edges].sort((a, b) => a - b);
  const held = starts.map(() => [] as number[]);
  const stretchAt = new Map(starts.map((start, stretch) => [start, stretch] as const));
  for (const [set, ranges] of sets.entries()) {
    for (const [first, last] of ranges) {
      const end = last < 0xffff ? stretchAt.get(last + 1)! : starts.length;
      for (let stretch = stretchAt.get(first)!; stretch < end; stretch++) held[stretch]!.push(set);
    }
  }
  const byHeld = new Map<string, number>();
  const stretches = held.map((sets, nth): Stretch => {
    const key = sets.join();
    const unitClass = byHeld.get(key) ?? byHeld.size;
    byHeld.set(key, unitClass);
    return { start: starts[nth]!, unitClass };
  });
  const count = byHeld.size;
  const members = new Uint8Array(sets.length * count);
  for (const [key, unitClass] of byHeld) {
    for (const set of key === "" ? [] : key.split(","))
      members[Number(set) * count + unitClass] = 1;
  }
  return { count, ...layPages(stretches), members };
}
