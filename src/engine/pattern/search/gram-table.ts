/** A table of grams, of up to four code units, that a scan kernel looks for, and of the literals that they belong to. */
import { orbitOf } from "../syntax/case-orbits.ts";
import { literalBits } from "../syntax/literal-rarity.ts";
import type { RequiredLiteral } from "../syntax/required-literals.ts";
import {
  FILTER_BYTES_MAX,
  GRAM_MASKS,
  GRAM_UNITS,
  HASH_FACTOR,
  type ScanTables,
  SMALL,
} from "./scan-kernel.ts";

const BUCKETS = 8;

/** Each literal is found by one gram within it; where case does not count, by all spellings of that gram. */
export interface GramTable extends ScanTables {
  /** The lengths of the grams in the table, in units. */
  readonly lengths: readonly number[];
  /** By literal: units from its start to its gram. */
  readonly offsets: Uint8Array;
  /** By the upper bits of the hash: the first entry. The entries end where those of the next hash begin. */
  readonly heads: Int32Array;
  readonly headShift: number;
  readonly grams: Int32Array;
  readonly literals: Int32Array;
}

/** Bits of filter for each gram: a false candidate in 32. */
const FILTER_BITS_PER_GRAM = 32;
const FILTER_BITS_MIN = 8;
const FILTER_BITS_MAX: number = Math.log2(FILTER_BYTES_MAX * 8);

/** Spellings of a gram, without those in ASCII capitals: `ksks` has sixteen. */
const SPELLINGS_MAX = 64;

/** The low bytes of the units that match a unit of a literal. */
interface UnitBytes {
  readonly all: readonly number[];
  /** In small letters of ASCII: a kernel sets the bit in all four bytes before it selects those of the gram. */
  readonly small: readonly number[];
}

function bytesOf(unit: number, fold: boolean): UnitBytes {
  const all = (fold ? orbitOf(unit) : [unit]).map((one) => one & 0xff);
  return { all, small: [...new Set(all.map((byte) => byte | (SMALL & 0xff)))] };
}

/** All spellings of consecutive units. */
function spell(units: readonly UnitBytes[]): readonly number[] {
  let grams = [0];
  for (const [at, { small }] of units.entries()) {
    if (small.length > 1) {
      grams = grams.flatMap((gram) => small.map((byte) => gram | (byte << (8 * at))));
    } else for (let nth = 0; nth < grams.length; nth++) grams[nth]! |= small[0]! << (8 * at);
  }
  return grams;
}

interface ChosenGram {
  readonly literal: number;
  readonly offset: number;
  readonly units: readonly UnitBytes[];
  readonly grams: readonly number[];
}

/** By literal: where its gram starts. Plans that are made anew after an edit look for almost the same literals. */
const chosenOffsets = new WeakMap<RequiredLiteral, number>();

/** Chooses grams that are rare, and shared with few literals. */
class GramChooser {
  /** By unit: where case counts, and where it does not. */
  readonly #exact: UnitBytes[] = [];
  readonly #folded: UnitBytes[] = [];
  /** By gram: the literals that have it. */
  readonly #shared = new Map<number, number>();

  #unitsOf({ text, fold }: RequiredLiteral, from: number, to: number): readonly UnitBytes[] {
    const known = fold ? this.#folded : this.#exact;
    const units: UnitBytes[] = [];
    for (let at = from; at < to; at++) {
      const unit = text.charCodeAt(at);
      known[unit] ??= bytesOf(unit, fold);
      units.push(known[unit]);
    }
    return units;
  }

  choose(literal: RequiredLiteral, index: number): ChosenGram {
    const length = Math.min(GRAM_UNITS, literal.text.length);
    const known = chosenOffsets.get(literal);
    if (known !== undefined) {
      const units = this.#unitsOf(literal, known, known + length);
      return { literal: index, offset: known, units, grams: spell(units) };
    }
    const all = this.#unitsOf(literal, 0, literal.text.length);
    let best: ChosenGram | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (let offset = 0; offset + length <= all.length; offset++) {
      const units = all.slice(offset, offset + length);
      const spellings = units.reduce((count, { small }) => count * small.length, 1);
      const excess = spellings > SPELLINGS_MAX ? SPELLINGS_MAX : 1;
      const bits = literalBits(literal.text, offset, offset + length);
      const costAlone = spellings * excess * 2 ** -bits;
      if (costAlone >= least) continue;
      const grams = spell(units);
      let alike = 0;
      for (const gram of grams) alike = Math.max(alike, this.#shared.get(gram) ?? 0);
      const cost = (1 + alike) * costAlone;
      if (cost >= least) continue;
      least = cost;
      best = { literal: index, offset, units, grams };
    }
    chosenOffsets.set(literal, best!.offset);
    for (const gram of best!.grams) this.#shared.set(gram, (this.#shared.get(gram) ?? 0) + 1);
    return best!;
  }
}

