/** For the literals of one fact, which rules a text opens: looked for one by one, or all in one pass. */
import { LIMITS } from "../base/limits.ts";
import { TextProbe, unitMask } from "../cel/text-probe.ts";
import { createLiteralScanner, type LiteralScanner } from "../regex/literal-scanner.ts";
import { literalKey, type RequiredLiteral } from "../regex/required-literals.ts";
import type { Found } from "./found.ts";
import type { ScannerPool } from "./scanner-pool.ts";

/** What the ways to look for literals cost, in ns as measured: one by one, or all of them in one pass. */
const PROBE_COST = 15;
const PASS_COST = 100;
const PASS_UNIT_COST = 0.6;
const PROBED_MAX = 48;

/** In a text as short as this, so many literals are ruled out by the units that it has not. */
const MASKED_UNITS_MAX = 128;
const MASKED_LITERALS = { min: 4, max: 24 } as const;

/** Literals of the first rules that have a scanner of their own, which is used where no later rule can win. */
const FIRST_LITERALS = 256;
const FIRST_GROWTH = 4;

export class LiteralIndex {
  readonly #literals: RequiredLiteral[] = [];
  readonly #ids = new Map<string, number>();
  /** By literal: the rules that it opens, in the order of trial. */
  readonly #rules: number[][] = [];
  /** By literal, as far as they were looked for one by one. */
  readonly #probes: TextProbe[] = [];
  /** By the literals that they look for, which are the first ones. */
  readonly #scanners = new Map<number, LiteralScanner>();
  readonly #pool: ScannerPool | null;

  /** `pool`: scanners for the same literals made before. */
  constructor(pool: ScannerPool | null) {
    this.#pool = pool;
  }

  /** Rules are added in the order of trial. */
  add(rule: number, literal: RequiredLiteral): void {
    const key = literalKey(literal);
    const id = this.#ids.get(key) ?? this.#literals.length;
    if (id === this.#literals.length) {
      this.#ids.set(key, id);
      this.#literals.push(literal);
      this.#rules.push([]);
    }
    const rules = this.#rules[id]!;
    if (rules.at(-1) !== rule) rules.push(rule);
  }

  /** Opens the rules of each literal that stands in the text. */
  open(text: string, found: Found): void {
    const count = this.#countBefore(found.before);
    if (count === 0) return;
    const { min, max } = MASKED_LITERALS;
    if (text.length <= MASKED_UNITS_MAX && count >= min && count <= max) {
      this.#openMasked(text, count, found);
    } else if (this.#isProbed(count, text.length)) {
      for (let id = 0; id < count; id++) this.#lookFor(id, text, found);
    } else this.#scanFor(text, count, found);
  }

  /** Literals that lead to a rule before `before`: they are in the order of their first rules. */
  #countBefore(before: number): number {
    let low = 0;
    let high = this.#rules.length;
    if (high > 0 && this.#rules[high - 1]![0]! < before) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#rules[middle]![0]! < before) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether looking for each by itself costs less than a pass. */
  #isProbed(count: number, units: number): boolean {
    if (count > PROBED_MAX) return false;
    let cost = 0;
    for (let id = 0; id < count; id++) {
      if (this.#literals[id]!.fold) return false;
      cost += PROBE_COST + this.#probeOf(id).unitCost * units;
    }
    return cost <= PASS_COST + PASS_UNIT_COST * units;
  }

  #openMasked(text: string, count: number, found: Found): void {
    const mask = unitMask(text);
    for (let id = 0; id < count; id++) {
      if ((this.#probeOf(id).mask & ~mask) !== 0) continue;
      if (this.#literals[id]!.fold) {
        this.#scanFor(text, count, found);
        return;
      }
      this.#lookFor(id, text, found);
    }
  }

  #probeOf(id: number): TextProbe {
    this.#probes[id] ??= new TextProbe(this.#literals[id]!.text);
    return this.#probes[id];
  }

  /** The first `count` literals, and perhaps some more, in one pass. */
  #scanFor(text: string, count: number, found: Found): void {
    if (found.stats !== null) found.stats.scans++;
    this.#scannerFor(count).scan(text, (id, start) => {
      this.#tell(id, start, found);
      return undefined;
    });
  }

  #scannerFor(count: number): LiteralScanner {
    const { length } = this.#literals;
    let size = FIRST_LITERALS;
    while (size < count) size *= FIRST_GROWTH;
    // One that is not much smaller is not worth its memory.
    if (size * 2 > length) size = length;
    const made = this.#scanners.get(size) ?? this.#createScanner(size);
    this.#scanners.set(size, made);
    return made;
  }

  #createScanner(size: number): LiteralScanner {
    const literals = this.#literals.slice(0, size);
    return this.#pool === null ? createLiteralScanner(literals) : this.#pool.get(literals);
  }

  /** One by itself. */
  #lookFor(id: number, text: string, found: Found): void {
    const probe = this.#probeOf(id);
    let at = probe.indexIn(text);
    for (let hits = 0; at >= 0 && hits <= LIMITS.literalHitsMax; hits++) {
      this.#tell(id, at, found);
      if (!found.notesHits) return;
      at = probe.indexIn(text, at + 1);
    }
  }

  #tell(id: number, start: number, found: Found): void {
    for (const rule of this.#rules[id]!) {
      if (rule >= found.before) return;
      found.open(rule);
      if (found.notesHits) found.noteHit(rule, start, start + this.#literals[id]!.text.length);
    }
  }
}
