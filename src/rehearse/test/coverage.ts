/** Which aliases, rules, scopes and CEL branches a set of messages reached. */

import type { TraceEntry } from "../../engine/routing/explain.ts";
import type { Scope } from "../../engine/routing/resolution.ts";
import type { CompiledRule } from "../../engine/routing/rules/compiled-rule.ts";
import { type Condition, spanKey } from "../cel-conditions.ts";
import {
  aliasEntries,
  type RehearsedDomain,
  type RuleEntry,
  ruleEntries,
} from "../rehearsed-domain.ts";
import type { Reached } from "../rules/rule-tools.ts";
import { toolsOf, toolsOfType } from "../rules/tools-table.ts";

/** Whether a regex rule matched in a scope. */
export interface ScopeCoverage {
  readonly scope: Scope;
  /** Messages in which the match was found in this scope. */
  readonly hits: number;
}

/** Coverage of a condition of a CEL expression; inside a macro, each element it was evaluated for counts. */
export interface ConditionCoverage extends Condition {
  readonly timesTrue: number;
  readonly timesFalse: number;
}

/** Whether an alias or rule was reached and matched. */
export interface EntryCoverage {
  readonly kind: "rule" | "alias";
  readonly id: string;
  /** Index in the configuration's `rules` or `aliases`. */
  readonly index: number;
  /** Messages that reached it, and messages that it decided. */
  readonly tried: number;
  readonly hits: number;
  /** For a regex rule. */
  readonly scopes: readonly ScopeCoverage[];
  /** For a CEL rule. */
  readonly conditions: readonly ConditionCoverage[];
}

export interface CoverageTally {
  readonly covered: number;
  readonly total: number;
}

/** Which parts of a domain the tests reached. */
export interface Coverage {
  /** The entries that the domain routes by, in the order of trial, without inactive rules, which cannot be hit. */
  readonly entries: readonly EntryCoverage[];
  readonly hits: CoverageTally;
  readonly scopes: CoverageTally;
  /** Two for each condition: true and false. */
  readonly branches: CoverageTally;
  /** Of all three, 0 to 100; 100 if there is nothing to cover. */
  readonly percent: number;
}

interface Counter extends Reached {
  tried: number;
  hits: number;
}

function isUntried({ verdict }: TraceEntry): boolean {
  return verdict === "unreached" || verdict === "inactive" || verdict === "over-budget";
}

function countEntry(counter: Counter, entry: TraceEntry): void {
  counter.tried++;
  if (entry.verdict === "matched") counter.hits++;
  toolsOf(entry).count(entry, counter);
}

function tallyOf(covered: readonly boolean[]): CoverageTally {
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
      if (isUntried(entry)) continue;
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
    const { scopes: listed, conditions } = toolsOfType(rule.type.type).parts(config);
    return {
      kind: "rule",
      id: rule.id,
      index,
      tried,
      hits,
      scopes: listed.map((scope) => ({ scope, hits: scopes.get(scope) ?? 0 })),
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
