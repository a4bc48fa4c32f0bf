/** Finds where any of many literals stands in a text, in one pass. */
import { LIMITS } from "../base/limits.ts";
import { readAscii } from "./ascii-chunk.ts";
import { type Automaton, buildAutomaton, runAutomaton } from "./automaton.ts";
import { caseFolds } from "./case-orbits.ts";
import {
  buildGramTable,
  foldedBytes,
  type GramShape,
  type GramTable,
  HASH_FACTOR,
  hashGram,
  readFour,
  SMALL,
  TAIL_FACTOR,
} from "./gram-table.ts";
import type { RequiredLiteral } from "./required-literals.ts";

export type OnHit = (literal: number, start: number) => "stop" | undefined;

export interface LiteralScanner {
  readonly literals: readonly RequiredLiteral[];
  /**
   * Calls `onHit` with the index of a literal and the offset of its first code unit, for each place where it
   * stands in `text`; `"stop"` ends the scan. The places of one literal come in order; of a literal with more
   * than `placesMax` places, by default `literalHitsMax`, only the first `placesMax + 1` are told, and a literal
   * longer than `literalUnitsMax` is told of wherever its first units stand. Linear in the length of the text,
   * whatever stands in it.
   */
  scan(text: string, onHit: OnHit, placesMax?: number): void;
}

/** Literals of like length, and how they are found. */
interface Tier {
  /** Indexes in the scanner's list. */
  readonly members: readonly number[];
  readonly texts: readonly string[];
  /** Units of each literal, folded where it is; one after the other. */
  readonly units: Uint16Array;
  readonly offsets: Int32Array;
  readonly folded: Uint8Array;
  readonly table: GramTable;
  automaton: Automaton | undefined;
}

/** One scan of one text. */
interface Scan {
  readonly text: string;
  readonly onHit: OnHit;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Hits told by literal, and the literals that have any. */
  readonly told: Uint32Array;
  readonly hit: number[];
  readonly placesMax: number;
}

const CHUNK_UNITS = 4096;
/** Units before and after a chunk that belong to windows of which a gram starts in it. */
const CHUNK_MARGIN = 8;
/** Shorter texts are read unit by unit: a call of the encoder costs as much as a hundred units. */
const ENCODED_UNITS_MIN = 100;
/** A chunk with other than ASCII in it is read in pieces, most of which are ASCII. */
const PIECE_UNITS = 256;

/** Shapes by the units that every literal of a tier has at least, longest first. */
const SHAPES: readonly (readonly [unitsMin: number, shape: GramShape])[] = [
  [8, { units: 4, stride: 5 }],
  [5, { units: 4, stride: 2 }],
  [3, { units: 3, stride: 1 }],
  [2, { units: 2, stride: 1 }],
  [1, { units: 1, stride: 1 }],
];

/** So many literals share so many grams of four that longer ones, at more places, are found sooner. */
const MANY_LITERALS = 400;
const MANY_SHAPE: GramShape = { units: 5, stride: 4 };

/** Where a chunk is written. One is kept for the next scan: making it costs as much as scanning a subject. */
interface Space {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

let spare: Space | undefined;

/** A scan within a scan, in a call of `onHit`, gets a space of its own. */
function takeSpace(): Space {
  const taken = spare;
  spare = undefined;
  if (taken !== undefined) return taken;
  const bytes = new Uint8Array(CHUNK_UNITS + 2 * CHUNK_MARGIN);
  return { bytes, view: new DataView(bytes.buffer) };
}

/** Writes a byte for each unit of `text` from `from` on. */
function readPiece(text: string, from: number, to: number, target: Uint8Array): boolean {
  const count = to - from;
  if (count >= ENCODED_UNITS_MIN) {
    if (readAscii(text, from, to, target)) return true;
    if (count > PIECE_UNITS) return false;
  }
  const folded = foldedBytes();
  for (let at = from; at < to; at++) target[at - from] = folded[text.charCodeAt(at)]!;
  return true;
}

function readChunk(text: string, from: number, to: number, target: Uint8Array): void {
  if (readPiece(text, from, to, target)) return;
  for (let at = from; at < to; at += PIECE_UNITS) {
    readPiece(text, at, Math.min(to, at + PIECE_UNITS), target.subarray(at - from));
  }
}

function createTier(
  literals: readonly RequiredLiteral[],
  members: readonly number[],
  shape: GramShape,
): Tier {
  const texts = members.map((member) => literals[member]!.text.slice(0, LIMITS.literalUnitsMax));
  const folds = caseFolds();
  const offsets = new Int32Array(members.length + 1);
  for (const [nth, text] of texts.entries()) offsets[nth + 1] = offsets[nth]! + text.length;
  const units = new Uint16Array(offsets[members.length]!);
  const folded = Uint8Array.from(members, (member) => (literals[member]!.fold ? 1 : 0));
  for (const [nth, text] of texts.entries()) {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      units[offsets[nth]! + at] = folded[nth] === 1 ? folds[unit]! : unit;
    }
  }
  return {
    members,
    texts,
    units,
    offsets,
    folded,
    table: buildGramTable(texts, shape),
    automaton: undefined,
  };
}

