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

/** Lays out the classes of all units; pages that are alike are kept once. */
function layPages(classes: Uint16Array): Pick<UnitClasses, "pageStarts" | "pages"> {
  const pageStarts = new Uint16Array(0x10000 / PAGE_UNITS);
  const known = new Map<string, number>();
  const kept: number[] = [];
  for (let page = 0; page < pageStarts.length; page++) {
    const units = classes.subarray(page * PAGE_UNITS, (page + 1) * PAGE_UNITS);
    const key = units.join();
    const at = known.get(key) ?? kept.length;
    pageStarts[page] = at;
    if (at < kept.length) continue;
    known.set(key, at);
    kept.push(...units);
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
  const all = new Uint16Array(0x10000);
  for (const [stretch, sets] of held.entries()) {
    const key = sets.join();
    if (!byHeld.has(key)) byHeld.set(key, byHeld.size);
    all.fill(byHeld.get(key)!, starts[stretch]!, starts[stretch + 1] ?? 0x10000);
  }
  const count = byHeld.size;
  const members = new Uint8Array(sets.length * count);
  for (const [key, unitClass] of byHeld) {
    for (const set of key === "" ? [] : key.split(","))
      members[Number(set) * count + unitClass] = 1;
  }
  return { count, ...layPages(all), members };
}
