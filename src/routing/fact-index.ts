/** For one fact, which rules its text opens: values by hash, literals in one pass, the rest by pattern sets. */

import { LIMITS } from "../base/limits.ts";
import { TextProbe, unitMask } from "../cel/text-probe.ts";
import { createLiteralScanner, type LiteralScanner } from "../regex/literal-scanner.ts";
import { createPatternSet, type PatternSet } from "../regex/pattern-set.ts";
import type { RequiredLiteral } from "../regex/required-literals.ts";
import { BIT_OF, type GateFact, type Opening } from "./gate.ts";
import type { BoundedCache } from "./pieces.ts";
import type { RegexMatcher } from "./regex-rule.ts";
import type { ResolveStats } from "./resolve-stats.ts";
import { literalKey, type ScannerPool } from "./scanner-pool.ts";

/** Is told of rules, by their place in the order of trial, while a fact is looked through. */
export interface Found {
  open(place: number): void;
  /** Only rules before it are of interest. */
  readonly before: number;
  /** Whether it wants to know where literals stand. */
  readonly notesHits: boolean;
  /** A literal of the rule stands there. */
  noteHit(place: number, start: number, end: number): void;
  readonly stats: ResolveStats | null;
}

/** Scanners and sets by what they search for. */
export interface Searchers {
  readonly scanners: ScannerPool;
  readonly sets: BoundedCache<PatternSet>;
}

/** Rules that one literal, value or pattern opens, in the order of trial. */
type Rules = number[];

function push<Key>(map: Map<Key, Rules>, key: Key, rule: number): void {
  const rules = map.get(key);
  if (rules === undefined) map.set(key, [rule]);
  else if (rules.at(-1) !== rule) rules.push(rule);
}

/** What the ways to look for literals cost, in ns as measured: one by one, or all of them in one pass. */
const PROBE_COST = 15;
const PASS_COST = 100;
const PASS_UNIT_COST = 0.6;

/** In a text as short as this, so many literals are ruled out by the units that it has not. */
const MASKED_UNITS_MAX = 128;
const MASKED_LITERALS = { min: 4, max: 24 } as const;

const COMPARED_VALUES_MAX = 12;

/** Patterns that are worth a set. */
const SET_PATTERNS_MIN = 4;

function openAll(rules: Rules, found: Found): void {
  for (const rule of rules) {
    if (rule >= found.before) return;
    found.open(rule);
  }
}

/** Collects the openings of rules on one fact; rules are added in the order of trial. */
export class FactIndex {
  readonly fact: GateFact;
  /** Its place in a rule's mask of facts. */
  readonly bit: number;
  /** All rules with an opening on the fact. */
  readonly rules: Rules = [];
  readonly #values = new Map<string, Rules>();
  readonly #valueList: string[] = [];
  readonly #literalIds = new Map<string, number>();
  readonly #literals: RequiredLiteral[] = [];
  /** By literal, as far as they were looked for one by one. */
  readonly #probes: TextProbe[] = [];
  /** By literal. */
  readonly #literalRules: Rules[] = [];
  #folds = false;
  readonly #searchedIds = new Map<string, number>();
  readonly #searched: RegexMatcher[] = [];
  readonly #searchedRules: Rules[] = [];
  #scanner: LiteralScanner | undefined;
  #set: PatternSet | undefined;
  #searchedFuel: number | undefined;

  readonly #searchers: Searchers | null;

  /** `searchers`: what was built for the same literals or patterns before. */
  constructor(fact: GateFact, searchers: Searchers | null) {
    this.fact = fact;
    this.#searchers = searchers;
    this.bit = BIT_OF[fact];
  }

  add(rule: number, opening: Opening, matcher: RegexMatcher | null): void {
    if (this.rules.at(-1) !== rule) this.rules.push(rule);
    switch (opening.kind) {
      case "values":
        for (const value of opening.values) {
          push(this.#values, value, rule);
          this.#valueList.push(value);
        }
        return;
      case "literals":
        for (const literal of opening.literals) this.#addLiteral(rule, literal);
        return;
      case "searched":
        this.#addSearched(rule, matcher!);
    }
  }

  #addLiteral(rule: number, literal: RequiredLiteral): void {
    const key = literalKey(literal);
    const id = this.#literalIds.get(key) ?? this.#literals.length;
    if (id === this.#literals.length) {
      this.#literalIds.set(key, id);
      this.#literals.push(literal);
      this.#literalRules.push([]);
      this.#folds ||= literal.fold;
    }
    const rules = this.#literalRules[id]!;
    if (rules.at(-1) !== rule) rules.push(rule);
  }

