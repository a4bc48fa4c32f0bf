/** For one fact, finds the rules that its text opens: by its value, by its literals, by patterns that run together. */
import type { LiteralScanner } from "../../pattern/search/literal-scanner.ts";
import type { PatternSet } from "../../pattern/search/pattern-set.ts";
import type { BoundedCache } from "../config/pieces.ts";
import { userOf } from "../message-view.ts";
import type { SearchedPattern } from "../rules/rule-type.ts";
import { type Found, openAll, pushTo, type Rules } from "./found.ts";
import { ALIAS_FACT, BIT_OF, type GateFact, type Opening } from "./gate.ts";
import { LiteralIndex } from "./literal-index.ts";
import { LEAP_COST, SearchedGroup } from "./searched-group.ts";
import { StartIndex } from "./start-index.ts";

/** Scanners and sets by what they search for. */
export interface Searchers {
  readonly scanners: BoundedCache<LiteralScanner>;
  readonly sets: BoundedCache<PatternSet>;
}

/** Patterns of a fact's first set, and of each later one: if an early rule matches, the later sets are not run. */
const FIRST_SET_PATTERNS = 32;
const NEXT_SET_PATTERNS = 128;

/** Patterns of a crowd: sets of twice as many make ever new states more often. */
const CROWD_ENTRIES = 32;
/** The latest message has this share, one in eight, of the average of what trying the leading rules first saves. */
const LATEST_SHARE: number = 1 / 8;
/** Units of the body for each place of a literal: where there are more places, a set takes less than trying rules around them. */
const UNITS_PER_PLACE = 200;
/** Units of the body that are searched for literals in the time that one place of a literal costs. */
const UNITS_PER_TRY = 100;
/** So few places always take less. */
const PLACES_MIN = 4;

/** Units of work of looking up a header field by name. */
const FIELD_FUEL = 4;

/** Collects the openings of rules on one fact; rules are added in the order of trial. */
export class FactIndex {
  /** Its bit in a rule's mask of facts. */
  readonly bit: number;
  /** All rules with an opening on the fact. */
  readonly rules: Rules = [];
  readonly #values = new Map<string, Rules>();
  /** A mask of the values' lengths, by their lower five bits. */
  #valueLengths = 0;
  readonly literals: LiteralIndex;
  readonly #starts = new StartIndex();
  readonly #groups: SearchedGroup[] = [];
  /** Of the body: all rules that are found by literals or patterns. They read a body that has many of the literals, or must be read anyway. */
  readonly #crowds: SearchedGroup[] = [];
  /** False once a crowd's set makes states more often than it uses them again; what a message pays then changes, as it does when a set is split. */
  #crowdsPay = true;
  /** So many entries of the first crowd are tried alone on the current text. */
  #tried = 0;
  /**
   * Average of what trying the leading rules alone first saves per message, or would save, in runs of a set. Later messages count more:
   * similar mail often arrives together.
   */
  #leadGain = 0;
  /** Cost of the last search of a body, without the leading rules, in runs of a set. */
  #searchCost = 0;
  /** The same, of the current search so far. */
  #costSoFar = 0;
  /** The groups that are run over it. */
  #active: readonly SearchedGroup[] = this.#groups;

  /** `searchers`: what was built for the same literals or patterns before. */
  constructor(
    readonly fact: GateFact,
    private readonly searchers: Searchers | null,
  ) {
    this.literals = new LiteralIndex(searchers?.scanners ?? null);
    this.bit = BIT_OF[fact];
  }

  add(rule: number, opening: Opening, matcher: SearchedPattern | null): void {
    if (this.rules.at(-1) !== rule) this.rules.push(rule);
    switch (opening.kind) {
      case "values":
        for (const value of opening.values) {
          pushTo(this.#values, value, rule);
          this.#valueLengths |= 1 << value.length;
        }
        return;
      case "literals":
        for (const literal of opening.literals) this.literals.add(rule, literal);
        break;
      case "starts":
        for (const literal of opening.literals) this.#starts.add(rule, literal);
        return;
      case "searched":
        this.#addTo(this.#groups, this.#setPatterns, rule, matcher!);
    }
    if (this.fact === "body") this.#addTo(this.#crowds, CROWD_ENTRIES, rule, matcher);
  }

  /** Patterns of the last group, at most. */
  get #setPatterns(): number {
    return this.#groups.length === 1 ? FIRST_SET_PATTERNS : NEXT_SET_PATTERNS;
  }

