/** Which pieces of few units (grams) give away which literals, as hash tables in typed arrays. */
import { caseFolds } from "./case-orbits.ts";
import { literalBits } from "./literal-rarity.ts";

/** One byte for each code unit, the same for units that fold alike; different ones may share a byte. */
function buildBytes(): Uint8Array {
  return Uint8Array.from(caseFolds(), (unit) =>
    unit < 0x80 ? unit : 0x80 | (unit & 0x1f) | ((unit >>> 2) & 0x40),
  );
}

let bytes: Uint8Array | undefined;

export function foldedBytes(): Uint8Array {
  bytes ??= buildBytes();
  return bytes;
}

/** How grams are cut: `stride` places lie between those of a text that are looked at. */
export interface GramShape {
  /** Units of a gram, 1 to 8. */
  readonly units: number;
  readonly stride: number;
}

/**
 * Each literal is known by the `stride` grams that start within one window of it, so that wherever it stands
 * in a text, exactly one of the places looked at starts one of them.
 */
export interface GramTable {
  readonly shape: GramShape;
  /** What of four bytes is a gram. */
  readonly mask: number;
  /** Of each literal: units from its start to its window. */
  readonly windows: Uint8Array;
  /** Units from a window's start to its last four, or to its gram if that is shorter. */
  readonly tailAt: number;
  /** Units from a gram's start to its last four. */
  readonly gramTailAt: number;
  /** A bit per hash: whether any gram has it. */
  readonly filter: Int32Array;
  readonly filterShift: number;
  /** By the upper bits of the hash: its first entry; the next one's first entry is its end. */
  readonly buckets: Int32Array;
  readonly bucketShift: number;
  /** Four numbers each: what the window starts and ends with, the literal, units from its window to the gram. */
  readonly entries: Int32Array;
}

/** Sets the bit that tells small letters of ASCII from capitals, in four bytes. */
export const SMALL = 0x20202020;
export const TAIL_FACTOR: number = 0x85ebca6b | 0;
export const HASH_FACTOR: number = 0x9e3779b1 | 0;

/** Four bytes from `at` on, in small letters; what is not in `mask` does not count. */
export function readFour(view: DataView, at: number, mask: number): number {
  return (view.getInt32(at, true) | SMALL) & mask;
}

/** Of a gram whose first and last four bytes these are. */
export function hashGram(first: number, last: number): number {
  return (Math.imul(first, HASH_FACTOR) + Math.imul(last, TAIL_FACTOR)) | 0;
}

/** Bits of filter for each gram, and binary logarithm of all of them: what stays in a processor's first cache. */
const FILTER_BITS_PER_GRAM = 32;
const FILTER_BITS_MAX = 19;

function tableBits(entries: number): number {
  return Math.max(5, Math.ceil(Math.log2(entries)));
}

/** Chooses the window whose grams are rarest, and least shared with the literals before. */
function chooseWindow(
  text: string,
  grams: readonly number[],
  stride: number,
  gramUnits: number,
  shared: ReadonlyMap<number, number>,
): number {
  const costs = grams.map(
    (gram, at) => (1 + (shared.get(gram) ?? 0)) * 2 ** -literalBits(text, at, at + gramUnits),
  );
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at + stride <= costs.length; at++) {
    let cost = 0;
    for (let gram = at; gram < at + stride; gram++) cost += costs[gram]!;
    if (cost < least) [best, least] = [at, cost];
  }
  return best;
}

interface Entry {
  readonly hash: number;
  readonly fields: readonly [head: number, tail: number, literal: number, fromWindow: number];
}

function fillTable(table: GramTable, entries: readonly Entry[]): void {
  const { buckets, bucketShift, filter, filterShift } = table;
  for (const { hash } of entries) {
    const bit = hash >>> filterShift;
    filter[bit >>> 5]! |= 1 << (bit & 31);
    buckets[(hash >>> bucketShift) + 1]!++;
  }
  for (let at = 1; at < buckets.length; at++) buckets[at]! += buckets[at - 1]!;
  const filled = buckets.slice();
  for (const { hash, fields } of entries) {
    table.entries.set(fields, filled[hash >>> bucketShift]!++ * 4);
  }
}

/** `texts` have at least `shape.units + shape.stride - 1` units each. */
export function buildGramTable(texts: readonly string[], shape: GramShape): GramTable {
  const { stride, units } = shape;
  const count = texts.length * stride;
  const filterBits = Math.min(FILTER_BITS_MAX, tableBits(count * FILTER_BITS_PER_GRAM));
  const bucketBits = tableBits(count);
  const table: GramTable = {
    shape,
    mask: units >= 4 ? -1 : (1 << (units * 8)) - 1,
    windows: new Uint8Array(texts.length),
    tailAt: units < 4 ? 0 : units + stride - 5,
    gramTailAt: Math.max(0, units - 4),
    filter: new Int32Array(1 << (filterBits - 5)),
    filterShift: 32 - filterBits,
    buckets: new Int32Array((1 << bucketBits) + 1),
    bucketShift: 32 - bucketBits,
    entries: new Int32Array(count * 4),
  };
  const { mask, tailAt, gramTailAt } = table;
  const shared = new Map<number, number>();
  const folded = foldedBytes();
  const entries: Entry[] = [];
  for (const [literal, text] of texts.entries()) {
    const view = new DataView(new ArrayBuffer(text.length + 4));
    for (let at = 0; at < text.length; at++) view.setUint8(at, folded[text.charCodeAt(at)]!);
    const grams = Array.from({ length: text.length - units + 1 }, (_, at) =>
      hashGram(readFour(view, at, mask), readFour(view, at + gramTailAt, mask)),
    );
    const window = chooseWindow(text, grams, stride, units, shared);
    table.windows[literal] = window;
    const head = readFour(view, window, mask);
    const tail = readFour(view, window + tailAt, mask);
    // The last one comes first: the earlier of two places that a gram tells of.
    for (let from = stride - 1; from >= 0; from--) {
      const hash = grams[window + from]!;
      shared.set(hash, (shared.get(hash) ?? 0) + 1);
      entries.push({ hash, fields: [head, tail, literal, from] });
    }
  }
  fillTable(table, entries);
  return table;
}
