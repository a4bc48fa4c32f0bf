/** Finds the places of many literals in a text, in one pass. */
import { LIMITS } from "../../../base/limits.ts";
import { caseFolds } from "../syntax/case-orbits.ts";
import type { RequiredLiteral } from "../syntax/required-literals.ts";
import { buildGramTable, entriesOf, type GramTable, gramAt } from "./gram-table.ts";
import { type ScanKernel, scanKernel } from "./scan-kernel.ts";

/** Answers whether to go on. Must not start a scan itself. */
export type OnHit = (literal: number, start: number) => boolean;

/** Pays for the next piece of work; false if the budget does not cover it. */
export type Pay = (fuel: number) => boolean;

/** Literals as they are compared: their units, folded where case does not count, one after the other. */
interface Sought {
  readonly units: Uint16Array;
  readonly starts: Int32Array;
  readonly folded: Uint8Array;
}

function layOut(literals: readonly RequiredLiteral[]): Sought {
  const folds = caseFolds();
  const starts = new Int32Array(literals.length + 1);
  for (const [nth, { text }] of literals.entries()) starts[nth + 1] = starts[nth]! + text.length;
  const units = new Uint16Array(starts[literals.length]!);
  for (const [nth, { text, fold }] of literals.entries()) {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      units[starts[nth]! + at] = fold ? folds[unit]! : unit;
    }
  }
  return { units, starts, folded: Uint8Array.from(literals, ({ fold }) => (fold ? 1 : 0)) };
}

/** How many units of literal `nth` match the text at `start`; its whole length if it occurs there. */
function unitsAlike(
  { units, starts, folded }: Sought,
  nth: number,
  text: string,
  start: number,
): number {
  const first = starts[nth]!;
  const length = starts[nth + 1]! - first;
  let alike = 0;
  if (folded[nth] === 1) {
    const folds = caseFolds();
    while (alike < length && folds[text.charCodeAt(start + alike)] === units[first + alike])
      alike++;
  } else {
    while (alike < length && text.charCodeAt(start + alike) === units[first + alike]) alike++;
  }
  return alike;
}

/** One table for all literals; a kernel finds the candidates. */
export class LiteralScanner {
  readonly literals: readonly RequiredLiteral[];
  readonly #kernel: ScanKernel;
  readonly #table: GramTable;
  readonly #sought: Sought;
  /** Places reported in the current scan, by literal, and the literals that have any. */
  readonly #counts: Uint32Array;
  #hit: number[] = [];
  /** Units compared since the last payment. */
  #work = 0;
  /** The scan under way. */
  #text = "";
  #placesMax = 0;
  #onHit: OnHit = () => true;
  #pay: Pay | undefined;
  // Made once: a closure for each scan would take as long as a short text.
  readonly #onPlace = (place: number, at: number): boolean => {
    if (!this.#probe(place, at)) return false;
    if (this.#pay === undefined || this.#work < WORK_PAID) return true;
    const work = this.#work;
    this.#work = 0;
    return this.#pay(work);
  };

  /** `literals` have at least one unit each, and are folded where case does not count. */
  constructor(literals: readonly RequiredLiteral[], kernel: ScanKernel = scanKernel()) {
    const unitsMax = LIMITS.literalUnitsMax;
    const cut = literals.map((literal) =>
      literal.text.length > unitsMax
        ? { text: literal.text.slice(0, unitsMax), fold: literal.fold }
        : literal,
    );
    this.literals = literals;
    this.#kernel = kernel;
    this.#table = buildGramTable(cut);
    this.#sought = layOut(cut);
    this.#counts = new Uint32Array(literals.length);
  }

  /**
   * Calls `onHit` with the index of a literal and the offset of its first code unit, for each place where it
   * occurs in `text`. The places of one literal come in order; of a literal with more than `placesMax` places, by
   * default `literalHitsMax`, only the first `placesMax + 1` are reported, and a literal longer than
   * `literalUnitsMax` is reported wherever its first units occur. False if `pay` or `onHit` ended it.
   */
  scan(text: string, onHit: OnHit, placesMax: number = LIMITS.literalHitsMax, pay?: Pay): boolean {
    // Drops what the text before has left, so that equal messages cost the same.
    for (const literal of this.#hit) this.#counts[literal] = 0;
    this.#hit = [];
    this.#work = 0;
    this.#text = text;
    this.#placesMax = placesMax;
    this.#onHit = onHit;
    this.#pay = pay;
    const isWhole = this.#kernel.scan(this.#table, text, 0, this.#onPlace);
    this.#text = "";
    return isWhole;
  }

  /** Compares the literals that may have a gram at `place` of the text, whose bytes are at `at`; false if `onHit` ended the scan. */
  #probe(place: number, at: number): boolean {
    const text = this.#text;
    const placesMax = this.#placesMax;
    const { view } = this.#kernel;
    const { grams, literals, lengths, offsets, heads, headShift } = this.#table;
    const counts = this.#counts;
    for (const units of lengths) {
      const gram = gramAt(view, at, units);
      const head = entriesOf(gram, headShift);
      const end = heads[head + 1]!;
      for (let entry = heads[head]!; entry < end; entry++) {
        this.#work++;
        if (grams[entry] !== gram) continue;
        const literal = literals[entry]!;
        const count = counts[literal]!;
        if (count > placesMax) continue;
        const start = place - offsets[literal]!;
        if (start < 0) continue;
        const alike = unitsAlike(this.#sought, literal, text, start);
        this.#work += alike;
        if (alike < this.#sought.starts[literal + 1]! - this.#sought.starts[literal]!) continue;
        if (count === 0) this.#hit.push(literal);
        counts[literal] = count + 1;
        if (!this.#onHit(literal, start)) return false;
      }
    }
    return true;
  }
}

/** Units of candidates that are compared before they are paid for. */
const WORK_PAID = 4_096;
