/** For the literals of one fact, finds the rules that a text opens, and the places of the literals in it. */
import type { Span } from "../../../base/diagnostic.ts";
import { LIMITS } from "../../../base/limits.ts";
import { LiteralScanner } from "../../pattern/search/literal-scanner.ts";
import { literalKey, type RequiredLiteral } from "../../pattern/syntax/required-literals.ts";
import type { BoundedCache } from "../config/pieces.ts";
import { type Found, openAll, type Rules } from "./found.ts";

/** Code units of a text from which on windows around literals pay. */
const WINDOWED_UNITS_MIN = 128;
/** Units of a text for each place of a literal: windows around more places would take longer than the whole text. */
const UNITS_PER_HIT = 256;
/** Places of all literals of a text that are noted: eight octets each. */
const HITS_MAX = 262_144;

/** Places of one literal that are noted; with more, the text is searched whole. */
function hitsMaxOf(text: string): number {
  return Math.max(LIMITS.literalHitsMax, Math.floor(text.length / UNITS_PER_HIT));
}

/** Units of work of opening a rule. */
const OPEN_FUEL = 2;

export class LiteralIndex {
  readonly #literals: RequiredLiteral[] = [];
  readonly #ids = new Map<string, number>();
  /** By literal: the rules that it opens, each once, in the order of trial. */
  readonly #rules: Rules[] = [];
  /** The ids of a rule's literals; `null` if the rule is opened otherwise. */
  readonly #idsOf = new WeakMap<readonly RequiredLiteral[], readonly number[] | null>();
  #scanner: LiteralScanner | undefined;
  /** By literal: its places in the current text, in order; only literals in `#hit` have any. */
  readonly #places: (number[] | undefined)[] = [];
  #hit: number[] = [];
  #hitsLeft = 0;
  /** Receives what the search under way finds in a text of so many units. */
  #found: Found | null = null;
  #hitsMax = 0;
  /** Places that the last search found; with more than `#placesMax`, it has given up. */
  placesFound = 0;
  #placesMax = 0;
  /** Whether a literal contains U+FFFD. A lone surrogate in a text counts as U+FFFD, so the text is then made well-formed first. */
  #hasReplacement = false;

  /** `kept`: scanners made before, to be used again for the same literals. */
  constructor(private readonly kept: BoundedCache<LiteralScanner> | null) {}

  /** Rules are added in the order of trial. */
  add(rule: number, literal: RequiredLiteral): void {
    const key = literalKey(literal);
    const id = this.#ids.get(key) ?? this.#literals.length;
    if (id === this.#literals.length) {
      this.#ids.set(key, id);
      this.#literals.push(literal);
      this.#hasReplacement ||= literal.text.includes("\ufffd");
      this.#rules.push([]);
      this.#places.push(undefined);
    }
    const rules = this.#rules[id]!;
    if (rules.at(-1) !== rule) rules.push(rule);
  }

  /** Opens the rules of each literal that the text contains; false, and no rule is opened, if there are more places of them than `placesMax`. */
  open(text: string, found: Found, placesMax: number): boolean {
    this.placesFound = 0;
    if (this.first >= found.before) return true;
    const { guard } = found;
    if (!guard.take(text.length + 1)) return true;
    if (found.stats !== null) found.stats.scans++;
    const scanner = this.#readyScanner();
    const notesHits = found.notesHits && text.length >= WINDOWED_UNITS_MIN;
    this.#hitsMax = notesHits ? hitsMaxOf(text) : 0;
    this.#hitsLeft = HITS_MAX;
    this.#placesMax = placesMax;
    this.#found = found;
    const sought = this.#hasReplacement ? text.toWellFormed() : text;
    scanner.scan(sought, this.#tell, this.#hitsMax, this.#pay);
    this.#found = null;
    if (this.placesFound > placesMax) {
      this.#hitsMax = 0;
      return false;
    }
    for (const id of this.#hit) {
      const rules = this.#rules[id]!;
      if (!guard.take(OPEN_FUEL * Math.min(rules.length, found.before - rules[0]!))) return true;
      openAll(rules, found);
    }
    return true;
  }

  /** Makes what searches for the literals, which takes the first text much longer than the next. */
  prepare(): void {
    if (this.#literals.length > 0) this.#readyScanner();
  }

  /** Made when it is first wanted. */
  #readyScanner(): LiteralScanner {
    const create = (): LiteralScanner => new LiteralScanner(this.#literals);
    this.#scanner ??= this.kept?.get(JSON.stringify([...this.#ids.keys()]), create) ?? create();
    return this.#scanner;
  }

  // Made once: a closure for each text would take as long as a short text.
  readonly #pay = (fuel: number): boolean => this.#found!.guard.take(fuel);
  readonly #tell = (id: number, start: number): boolean => {
    if (this.#rules[id]![0]! >= this.#found!.before) return true;
    const places = this.#places[id];
    if (places === undefined) {
      this.#places[id] = [start];
      this.#hit.push(id);
    } else if (this.#hitsLeft-- > 0) places.push(start);
    return ++this.placesFound <= this.#placesMax;
  };

  #findIds(literals: readonly RequiredLiteral[]): readonly number[] | null {
    const ids = literals.map((literal) => this.#ids.get(literalKey(literal)));
    return ids.every((id) => id !== undefined) ? ids : null;
  }

  /** The ids of `literals` if all their places in the text are known; `null` if they are not, or there are too many. */
  #knownIds(literals: readonly RequiredLiteral[], before: number): readonly number[] | null {
    if (this.#hitsMax === 0 || this.#hitsLeft < 0) return null;
    let ids = this.#idsOf.get(literals);
    if (ids === undefined) {
      ids = this.#findIds(literals);
      this.#idsOf.set(literals, ids);
    }
    let count = 0;
    for (const id of ids ?? []) {
      // Of others nothing is noted.
      if (this.#rules[id]![0]! >= before) return null;
      count += this.#places[id]?.length ?? 0;
    }
    return count > this.#hitsMax ? null : ids;
  }

  /**
   * The places of `literals` in the text that was searched last, in order; `null` if there are too many, or if they are those of no rule
   * before `before`, before which alone rules matter.
   */
  hitsOf(literals: readonly RequiredLiteral[], before: number): readonly Span[] | null {
    const ids = this.#knownIds(literals, before);
    if (ids === null) return null;
    const spans: Span[] = [];
    for (const id of ids) {
      const units = this.#literals[id]!.text.length;
      for (const start of this.#places[id] ?? []) spans.push({ start, end: start + units });
    }
    return ids.length === 1 ? spans : spans.sort((a, b) => a.start - b.start);
  }

  /** The first rule that a literal opens; `Infinity` if there is none. */
  get first(): number {
    // Literals are in the order of their first rules.
    return this.#rules[0]?.[0] ?? Number.POSITIVE_INFINITY;
  }

  /** Forgets the text. */
  end(): void {
    this.#hitsMax = 0;
    if (this.#hit.length === 0) return;
    for (const id of this.#hit) this.#places[id] = undefined;
    this.#hit = [];
  }
}