  /** Adds a rule to the last group, or to a new one if that has as many entries as it may. */
  #addTo(
    groups: SearchedGroup[],
    most: number,
    rule: number,
    matcher: SearchedPattern | null,
  ): void {
    if (groups.at(-1)?.add(rule, matcher, most) === true) return;
    const group = new SearchedGroup(this.searchers?.sets ?? null);
    group.add(rule, matcher, most);
    groups.push(group);
  }

  /** The first rule that the `nth` search of the current text can open; `Infinity` if there is none. */
  firstOf(nth: number): number {
    const [crowd] = this.#crowds;
    if (nth === 0 && crowd !== undefined) return crowd.firstFrom(this.#tried);
    const firstOfGroup =
      this.#active[Math.max(0, nth - 1)]?.firstFrom(0) ?? Number.POSITIVE_INFINITY;
    return nth > 0 ? firstOfGroup : Math.min(firstOfGroup, this.literals.first);
  }

  /** Opens the rules of the `nth` search: that for literals, or that of a group of patterns. */
  search(nth: number, text: string, found: Found): void {
    if (nth === 0) {
      if (!this.#searchLiterals(text, found)) this.#active = this.#crowds;
      return;
    }
    this.#costSoFar += 1;
    const group = this.#active[nth - 1]!;
    group.run(text, found);
    if (this.#crowds.includes(group)) this.#crowdsPay &&= group.isSettled;
  }

  /** Opens the rules of each literal that the text contains; false if reading the text by crowds takes less. */
  #searchLiterals(text: string, found: Found): boolean {
    const isOneCrowd = this.#crowds.length === 1 && this.#crowdsPay;
    if (isOneCrowd && this.#groups.some((group) => group.paysAsSet(found.before))) return false;
    const isOpened = this.literals.open(text, found, this.#placesMax(text.length));
    const places = this.literals.placesFound / (text.length + 1);
    this.#costSoFar += LEAP_COST * (1 + UNITS_PER_TRY * places);
    return isOpened;
  }

  #openValue(value: string, found: Found): void {
    // A new text has no hash yet: the length rules most texts out without one.
    if (((this.#valueLengths >>> value.length) & 1) === 0) return;
    const rules = this.#values.get(value.isWellFormed() ? value : value.toWellFormed());
    if (rules !== undefined) openAll(rules, found);
  }

  /** So many places of literals may be found in a text; with more, crowds are run. */
  #placesMax(units: number): number {
    const crowds = this.#crowds.length;
    if (!this.#crowds.some(({ hasPattern }) => hasPattern) || !this.#crowdsPay)
      return Number.POSITIVE_INFINITY;
    return PLACES_MIN + (crowds * units) / UNITS_PER_PLACE;
  }

  /** Opens the rules of the fact's value and of its start, and the first rules of a body if they are tried alone. */
  begin(text: string, found: Found, first: "alone" | "searched"): void {
    if (this.#values.size > 0) {
      this.#openValue(text, found);
      const user = this.fact === ALIAS_FACT ? userOf(text) : null;
      if (user !== null) this.#openValue(user, found);
    }
    this.#starts.open(text, found);
    this.literals.end();
    this.#active = this.#groups;
    const [crowd] = this.#crowds;
    this.#tried = 0;
    this.#costSoFar = 0;
    if (crowd === undefined || first === "searched") return;
    if (!crowd.isSingle && this.#leadGain <= 0) return;
    this.#tried = crowd.leads.count;
    crowd.openFirst(this.#tried, found);
  }

  /** Forgets the text; `decidedBy`: the rule that has decided its message, or `null`. */
  endBody(decidedBy: number | null): void {
    this.literals.end();
    if (this.#costSoFar > 0) this.#searchCost = this.#costSoFar;
    const [crowd] = this.#crowds;
    if (crowd === undefined) return;
    const { count, cost } = crowd.leads;
    const isLed = decidedBy !== null && decidedBy < crowd.firstFrom(count);
    const gain = isLed ? this.#searchCost - crowd.costBefore(decidedBy) : -cost;
    this.#leadGain += (gain - this.#leadGain) * LATEST_SHARE;
  }

  /** Opens all rules before `found.before` that the text opens. */
  openText(text: string, found: Found): void {
    this.begin(text, found, "searched");
    for (let nth = 0; this.firstOf(nth) < found.before; nth++) this.search(nth, text, found);
  }

  /** Opens the rules of each field name. */
  openFields(headers: ReadonlyMap<string, readonly string[]>, found: Found): void {
    const names = headers.size < this.#values.size ? headers : this.#values;
    if (!found.guard.take(FIELD_FUEL * names.size)) return;
    for (const name of names.keys()) if (headers.has(name)) this.#openValue(name, found);
  }
}
