/** Patterns of neighbouring rank that are looked for in one fact: together, or each alone where that takes less. */
import { leapsAlone } from "../../pattern/search/pattern-search.ts";
import { createPatternSet, type PatternSet } from "../../pattern/search/pattern-set.ts";
import type { BoundedCache } from "../config/pieces.ts";
import type { SearchedPattern } from "../rules/rule-type.ts";
import { type Found, openAll, type Rules } from "./found.ts";

/** Cost of trying a pattern alone, in runs of a set, if its starts or its literals rule out most places of a text. Looking for all literals costs about as much. */
export const LEAP_COST = 0.25;
/** The same, of a rule without a pattern: `body.contains` takes a fifth of that time in English, nine tenths in base64. */
const PLAIN_COST = 0.125;
/** Patterns are run together if trying each alone costs more. */
const SET_COST = 1.2;
/** Most that trying the leading entries alone may cost. */
const LEADING_COST = 1.25;
/** Once a rule is known to match, those before it are tried alone, in place of reading on, if they cost no more. */
const REST_COST = 1;

/** The first entries, which may be tried alone before anything else is searched. */
interface Leads {
  /** Number of entries. */
  readonly count: number;
  /** Cost of trying them all, in runs of a set. */
  readonly cost: number;
}

interface SearchedEntry {
  /** The rules that have the pattern, which is run once. */
  readonly rules: Rules;
  /** `null`: a rule without a pattern, which is always opened. */
  readonly matcher: SearchedPattern | null;
  /** Found when it is first asked for. */
  leaps?: boolean;
}

/** What trying all its rules alone costs. */
function costAlone(entry: SearchedEntry): number {
  const { rules, matcher } = entry;
  if (matcher === null) return PLAIN_COST;
  entry.leaps ??= leapsAlone(matcher.tree, matcher.required());
  return rules.length * (entry.leaps ? LEAP_COST : 1);
}

/** Its entries are in the order of their first rules. */
export class SearchedGroup {
  readonly #entries: SearchedEntry[] = [];
  /** By number of a pattern in the set: its entry. */
  readonly #entryOf: number[] = [];
  readonly #bySource = new Map<string, SearchedEntry>();
  #set: PatternSet | undefined;
  #leads: Leads | undefined;

  /** `sets`: made before, to be used again for the same patterns. */
  constructor(private readonly sets: BoundedCache<PatternSet> | null) {}

  /** Adds a rule, in the order of trial; false if that would make more entries than `most`. */
  add(rule: number, matcher: SearchedPattern | null, most: number): boolean {
    const known = matcher === null ? undefined : this.#bySource.get(matcher.source);
    if (known !== undefined) {
      known.rules.push(rule);
      return true;
    }
    if (this.#entries.length === most) return false;
    const entry: SearchedEntry = { rules: [rule], matcher };
    if (matcher !== null) {
      this.#entryOf.push(this.#entries.length);
      this.#bySource.set(matcher.source, entry);
    }
    this.#entries.push(entry);
    return true;
  }

  /** The first rule of the entries from the `nth` on; `Infinity` if there is none. */
  firstFrom(nth: number): number {
    return this.#entries[nth]?.rules[0] ?? Number.POSITIVE_INFINITY;
  }

  get isSingle(): boolean {
    return this.#entries.length === 1;
  }

  get hasPattern(): boolean {
    return this.#entryOf.length > 0;
  }

  /** Whether one automaton runs all patterns, and makes few new states. */
  get isSettled(): boolean {
    return this.#set?.isSettled ?? true;
  }

  /** How many of the first entries can be tried alone for `most`; those of rules from `before` on do not matter. */
  #affordable(most: number, before: number): number {
    let cost = 0;
    for (let nth = 0; ; nth++) {
      if (this.firstFrom(nth) >= before) return this.#entries.length;
      cost += costAlone(this.#entries[nth]!);
      if (cost > most) return nth;
    }
  }

  /** Whether running the patterns together takes less in this text than trying the rules before `before`. */
  paysAsSet(before: number): boolean {
    return this.#affordable(SET_COST, before) < this.#entries.length;
  }

  /** Found when it is first asked for. */
  get leads(): Leads {
    this.#leads ??= this.#findLeads();
    return this.#leads;
  }

  #findLeads(): Leads {
    const count = this.#affordable(LEADING_COST, Number.POSITIVE_INFINITY);
    return { count, cost: this.costBefore(this.firstFrom(count)) };
  }

  /** Cost of trying alone the entries of rules before `rule`. */
  costBefore(rule: number): number {
    let cost = 0;
    for (let nth = 0; this.firstFrom(nth) < rule; nth++) cost += costAlone(this.#entries[nth]!);
    return cost;
  }

  /** Opens the rules of the first entries. */
  openFirst(count: number, found: Found): void {
    for (let nth = 0; nth < count; nth++) openAll(this.#entries[nth]!.rules, found);
  }

  /** Opens the rules whose patterns occur, those without a pattern, and others that are tried alone sooner. */
  run(text: string, found: Found): void {
    if (found.guard.isSpent) return;
    if (!this.paysAsSet(found.before)) {
      this.openFirst(this.#entries.length, found);
      return;
    }
    this.#set ??= this.#createSet();
    if (found.stats !== null) found.stats.setsRun++;
    const few = this.#affordable(REST_COST, found.before);
    const endsSearch = (pattern: number): boolean => {
      const nth = this.#entryOf[pattern]!;
      return nth <= few && found.cannotFail(this.firstFrom(nth));
    };
    const occurring = this.#set.match(text, found.guard, endsSearch);
    const last = occurring.find(endsSearch);
    if (last !== undefined) {
      this.openFirst(this.#entryOf[last]! + 1, found);
      return;
    }
    for (const { rules, matcher } of this.#entries) if (matcher === null) openAll(rules, found);
    for (const pattern of occurring) openAll(this.#entries[this.#entryOf[pattern]!]!.rules, found);
  }

  #createSet(): PatternSet {
    const matchers = this.#entryOf.map((nth) => this.#entries[nth]!.matcher!);
    const create = (): PatternSet => createPatternSet(matchers.map(({ tree }) => tree));
    if (this.sets === null) return create();
    return this.sets.get(JSON.stringify(matchers.map(({ source }) => source)), create);
  }
}