const hashOf = (gram: number): number => Math.imul(gram, HASH_FACTOR);

/** The index in `heads` of a gram's first entry. */
export function entriesOf(gram: number, headShift: number): number {
  return hashOf(gram) >>> headShift;
}

/** Literals with similar grams share a bucket, so that it accepts few other grams. */
function fillMasks(chosen: readonly ChosenGram[], masks: Uint8Array): number {
  let kinds = 0;
  const order = chosen.toSorted((a, b) => {
    const [one, other] = [a.units, b.units];
    return (
      one.length - other.length ||
      one[0]!.all[0]! - other[0]!.all[0]! ||
      (one[1]?.all[0] ?? 0) - (other[1]?.all[0] ?? 0)
    );
  });
  for (const [nth, { units }] of order.entries()) {
    const bucket = 1 << Math.floor((nth * BUCKETS) / Math.max(BUCKETS, order.length));
    kinds |= bucket << (8 * (GRAM_UNITS - units.length));
    for (let at = 0; at < GRAM_UNITS; at++) {
      const lower = at * 32;
      const bytes = units[at]?.all ?? Array.from({ length: 16 }, (_, half) => half * 17);
      for (const byte of bytes) {
        masks[lower + (byte & 15)]! |= bucket;
        masks[lower + 16 + (byte >> 4)]! |= bucket;
      }
    }
  }
  return kinds;
}

/** `literals` have at least one unit each, and are folded where case does not count. */
export function buildGramTable(literals: readonly RequiredLiteral[]): GramTable {
  const chooser = new GramChooser();
  const chosen = literals.map((literal, index) => chooser.choose(literal, index));
  const count = chosen.reduce((sum, { grams }) => sum + grams.length, 0);
  const bits = Math.ceil(Math.log2(count * FILTER_BITS_PER_GRAM));
  const filterBits = Math.min(FILTER_BITS_MAX, Math.max(FILTER_BITS_MIN, bits));
  const headBits = Math.max(5, Math.ceil(Math.log2(count)));
  const masks = new Uint8Array(2 * 16 * GRAM_UNITS);
  const table: GramTable = {
    masks,
    filter: new Uint8Array(1 << (filterBits - 3)),
    shift: 32 - filterBits,
    kinds: fillMasks(chosen, masks),
    lengths: [...new Set(chosen.map(({ units }) => units.length))],
    offsets: Uint8Array.from(chosen, ({ offset }) => offset),
    heads: new Int32Array((1 << headBits) + 1),
    headShift: 32 - headBits,
    grams: new Int32Array(count),
    literals: new Int32Array(count),
  };
  const { filter, shift, heads, headShift } = table;
  for (const gram of chosen.flatMap(({ grams }) => grams)) {
    const bit = hashOf(gram) >>> shift;
    filter[bit >>> 3]! |= 1 << (bit & 7);
    heads[(hashOf(gram) >>> headShift) + 1]!++;
  }
  for (let at = 1; at < heads.length; at++) heads[at]! += heads[at - 1]!;
  const filled = heads.slice();
  for (const { literal, grams } of chosen) {
    for (const gram of grams) {
      const entry = filled[hashOf(gram) >>> headShift]!++;
      table.grams[entry] = gram;
      table.literals[entry] = literal;
    }
  }
  return table;
}

/** The gram of `units` units at `at`, in small letters of ASCII. */
export function gramAt(view: DataView, at: number, units: number): number {
  return (view.getInt32(at, true) | SMALL) & GRAM_MASKS[units]!;
}
