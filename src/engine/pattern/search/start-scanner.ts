/** Finds the places of a text where a match of one pattern may start, by what up to four units near its start can be. */
import type { CodeRange } from "../syntax/class-tables.ts";
import { unitBits } from "../syntax/literal-rarity.ts";
import type { PatternTree } from "../syntax/pattern-tree.ts";
import { BUCKETS } from "./gram-table.ts";
import { GRAM_UNITS, type ScanKernel, type ScanTables, scanKernel } from "./scan-kernel.ts";
import { BRANCH, END, type StepList, TAKE, writeProgram } from "./set-program.ts";

/** Units from the start of a match among which four are chosen. */
const WINDOW_UNITS = 8;
/** What four units must rule out, in bits: one in sixteen places of mail is then looked at. */
const BITS_MIN = 4;

const BYTES = 256;
const HALF = 16;

/** By byte: 1 if a unit at one distance from the start can have it. */
type ByteSet = Uint8Array;

const ANY_BYTE: ByteSet = new Uint8Array(BYTES).fill(1);

/** A unit of these may stand for U+FFFD or for half a character. */
const SURROGATES_START = 0xd800;
const SURROGATES_END = 0xe000;
const REPLACEMENT = 0xfffd;

/** Adds the low bytes of the characters of `ranges`; false if one of them may be two units, or a lone surrogate. */
function addBytes(ranges: readonly CodeRange[], bytes: ByteSet): boolean {
  for (const [first, last] of ranges) {
    if (last >= REPLACEMENT || (first < SURROGATES_END && last >= SURROGATES_START)) return false;
    for (let unit = first; unit <= Math.min(last, first + BYTES); unit++) bytes[unit & 0xff] = 1;
  }
  return true;
}

/** Adds the sets that steps from `first` on take; false if a match may end before it takes one. */
function enter({ kinds, operands, nexts }: StepList, first: number, takes: Set<number>): boolean {
  const seen = new Set<number>();
  const pending = [first];
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    if (step === 0 || seen.has(step)) continue;
    seen.add(step);
    const kind = kinds[step]!;
    if (kind === END) return false;
    if (kind === TAKE) takes.add(step);
    else pending.push(nexts[step]!);
    if (kind === BRANCH) pending.push(operands[step]!);
  }
  return true;
}

/** By distance from the start of a match: the bytes that its units can have there, as far as that is known. */
function byteSets(tree: PatternTree): readonly ByteSet[] {
  const { steps, sets, patterns } = writeProgram([tree]);
  const found: ByteSet[] = [];
  if (patterns.length === 0) return found;
  let takes = new Set<number>();
  let goesOn = enter(steps, steps.starts[0]!, takes);
  while (goesOn && takes.size > 0 && found.length < WINDOW_UNITS) {
    const bytes = new Uint8Array(BYTES);
    const next = new Set<number>();
    for (const step of takes) {
      if (!addBytes(sets[steps.operands[step]!]!, bytes)) return found;
      goesOn &&= enter(steps, steps.nexts[step]!, next);
    }
    found.push(bytes);
    takes = next;
  }
  return found;
}

/** What a unit of mail in `bytes` rules out, in bits. */
function bitsOf(bytes: ByteSet): number {
  let share = 0;
  for (let byte = 0; byte < 0x80; byte++) if (bytes[byte] === 1) share += 2 ** -unitBits(byte);
  return share === 0 ? unitBits(BYTES) : Math.max(0, -Math.log2(share));
}

/** Bytes by their halves: each of `upper` with each of `lower`. */
interface Halves {
  readonly upper: number;
  readonly lower: number;
}

/** Bytes as few pairs of halves that are exact: upper halves that go with the same lower ones share a pair. */
function halvesOf(bytes: ByteSet): readonly Halves[] {
  const uppers = new Map<number, number>();
  for (let upper = 0; upper < HALF; upper++) {
    let lower = 0;
    for (let half = 0; half < HALF; half++) lower |= bytes[upper * HALF + half]! << half;
    if (lower !== 0) uppers.set(lower, (uppers.get(lower) ?? 0) | (1 << upper));
  }
  return [...uppers].map(([lower, upper]) => ({ upper, lower }));
}