/** How many units of literal `nth` stand at `start`; all of them if it is as long. */
function unitsAlike(tier: Tier, nth: number, text: string, start: number): number {
  const { units, offsets, folded } = tier;
  const first = offsets[nth]!;
  const length = offsets[nth + 1]! - first;
  const folds = caseFolds();
  let alike = 0;
  if (folded[nth] === 1) {
    while (alike < length && folds[text.charCodeAt(start + alike)] === units[first + alike])
      alike++;
  } else {
    while (alike < length && text.charCodeAt(start + alike) === units[first + alike]) alike++;
  }
  return alike;
}

function tell(scan: Scan, literal: number, start: number): "drop" | "stop" | undefined {
  const told = scan.told[literal]!;
  if (told === 0) scan.hit.push(literal);
  if (told > scan.placesMax) return "drop";
  scan.told[literal] = told + 1;
  return scan.onHit(literal, start);
}

/** Where a tier is in its text, and what it may still spend on candidates that are none. */
interface Progress {
  place: number;
  spent: number;
}

/** Units compared in vain, per unit of text, before the automaton takes over. */
const SPENT_PER_UNIT = 4;
const SPENT_FREE = 2000;

/** Looks at the literals that may have a gram at the place; `at` is where the place lies in the space. */
function probeCandidates(
  scan: Scan,
  tier: Tier,
  at: number,
  progress: Progress,
): "stop" | undefined {
  const { table, offsets } = tier;
  const { entries, mask, tailAt } = table;
  const { view, text } = scan;
  const bucket =
    hashGram(readFour(view, at, mask), readFour(view, at + table.gramTailAt, mask)) >>>
    table.bucketShift;
  const end = table.buckets[bucket + 1]! * 4;
  for (let entry = table.buckets[bucket]! * 4; entry < end; entry += 4) {
    progress.spent++;
    const fromWindow = entries[entry + 3]!;
    if (readFour(view, at - fromWindow, mask) !== entries[entry]) continue;
    if (readFour(view, at - fromWindow + tailAt, mask) !== entries[entry + 1]) continue;
    const nth = entries[entry + 2]!;
    const start = progress.place - fromWindow - table.windows[nth]!;
    const length = offsets[nth + 1]! - offsets[nth]!;
    if (start < 0 || start + length > text.length) continue;
    const alike = unitsAlike(tier, nth, text, start);
    progress.spent += alike;
    if (alike === length && tell(scan, tier.members[nth]!, start) === "stop") return "stop";
  }
  return undefined;
}

/** The first place from `from` on, and before `end`, whose gram passes the filter; else the one after them. */
function nextCandidate(view: DataView, table: GramTable, from: number, end: number): number {
  const { filter, filterShift, mask, gramTailAt } = table;
  const { stride } = table.shape;
  const small = SMALL;
  const factor = HASH_FACTOR;
  const tailFactor = TAIL_FACTOR;
  let place = from;
  if (gramTailAt === 0) {
    // The first four and the last are the same: one product tells.
    const sum = factor + tailFactor;
    for (; place < end; place += stride) {
      const bit = Math.imul((view.getInt32(place, true) | small) & mask, sum) >>> filterShift;
      if (((filter[bit >>> 5]! >>> bit) & 1) !== 0) break;
    }
    return place;
  }
  for (; place < end; place += stride) {
    const first = Math.imul(view.getInt32(place, true) | small, factor);
    const last = Math.imul(view.getInt32(place + gramTailAt, true) | small, tailFactor);
    const bit = (first + last) >>> filterShift;
    if (((filter[bit >>> 5]! >>> bit) & 1) !== 0) break;
  }
  return place;
}

