/** Finds the places of a text where a match of one pattern may start, by what up to four units near its start can be. */
import type { CodeRange } from "../syntax/class-tables.ts";
import { unitBits } from "../syntax/literal-rarity.ts";
import type { PatternTree } from "../syntax/pattern-tree.ts";
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

/** Surrogates: each counts as U+FFFD, or is half of a character. */
const SURROGATES_START = 0xd800;
const SURROGATES_END = 0xe000;
const REPLACEMENT = 0xfffd;

const isHalf = ([first, last]: CodeRange): boolean =>
  last >= REPLACEMENT || (first < SURROGATES_END && last >= SURROGATES_START);

/** Adds the low bytes of the characters of `ranges`; false if one of them may be two units, or a lone surrogate. */
function addBytes(ranges: readonly CodeRange[], bytes: ByteSet): boolean {
  if (ranges.some(isHalf)) return false;
  for (const [first, last] of ranges) {
    if (last - first >= BYTES) bytes.fill(1);
    else for (let unit = first; unit <= last; unit++) bytes[unit & 0xff] = 1;
  }
  return true;
}

/** The steps that take the next character of a match. */
class Frontier {
  #takes: number[];
  readonly #steps: StepList;
  /** By step: the round in which it was last reached. */
  readonly #reached: Uint8Array;
  #round = 0;
  /** Whether a match may end before it takes the next character. */
  mayEnd = false;

  constructor(steps: StepList) {
    this.#steps = steps;
    this.#reached = new Uint8Array(steps.kinds.length);
    this.#takes = this.#enter(steps.starts);
  }

  /** What they take: the numbers of sets. */
  get sets(): ReadonlySet<number> {
    return new Set(this.#takes.map((step) => this.#steps.operands[step]!));
  }

  moveOn(): void {
    this.#takes = this.#enter(this.#takes.map((step) => this.#steps.nexts[step]!));
  }

  /** Assertions are taken to hold. */
  #enter(first: readonly number[]): number[] {
    const { kinds, operands, nexts } = this.#steps;
    const round = ++this.#round;
    const takes: number[] = [];
    const pending = [...first];
    for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
      if (step === 0 || this.#reached[step] === round) continue;
      this.#reached[step] = round;
      const kind = kinds[step]!;
      if (kind === END) this.mayEnd = true;
      else if (kind === TAKE) takes.push(step);
      else pending.push(nexts[step]!);
      if (kind === BRANCH) pending.push(operands[step]!);
    }
    return takes;
  }
}

/** By distance from the start of a match: the bytes that its units can have there, as far as that is known. */
function byteSets(tree: PatternTree): readonly ByteSet[] {
  const { steps, sets, patterns } = writeProgram([tree]);
  const found: ByteSet[] = [];
  if (patterns.length === 0) return found;
  const frontier = new Frontier(steps);
  for (; !frontier.mayEnd && found.length < WINDOW_UNITS; frontier.moveOn()) {
    const bytes = new Uint8Array(BYTES);
    const taken = frontier.sets;
    if (taken.size === 0) break;
    for (const set of taken) if (!addBytes(sets[set]!, bytes)) return found;
    found.push(bytes);
  }
  return found;
}

/** Of the bytes in a set, the upper and the lower halves, a bit each: a kernel takes each of these with each of those. */
interface Halves {
  readonly upper: number;
  readonly lower: number;
}

function halvesOf(bytes: ByteSet): Halves {
  let [upper, lower] = [0, 0];
  for (let byte = 0; byte < BYTES; byte++) {
    if (bytes[byte] === 0) continue;
    upper |= 1 << (byte >> 4);
    lower |= 1 << (byte & 15);
  }
  return { upper, lower };
}

const takes = ({ upper, lower }: Halves, byte: number): boolean =>
  ((upper >> (byte >> 4)) & (lower >> (byte & 15)) & 1) === 1;

/** What a unit of mail whose byte the kernel takes rules out, in bits. */
function bitsOf(halves: Halves): number {
  let share = 0;
  for (let byte = 0; byte < 0x80; byte++) if (takes(halves, byte)) share += 2 ** -unitBits(byte);
  return share === 0 ? unitBits(BYTES) : Math.max(0, -Math.log2(share));
}

/** The masks of a single bucket. */
function fillMasks(units: readonly Halves[]): Uint8Array {
  const masks = new Uint8Array(2 * HALF * GRAM_UNITS);
  for (const [at, { upper, lower }] of units.entries()) {
    for (let half = 0; half < HALF; half++) {
      masks[at * 2 * HALF + half] = (lower >> half) & 1;
      masks[at * 2 * HALF + HALF + half] = (upper >> half) & 1;
    }
  }
  return masks;
}

/** The bucket asks no filter. */
const UNFILTERED: number = 1 << 24;
const NO_FILTER = new Uint8Array(0);

/** Answers whether to go on. */
export type OnStart = (place: number) => boolean;

/** Up to four units near the start of a match. */
interface Window {
  /** Of four units; those beyond `units` can have any byte. */
  readonly halves: readonly Halves[];
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
      masks: fillMasks(window.halves),
      filter: NO_FILTER,
      shift: 0,
      kinds: UNFILTERED,
    };
    this.#window = window;
    this.#kernel = kernel;
  }

  /** Calls `onStart` with each place from `first` on where a match may start, in order, until that answers false. */
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
    const halves = [...known, ...others].map(halvesOf);
    const bits = halves.reduce((sum, each) => sum + bitsOf(each), 0);
    if (bits <= most) continue;
    most = bits;
    best = { halves, offset, units: known.length };
  }
  return best === null ? null : new StartScanner(best, kernel);
}
