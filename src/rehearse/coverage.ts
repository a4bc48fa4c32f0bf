/** Which aliases, rules, scopes and CEL branches a set of messages reached. */
import type { CompiledRule } from "../routing/compile-rules.ts";
import type { RuleTraceEntry, Scope, TraceEntry } from "../routing/resolution.ts";
import { type Condition, conditionsOf, spanKey } from "./cel-conditions.ts";
import {
  aliasEntries,
  type RehearsedDomain,
  type RuleEntry,
  ruleEntries,
} from "./rehearsed-domain.ts";

export interface ScopeCoverage {
  readonly scope: Scope;
  /** Messages whose match was found in it. */
  readonly hits: number;
}

/** A condition of a CEL expression; within a macro each element that it was evaluated for counts. */
export interface ConditionCoverage extends Condition {
  readonly timesTrue: number;
  readonly timesFalse: number;
}

export interface EntryCoverage {
  readonly kind: "rule" | "alias";
  readonly id: string;
  /** Place in the configuration's `rules` or `aliases`. */
  readonly index: number;
  /** Messages that came to it, and messages it decided. */
  readonly tried: number;
  readonly hits: number;
  /** Of a regex rule. */
  readonly scopes: readonly ScopeCoverage[];
  /** Of a CEL rule. */
  readonly conditions: readonly ConditionCoverage[];
}

export interface Tally {
  readonly covered: number;
  readonly total: number;
}

export interface Coverage {
  /** What the domain routes by, in the order of trial; inactive rules cannot be hit and are left out. */
  readonly entries: readonly EntryCoverage[];
  readonly hits: Tally;
  readonly scopes: Tally;
  /** Two of each condition: true and false. */
  readonly branches: Tally;
  /** Of all three, 0 to 100; 100 where there is nothing to cover. */
  readonly percent: number;
}

interface Counter {
  tried: number;
  hits: number;
  readonly scopes: Map<Scope, number>;
  readonly trueAt: Map<string, number>;
  readonly falseAt: Map<string, number>;
}

function increase<Key>(counts: Map<Key, number>, key: Key, by: number = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function countEntry(counter: Counter, entry: TraceEntry): void {
  counter.tried++;
  if (entry.verdict === "matched") counter.hits++;
  if (entry.kind === "alias") return;
  if (entry.type === "regex") {
    const matched = entry.scopes.find(({ verdict }) => verdict === "matched");
    if (matched !== undefined && entry.verdict === "matched")
      increase(counter.scopes, matched.scope);
  }
  if (entry.type !== "cel") return;
  for (const { span, timesTrue, timesFalse } of entry.earlier ?? []) {
    increase(counter.trueAt, spanKey(span), timesTrue);
    increase(counter.falseAt, spanKey(span), timesFalse);
  }
  for (const { span, value } of entry.steps) {
    if (value === "true") increase(counter.trueAt, spanKey(span));
    if (value === "false") increase(counter.falseAt, spanKey(span));
  }
}

function tallyOf(covered: readonly boolean[]): Tally {
  return { covered: covered.filter(Boolean).length, total: covered.length };
}

/** Counts traces of `explain`, one after the other. */
export class CoverageCounter {
  readonly #rehearsed: RehearsedDomain;
  readonly #counters = new Map<string, Counter>();

  constructor(rehearsed: RehearsedDomain) {
    this.#rehearsed = rehearsed;
  }

  add(trace: readonly TraceEntry[]): void {
    for (const entry of trace) {
      if (entry.verdict === "unreached" || entry.verdict === "inactive") continue;
      countEntry(this.#counterOf(entry.id), entry);
    }
  }

  #counterOf(id: string): Counter {
    const known = this.#counters.get(id);
    if (known !== undefined) return known;
    const counter: Counter = {
      tried: 0,
      hits: 0,
      scopes: new Map(),
      trueAt: new Map(),
      falseAt: new Map(),
    };
    this.#counters.set(id, counter);
    return counter;
  }

  #ofRule(rule: CompiledRule, { index, config }: RuleEntry): EntryCoverage {
    const { tried, hits, scopes, trueAt, falseAt } = this.#counterOf(rule.id);
    const untried = rule.matcher.untried() as Pick<RuleTraceEntry, "type">;
    const listed = untried.type === "regex" ? (config.scopes as readonly Scope[]) : [];
    const conditions = untried.type === "cel" ? conditionsOf(String(config.expression)) : [];
    return {
      kind: "rule",
      id: rule.id,
      index,
      tried,
      hits,
      scopes: [...new Set(listed)].map((scope) => ({ scope, hits: scopes.get(scope) ?? 0 })),
      conditions: conditions.map(({ source, span, place }) => ({
        source,
        span,
        place,
        timesTrue: trueAt.get(spanKey(span)) ?? 0,
        timesFalse: falseAt.get(spanKey(span)) ?? 0,
      })),
    };
  }

  #entries(): readonly EntryCoverage[] {
    const { domain } = this.#rehearsed;
    if (domain.engine === "rules") {
      const written = new Map(ruleEntries(this.#rehearsed).map((entry) => [entry.id, entry]));
      return domain.rules
        .filter(({ active }) => active)
        .map((rule) => this.#ofRule(rule, written.get(rule.id)!));
    }
    if (domain.engine === null) return [];
    const places = new Map(aliasEntries(this.#rehearsed).map(({ id, index }) => [id, index]));
    return domain.aliases.map(({ id }) => {
      const { tried, hits } = this.#counterOf(id);
      const index = places.get(id)!;
      return { kind: "alias", id, index, tried, hits, scopes: [], conditions: [] };
    });
  }

  report(): Coverage {
    const entries = this.#entries();
    const hits = tallyOf(entries.map((entry) => entry.hits > 0));
    const scopes = tallyOf(entries.flatMap((entry) => entry.scopes.map((scope) => scope.hits > 0)));
    const branches = tallyOf(
      entries.flatMap((entry) =>
        entry.conditions.flatMap(({ timesTrue, timesFalse }) => [timesTrue > 0, timesFalse > 0]),
      ),
    );
    const total = hits.total + scopes.total + branches.total;
    const covered = hits.covered + scopes.covered + branches.covered;
    const percent = total === 0 ? 100 : (100 * covered) / total;
    return { entries, hits, scopes, branches, percent };
  }
}
