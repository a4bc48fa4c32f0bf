/** For one fact, finds the rules that its text opens: by its value, by its literals, by patterns that run together. */
import type { LiteralScanner } from "../../pattern/search/literal-scanner.ts";
import { leapsOver, soughtStart } from "../../pattern/search/pattern-search.ts";
import { createPatternSet, type PatternSet } from "../../pattern/search/pattern-set.ts";
import type { Share } from "../../pattern/syntax/start-expression.ts";
import type { BoundedCache } from "../config/pieces.ts";
import { userOf } from "../message-view.ts";
import type { SearchedPattern } from "../rules/rule-matcher.ts";
import { type Found, openAll, pushTo, type Rules } from "./found.ts";
import { ALIAS_FACT, BIT_OF, type GateFact, type Opening } from "./gate.ts";
import { LiteralIndex } from "./literal-index.ts";
import { StartIndex } from "./start-index.ts";

/** Scanners and sets by what they search for. */
export interface Searchers {
  readonly scanners: BoundedCache<LiteralScanner>;
  readonly sets: BoundedCache<PatternSet>;
}

/** What a pattern takes alone for each of its rules, as a part of what a set takes, if the host can leap over some of the text. */
const LEAP_COST = 0.25;
/** Patterns are run together if this costs no more than running each alone. */
const SET_COST = 1.2;

/** Patterns of a fact's first set, and of each later one: if an early rule matches, the later sets are not run. */
const FIRST_SET_PATTERNS = 32;
const NEXT_SET_PATTERNS = 128;

/** Rules that literals open, of which a set is made where the body has many of the literals. */
const CROWD_RULES = 32;
/** Units of the body for each place of a literal: where there are more places, a set takes less than trying rules around them. */
const UNITS_PER_PLACE = 200;
/** So few places always take less. */
const PLACES_MIN = 4;

/** Rules of neighbouring rank whose patterns are run together. */
interface SearchedGroup {
  /** The first of its rules. */
  readonly first: number;
  readonly patterns: SearchedPattern[];
  /** The rules of each pattern. */
  readonly rules: Rules[];
  set: PatternSet | undefined;
  /** Rules without a pattern, which are opened with them. */
  readonly others: Rules;
  /** What the host cannot leap over, by pattern; found when they are first run. */
  shares: readonly (Share | null)[] | undefined;
}

/** The last group, or a new one for a rule if that has as many rules as it may. */
function openGroup(groups: SearchedGroup[], most: number, rule: number): SearchedGroup {
  const last = groups.at(-1);
  if (last !== undefined && last.patterns.length + last.others.length < most) return last;
  const shares = undefined;
  const group = { first: rule, patterns: [], rules: [], others: [], set: undefined, shares };
  groups.push(group);
  return group;
}

