/** For the literals of one fact, finds the rules that a text opens, and the places of the literals in it. */
import type { Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import { createLiteralScanner, type LiteralScanner } from "../../pattern/search/literal-scanner.ts";
import { literalKey, type RequiredLiteral } from "../../pattern/syntax/required-literals.ts";
import type { BoundedCache } from "../config/pieces.ts";
import { byPlace, type Found, openAll, type Rules } from "./found.ts";

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

/** So many of the first rules are tried while the text is being searched: behind a later one that matches, the search would go on. */
const EARLY_RULES = 4;
/** So many rules at most are tried alone in place of reading on, if more literals than these are looked for. */
const ALONE_RULES = 2;
/** What trying one of them takes for each unit of the text, and what each place of a literal takes, in units that are scanned for all literals. */
const ALONE_UNITS = 1.6;
const PLACE_UNITS = 128;

export class LiteralIndex {
  readonly #literals: RequiredLiteral[] = [];
  readonly #ids = new Map<string, number>();
  /** By literal: the rules that it opens, each once, in the order of trial. */
  readonly #rules: Rules[] = [];
  /** Of the first rules, which are before `#earlyEnd`, those that can be tried around the places of their literals. */
  readonly #searched = new Set<number>();
  #earlyEnd = Number.POSITIVE_INFINITY;
  #ruleCount = 0;
  #last = -1;
  /** The ids of a rule's literals; `null` if the rule is opened otherwise. */
  readonly #idsOf = new WeakMap<readonly RequiredLiteral[], readonly number[] | null>();
  #scanner: LiteralScanner | undefined;
  /** By literal: its places in the current text, in order; only literals in `#hit` have any. */
  readonly #places: (number[] | undefined)[] = [];
  #hit: number[] = [];
  #hitsLeft = 0;
  /** By literal: how many of its places rules have been tried at. */
  readonly #tried: number[] = [];
  /** Receives what the search under way finds in a text of so many units. */
  #found: Found | null = null;
  #units = 0;
  /** Places found, also of literals that no longer matter. */
  #count = 0;
  /** Whether the rules that are left are tried alone in place of reading on. */
  #triesAlone = false;
  #hitsMax = 0;
  /** Places that may still be found before the search gives up. */
  #placesLeft = 0;
  #placesMax: (units: number) => number = Number;
  /** Whether a literal contains U+FFFD. A lone surrogate in a text counts as U+FFFD, so the text is then made well-formed first. */
  #hasReplacement = false;

  /** `kept`: scanners made before, to be used again for the same literals. */
  constructor(private readonly kept: BoundedCache<LiteralScanner> | null) {}

  /** Rules are added in the order of trial; `isSearched`: the rule does nothing but search a pattern whose literals they are. */
  add(rule: number, literal: RequiredLiteral, isSearched: boolean): void {
    if (rule !== this.#last) {
      this.#last = rule;
      if (this.#ruleCount++ === EARLY_RULES) this.#earlyEnd = rule;
    }
    if (isSearched && rule < this.#earlyEnd) this.#searched.add(rule);
    const key = literalKey(literal);
    const id = this.#ids.get(key) ?? this.#literals.length;
    if (id === this.#literals.length) {
      this.#ids.set(key, id);
      this.#literals.push(literal);
      this.#hasReplacement ||= literal.text.includes("\ufffd");
      this.#rules.push([]);
      this.#places.push(undefined);
      this.#tried.push(0);
    }
    const rules = this.#rules[id]!;
    if (rules.at(-1) !== rule) rules.push(rule);
  }

  /**
   * Opens the rules of each literal that the text contains; false, and no rule is opened, if so many units of it hold more places than
   * `placesMax` tells.
   */
  open(text: string, found: Found, placesMax: (units: number) => number): boolean {
    if (this.first >= found.before) return true;
    const { guard } = found;
    if (!guard.take(text.length + 1)) return true;
    if (found.stats !== null) found.stats.scans++;
    const scanner = this.#readyScanner();
    const notesHits = found.notesHits && text.length >= WINDOWED_UNITS_MIN;
    this.#hitsMax = notesHits ? hitsMaxOf(text) : 0;
    this.#hitsLeft = HITS_MAX;
    this.#placesMax = placesMax;
    this.#placesLeft = placesMax(text.length);
    this.#found = found;
    this.#units = text.length;
    this.#count = 0;
    this.#triesAlone = false;
    const sought = this.#hasReplacement ? text.toWellFormed() : text;
    scanner.scan(
      sought,
      this.#tell,
      this.#hitsMax,
      this.#pay,
      found.early === null ? undefined : this.#tryHit,
    );
    this.#found = null;
    for (const id of this.#hit) this.#tried[id] = 0;
    if (this.#placesLeft < 0) {
      this.#hitsMax = 0;
      return false;
    }
    if (this.#triesAlone) {
      this.#hitsMax = 0;
      for (const rules of this.#rules.slice(0, ALONE_RULES)) openAll(rules, found);
      return true;
    }
    for (const rule of this.#rulesOf(this.#hit, found.before, guard)) {
      if (!this.#isTriedAround(rule, found)) found.open(rule);
    }
    return true;
  }

  /** The rules of some literals that are before `end`, in the order of trial. */
  #rulesOf(ids: readonly number[], end: number, guard: Guard): Rules {
    const rules = new Set<number>();
    for (const id of ids) {
      const list = this.#rules[id]!;
      const most = Math.min(list.length, Math.max(0, end - list[0]!));
      if (!guard.take(OPEN_FUEL * most)) return [];
      for (let nth = 0; nth < most && list[nth]! < end; nth++) rules.add(list[nth]!);
    }
    return [...rules].sort(byPlace);
  }

  #isTriedAround(rule: number, { early }: Found): boolean {
    return early !== null && this.#searched.has(rule) && early.canTry(rule);
  }

  /** Whether trying the rules that are left in the whole text takes less than reading on after `read` units. */
  #isSoonerAlone(before: number, read: number): boolean {
    const [next = 0] = this.#rules[ALONE_RULES] ?? [];
    if (next < before) return false;
    let count = 0;
    for (const rules of this.#rules.slice(0, ALONE_RULES)) {
      for (const rule of rules) {
        if (rule >= before) break;
        if (++count > ALONE_RULES) return false;
      }
    }
    const left = (this.#units - read) * (1 + (PLACE_UNITS * this.#count) / read);
    return left > count * ALONE_UNITS * this.#units;
  }

  /** Makes what searches for the literals, which takes the first text much longer than the next. */
  prepare(): void {
    if (this.#literals.length > 0) this.#readyScanner();
  }

  /** Made when it is first wanted. */
  #readyScanner(): LiteralScanner {
    const create = (): LiteralScanner => createLiteralScanner(this.#literals);
    this.#scanner ??= this.kept?.get(JSON.stringify([...this.#ids.keys()]), create) ?? create();
    return this.#scanner;
  }

  // Made once: a closure for each text would take as long as a short text.
  readonly #pay = (fuel: number): boolean => this.#found!.guard.take(fuel);
  readonly #tell = (id: number, start: number): boolean => {
    this.#count++;
    if (this.#rules[id]![0]! >= this.#found!.before) return true;
    const places = this.#places[id];
    if (places === undefined) {
      this.#places[id] = [start];
      this.#hit.push(id);
    } else if (this.#hitsLeft-- > 0) places.push(start);
    return --this.#placesLeft >= 0;
  };

  /** Tries the first rules around new places of their literals; false if no rule is left that a literal opens. */
  readonly #tryHit = (read: number): boolean => {
    const found = this.#found!;
    if (this.#count > this.#placesMax(read)) {
      this.#placesLeft = -1;
      return false;
    }
    const ids = this.#hit.filter((id) => this.#tried[id] !== this.#places[id]!.length);
    const end = Math.min(found.before, this.#earlyEnd);
    for (const rule of this.#rulesOf(ids, end, found.guard)) {
      if (rule >= found.before) break;
      if (!this.#searched.has(rule)) found.early!.tryWhole(rule);
      else if (found.early!.canTry(rule)) found.early!.tryAround(rule);
    }
    for (const id of this.#hit) this.#tried[id] = this.#places[id]!.length;
    if (this.first >= found.before) return false;
    this.#triesAlone = this.#isSoonerAlone(found.before, read);
    return !this.#triesAlone;
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

  /** Whether `hitsOf` gives the places of `literals`. */
  knows(literals: readonly RequiredLiteral[], before: number): boolean {
    return this.#knownIds(literals, before) !== null;
  }

  /**
   * The places of `literals` in the text that was searched last, or those that rules have not been tried at, in order; `null` if there
   * are too many, or if they are those of no rule before `before`, before which alone rules matter.
   */
  hitsOf(literals: readonly RequiredLiteral[], before: number): readonly Span[] | null {
    const ids = this.#knownIds(literals, before);
    if (ids === null) return null;
    const spans: Span[] = [];
    for (const id of ids) {
      const starts = this.#places[id] ?? [];
      const units = this.#literals[id]!.text.length;
      for (let nth = this.#tried[id]!; nth < starts.length; nth++) {
        const start = starts[nth]!;
        spans.push({ start, end: start + units });
      }
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
    for (const id of this.#hit) {
      this.#places[id] = undefined;
      this.#tried[id] = 0;
    }
    this.#hit = [];
  }
}