/** Looks at the places before `until` of a chunk that starts at `from`. */
function probe(
  scan: Scan,
  tier: Tier,
  progress: Progress,
  from: number,
  until: number,
): "stop" | "spent" | undefined {
  const { table } = tier;
  const { stride, units } = table.shape;
  const { view } = scan;
  const shift = CHUNK_MARGIN - from;
  const end = Math.min(until, scan.text.length - units + 1) + shift;
  let place = progress.place + shift;
  for (;;) {
    place = nextCandidate(view, table, place, end);
    progress.place = place - shift;
    if (place >= end) return undefined;
    if (probeCandidates(scan, tier, place, progress) === "stop") return "stop";
    place += stride;
    if (progress.spent > SPENT_FREE + SPENT_PER_UNIT * progress.place) {
      progress.place += stride;
      return "spent";
    }
  }
}

/** Finds what has not been found before `place` with the automaton. */
function finish(scan: Scan, tier: Tier, place: number): "stop" | undefined {
  tier.automaton ??= buildAutomaton(tier.texts);
  const { text } = scan;
  const { table, offsets } = tier;
  const from = Math.max(0, place - table.shape.stride - LIMITS.literalUnitsMax);
  return runAutomaton(tier.automaton, text, from, (nth, end) => {
    const length = offsets[nth + 1]! - offsets[nth]!;
    const start = end - length;
    if (start + table.windows[nth]! <= place - table.shape.stride) return undefined;
    if (unitsAlike(tier, nth, text, start) < length) return undefined;
    return tell(scan, tier.members[nth]!, start);
  });
}

function scanTiers(tiers: readonly Tier[], scan: Scan): void {
  const { text, bytes } = scan;
  const running = tiers.map((tier) => ({ tier, progress: { place: 0, spent: 0 } }));
  const stuffed: typeof running = [];
  for (let from = 0; from < text.length && running.length > 0; from += CHUNK_UNITS) {
    const until = Math.min(text.length, from + CHUNK_UNITS);
    const first = Math.max(0, from - CHUNK_MARGIN);
    const last = Math.min(text.length, until + CHUNK_MARGIN);
    readChunk(text, first, last, bytes.subarray(CHUNK_MARGIN - from + first));
    for (const one of [...running]) {
      const outcome = probe(scan, one.tier, one.progress, from, until);
      if (outcome === "stop") return;
      if (outcome === "spent") stuffed.push(...running.splice(running.indexOf(one), 1));
    }
  }
  for (const { tier, progress } of stuffed) {
    if (finish(scan, tier, progress.place) === "stop") return;
  }
}

/** Searches for each literal by itself. */
function searchEach(
  literals: readonly RequiredLiteral[],
  text: string,
  onHit: OnHit,
  placesMax: number,
): void {
  for (const [index, literal] of literals.entries()) {
    const sought = literal.text.slice(0, LIMITS.literalUnitsMax);
    let told = 0;
    for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
      if (onHit(index, at) === "stop") return;
      if (++told > placesMax) break;
    }
  }
}

/** Literals that are found sooner one by one, where case counts: 0.2 µs each in 4 KB. */
const FEW_LITERALS = 4;

/** `literals` are not empty. */
export function createLiteralScanner(literals: readonly RequiredLiteral[]): LiteralScanner {
  if (literals.length <= FEW_LITERALS && literals.every(({ fold }) => !fold)) {
    return {
      literals,
      scan(text, onHit, placesMax = LIMITS.literalHitsMax) {
        searchEach(literals, text, onHit, placesMax);
      },
    };
  }
  const tiers = SHAPES.flatMap(([unitsMin, shape], nth) => {
    const unitsBelow = SHAPES[nth - 1]?.[0] ?? Number.POSITIVE_INFINITY;
    const members = [...literals.keys()].filter((member) => {
      const { length } = literals[member]!.text;
      return length >= unitsMin && length < unitsBelow;
    });
    if (members.length === 0) return [];
    const crowded = members.length > MANY_LITERALS && nth === 0;
    return [createTier(literals, members, crowded ? MANY_SHAPE : shape)];
  });
  let tally: Uint32Array | undefined;
  return {
    literals,
    scan(text, onHit, placesMax = LIMITS.literalHitsMax) {
      const { bytes, view } = takeSpace();
      // A scan within a scan of this scanner counts for itself.
      const told = tally ?? new Uint32Array(literals.length);
      tally = undefined;
      const hit: number[] = [];
      try {
        scanTiers(tiers, { text, onHit, bytes, view, told, hit, placesMax });
      } finally {
        spare = { bytes, view };
        for (const literal of hit) told[literal] = 0;
        tally = told;
      }
    },
  };
}