/** All in one pair, with bytes that are not among them. */
const joined = (pairs: readonly Halves[]): readonly Halves[] => [
  pairs.reduce(
    (all, { upper, lower }) => ({ upper: all.upper | upper, lower: all.lower | lower }),
    { upper: 0, lower: 0 },
  ),
];

function bytesOf(pairs: readonly Halves[]): ByteSet {
  const bytes = new Uint8Array(BYTES);
  for (const { upper, lower } of pairs) {
    for (let byte = 0; byte < BYTES; byte++) {
      if (((upper >> (byte >> 4)) & (lower >> (byte & 15)) & 1) === 1) bytes[byte] = 1;
    }
  }
  return bytes;
}

/** The pairs of each unit: exact where the buckets suffice, which hold one pair of each. */
function choosePairs(sets: readonly ByteSet[]): readonly (readonly Halves[])[] {
  const exact = sets.map(halvesOf);
  const chosen = exact.map(joined);
  const loss = (at: number): number => bitsOf(sets[at]!) - bitsOf(bytesOf(chosen[at]!));
  const order = [...sets.keys()].sort((a, b) => loss(b) - loss(a));
  let buckets = 1;
  for (const at of order) {
    const { length } = exact[at]!;
    if (buckets * length > BUCKETS) continue;
    buckets *= length;
    chosen[at] = exact[at]!;
  }
  return chosen;
}

/** A bucket for each choice of one pair for each unit. */
function fillMasks(pairs: readonly (readonly Halves[])[]): Uint8Array {
  const masks = new Uint8Array(2 * HALF * GRAM_UNITS);
  const count = pairs.reduce((product, { length }) => product * length, 1);
  for (let bucket = 0; bucket < count; bucket++) {
    let choice = bucket;
    for (const [at, choices] of pairs.entries()) {
      const { upper, lower } = choices[choice % choices.length]!;
      choice = Math.floor(choice / choices.length);
      for (let half = 0; half < HALF; half++) {
        const place = at * 2 * HALF + half;
        masks[place]! |= ((lower >> half) & 1) << bucket;
        masks[place + HALF]! |= ((upper >> half) & 1) << bucket;
      }
    }
  }
  return masks;
}

/** No bucket asks the filter. */
const UNFILTERED: number = 0xff << 24;
const NO_FILTER = new Uint8Array(0);

/** Answers whether to go on. */
export type OnStart = (place: number) => boolean;

/** Up to four units near the start of a match. */
interface Window {
  readonly pairs: readonly (readonly Halves[])[];
  /** Units from the start of a match to the first of them. */
  readonly offset: number;
  readonly units: number;
}

export class StartScanner {
  readonly #tables: ScanTables;
  readonly #window: Window;
  readonly #kernel: ScanKernel;

  constructor(window: Window, kernel: ScanKernel) {
    this.#tables = {
      masks: fillMasks(window.pairs),
      filter: NO_FILTER,
      shift: 0,
      kinds: UNFILTERED,
    };
    this.#window = window;
    this.#kernel = kernel;
  }

  /** Calls `onStart` with each place from `first` on where a match may start, in order, until it is told to end. */
  scan(text: string, first: number, onStart: OnStart): void {
    const { offset, units } = this.#window;
    const last = text.length - units;
    this.#kernel.scan(this.#tables, text, first, (place) => {
      const start = place - offset;
      return start < first || place > last || onStart(start);
    });
  }
}

/** `null` if too little is known about the start of a match: an automaton reads most texts faster. */
export function createStartScanner(
  tree: PatternTree,
  kernel: ScanKernel = scanKernel(),
): StartScanner | null {
  const sets = byteSets(tree);
  let best: Window | null = null;
  let most = BITS_MIN;
  for (let offset = 0; offset < sets.length; offset++) {
    const known = sets.slice(offset, offset + GRAM_UNITS);
    const others = Array.from({ length: GRAM_UNITS - known.length }, () => ANY_BYTE);
    const pairs = choosePairs([...known, ...others]);
    const bits = pairs.reduce((sum, each) => sum + bitsOf(bytesOf(each)), 0);
    if (bits <= most) continue;
    most = bits;
    best = { pairs, offset, units: known.length };
  }
  return best === null ? null : new StartScanner(best, kernel);
}