/** Whether running them together is cheaper in this text. */
function paysAsSet(group: SearchedGroup, text: string): boolean {
  const { patterns, rules } = group;
  if (patterns.length * LEAP_COST >= SET_COST) return true;
  group.shares ??= patterns.map(({ tree }) => soughtStart(tree)?.share ?? null);
  let cost = 0;
  for (const [nth, share] of group.shares.entries()) {
    cost += rules[nth]!.length * (leapsOver(text, share) ? LEAP_COST : 1);
  }
  return cost >= SET_COST;
}

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
  /** By the source of a pattern: its rules. */
  readonly #searchedRules = new Map<string, Rules>();
  readonly #groups: SearchedGroup[] = [];
  /** Of the body: the rules that literals open. They are run, too, if the text has too many of the literals. */
  readonly #crowds: SearchedGroup[] = [];
  /** False once a crowd's set makes states more often than it uses them again; what a message pays then changes, as it does when a set is split. */
  #crowdsPay = true;
  /** The groups that are run over the current text, by their first rules. */
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
        if (this.fact === "body") this.#addToCrowd(rule, matcher);
        return;
      case "starts":
        for (const literal of opening.literals) this.#starts.add(rule, literal);
        return;
      case "searched":
        this.#addSearched(rule, matcher!);
    }
  }

  #addToCrowd(rule: number, matcher: SearchedPattern | null): void {
    const crowd = openGroup(this.#crowds, CROWD_RULES, rule);
    if (matcher === null) {
      crowd.others.push(rule);
      return;
    }
    crowd.patterns.push(matcher);
    crowd.rules.push([rule]);
  }

  #addSearched(rule: number, matcher: SearchedPattern): void {
    const known = this.#searchedRules.get(matcher.source);
    if (known !== undefined) {
      known.push(rule);
      return;
    }
    const rules = [rule];
    this.#searchedRules.set(matcher.source, rules);
    const most = this.#groups.length === 1 ? FIRST_SET_PATTERNS : NEXT_SET_PATTERNS;
    const group = openGroup(this.#groups, most, rule);
    group.patterns.push(matcher);
    group.rules.push(rules);
  }

  #createSet({ patterns }: SearchedGroup): PatternSet {
    const create = (): PatternSet => createPatternSet(patterns.map(({ tree }) => tree));
    if (this.searchers === null) return create();
    const key = JSON.stringify(patterns.map(({ source }) => source));
    return this.searchers.sets.get(key, create);
  }

  /** The first rule that the `nth` group of patterns can open; `Infinity` if there are no more groups. */
  firstSearched(nth: number): number {
    return this.#active[nth]?.first ?? Number.POSITIVE_INFINITY;
  }

  /** Runs the patterns of the `nth` group, and opens the rules of those that occur. A cheap group opens all its rules. */
  runSearched(nth: number, text: string, found: Found): void {
    if (found.guard.isSpent) return;
    const group = this.#active[nth]!;
    openAll(group.others, found);
    if (!paysAsSet(group, text)) {
      for (const rules of group.rules) openAll(rules, found);
      return;
    }
    group.set ??= this.#createSet(group);
    if (found.stats !== null) found.stats.setsRun++;
    for (const id of group.set.match(text, found.guard)) openAll(group.rules[id]!, found);
    if (this.#crowds.includes(group)) this.#crowdsPay &&= group.set.isSettled;
  }

  #openValue(value: string, found: Found): void {
    // A new text has no hash yet: the length rules most texts out without one.
    if (((this.#valueLengths >>> value.length) & 1) === 0) return;
    const rules = this.#values.get(value.isWellFormed() ? value : value.toWellFormed());
    if (rules !== undefined) openAll(rules, found);
  }

  /** So many places of literals may be found; with more, crowds are run. */
  #placesMax(text: string): number {
    const crowds = this.#crowds.length;
    if (crowds === 0 || !this.#crowdsPay) return Number.POSITIVE_INFINITY;
    return PLACES_MIN + (crowds * text.length) / UNITS_PER_PLACE;
  }

  /** Opens the rules of the fact's value, and of each literal that it contains. */
  openText(text: string, found: Found): void {
    if (this.#values.size > 0) {
      this.#openValue(text, found);
      const user = this.fact === ALIAS_FACT ? userOf(text) : null;
      if (user !== null) this.#openValue(user, found);
    }
    this.#starts.open(text, found);
    const isOpen = this.literals.open(text, found, this.#placesMax(text));
    this.#active = isOpen
      ? this.#groups
      : [...this.#groups, ...this.#crowds].sort((a, b) => a.first - b.first);
  }

  /** Opens the rules of each field name. */
  openFields(headers: ReadonlyMap<string, readonly string[]>, found: Found): void {
    const names = Math.min(headers.size, this.#values.size);
    if (!found.guard.take(FIELD_FUEL * names)) return;
    if (names === headers.size) {
      for (const name of headers.keys()) this.#openValue(name, found);
      return;
    }
    for (const name of this.#values.keys()) if (headers.has(name)) this.#openValue(name, found);
  }
}