  #addSearched(rule: number, matcher: RegexMatcher): void {
    const id = this.#searchedIds.get(matcher.source) ?? this.#searched.length;
    if (id === this.#searched.length) {
      this.#searchedIds.set(matcher.source, id);
      this.#searched.push(matcher);
      this.#searchedRules.push([]);
    }
    this.#searchedRules[id]!.push(rule);
  }

  #createScanner(): LiteralScanner {
    if (this.#searchers === null) return createLiteralScanner(this.#literals);
    return this.#searchers.scanners.get(this.#literals, this.#literalIds);
  }

  #createSet(): PatternSet {
    const create = (): PatternSet => createPatternSet(this.#searched);
    if (this.#searchers === null) return create();
    return this.#searchers.sets.get(JSON.stringify([...this.#searchedIds.keys()]), create);
  }

  /** Fuel per character of searching all patterns of which nothing is known. */
  get searchedFuel(): number {
    if (this.#searchedFuel !== undefined) return this.#searchedFuel;
    this.#searchedFuel = this.#searched.reduce(
      (sum, matcher, id) => sum + matcher.fuelPerUnit() * this.#searchedRules[id]!.length,
      0,
    );
    return this.#searchedFuel;
  }

  /** Opens all rules whose pattern must be searched for. */
  openSearched(found: Found): void {
    for (const rules of this.#searchedRules) openAll(rules, found);
  }

  /** Runs the patterns of which nothing is known, all at once, and opens the rules of those that occur. */
  runSearched(text: string, found: Found): void {
    if (this.#searched.length < SET_PATTERNS_MIN) {
      this.openSearched(found);
      return;
    }
    this.#set ??= this.#createSet();
    if (found.stats !== null) found.stats.setsRun++;
    for (const id of this.#set.match(text)) {
      openAll(this.#searchedRules[id]!, found);
    }
  }

  #openValue(value: string, found: Found): void {
    const rules =
      this.#values.size <= COMPARED_VALUES_MAX ? this.#compare(value) : this.#values.get(value);
    if (rules !== undefined) openAll(rules, found);
  }

  #compare(value: string): Rules | undefined {
    for (let nth = 0; nth < this.#valueList.length; nth++) {
      if (this.#valueList[nth] === value) return this.#values.get(value);
    }
    return undefined;
  }

  /** Opens the rules of the fact's value, and of each literal that stands in it. */
  openText(text: string, found: Found): void {
    if (this.#values.size > 0) this.#openValue(text, found);
    if (this.#literals.length > 0) this.#openLiterals(text, found);
  }

  /** Opens the rules of each field name. */
  openFields(headers: ReadonlyMap<string, readonly string[]>, found: Found): void {
    if (headers.size < this.#values.size) {
      for (const name of headers.keys()) this.#openValue(name, found);
      return;
    }
    for (const name of this.#values.keys()) if (headers.has(name)) this.#openValue(name, found);
  }

  /** How many literals lead to a rule before `before`: they are in the order of rules. -1: a pass costs less. */
  #fewBefore(before: number, units: number): number {
    const costMax = PASS_COST + PASS_UNIT_COST * units;
    let count = 0;
    for (let cost = 0; count < this.#literals.length; count++) {
      if (this.#literalRules[count]![0]! >= before) break;
      cost += PROBE_COST + this.#probeOf(count).unitCost * units;
      if (cost > costMax) return -1;
    }
    return count;
  }

  #openLiterals(text: string, found: Found): void {
    const { length } = this.#literals;
    if (
      text.length <= MASKED_UNITS_MAX &&
      length >= MASKED_LITERALS.min &&
      length <= MASKED_LITERALS.max
    ) {
      this.#openMasked(text, found);
      return;
    }
    const few = this.#folds ? -1 : this.#fewBefore(found.before, text.length);
    if (few < 0) this.#scanFor(text, found);
    else for (let id = 0; id < few; id++) this.#lookFor(id, text, found);
  }

  #openMasked(text: string, found: Found): void {
    const mask = unitMask(text);
    for (let id = 0; id < this.#literals.length; id++) {
      if (this.#literalRules[id]![0]! >= found.before) return;
      const probe = this.#probeOf(id);
      if ((probe.mask & ~mask) !== 0) continue;
      if (this.#literals[id]!.fold) {
        this.#scanFor(text, found);
        return;
      }
      this.#lookFor(id, text, found);
    }
  }

  #probeOf(id: number): TextProbe {
    this.#probes[id] ??= new TextProbe(this.#literals[id]!.text);
    return this.#probes[id];
  }

  /** All in one pass. */
  #scanFor(text: string, found: Found): void {
    if (found.stats !== null) found.stats.scans++;
    this.#scanner ??= this.#createScanner();
    this.#scanner.scan(text, (id, start) => {
      openAll(this.#literalRules[id]!, found);
      if (found.notesHits) this.#noteHit(id, start, found);
      return undefined;
    });
  }

  /** One by itself. */
  #lookFor(id: number, text: string, found: Found): void {
    const probe = this.#probeOf(id);
    let at = probe.indexIn(text);
    if (at < 0) return;
    openAll(this.#literalRules[id]!, found);
    if (!found.notesHits) return;
    for (let hits = 0; at >= 0 && hits <= LIMITS.literalHitsMax; hits++) {
      this.#noteHit(id, at, found);
      at = probe.indexIn(text, at + 1);
    }
  }

  #noteHit(id: number, start: number, found: Found): void {
    const end = start + this.#literals[id]!.text.length;
    for (const rule of this.#literalRules[id]!) {
      if (rule >= found.before) return;
      found.noteHit(rule, start, end);
    }
  }
}
