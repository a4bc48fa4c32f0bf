/** The plan of a domain's rules: which of them a message can match, without trying each. */
import type { FactName } from "../../facts/facts.ts";
import type { CompiledRule } from "../rules/compiled-rule.ts";
import type { RuleMatcher } from "../rules/rule-matcher.ts";
import { FactIndex, type Searchers } from "./fact-index.ts";
import { GATE_FACTS, type Gate, type GateFact } from "./gate.ts";
import { PlanRun } from "./plan-run.ts";

/** Rules are identified by their place in the order of trial. */
export interface RoutingPlan {
  /** The active rules. */
  readonly rules: readonly CompiledRule[];
  /** Rules without a gate. */
  readonly always: readonly number[];
  /** In the order in which they are searched. */
  readonly indexes: readonly FactIndex[];
  /** By fact: rules that must be tried while it is unknown, though their openings do not name it. */
  readonly alsoNeeding: readonly (readonly [FactName, readonly number[]])[];
  readonly run: PlanRun;
}

interface Draft {
  readonly always: number[];
  readonly indexes: Map<GateFact, FactIndex>;
  readonly alsoNeeding: Map<FactName, number[]>;
}

function addGate(
  { indexes, alsoNeeding }: Draft,
  place: number,
  { openings, alsoNeeds }: Gate,
  matcher: RuleMatcher,
  searchers: Searchers | null,
): void {
  for (const opening of openings) {
    const { fact } = opening;
    const index = indexes.get(fact) ?? new FactIndex(fact, searchers);
    indexes.set(fact, index);
    index.add(place, opening, matcher.searches ?? null);
  }
  for (const fact of alsoNeeds) {
    const needing = alsoNeeding.get(fact);
    if (needing === undefined) alsoNeeding.set(fact, [place]);
    else needing.push(place);
  }
}

/** `rules` are active and in the order of trial; `searchers` may have been built for an earlier plan. */
export function createPlan(
  rules: readonly CompiledRule[],
  searchers: Searchers | null,
): RoutingPlan {
  const draft: Draft = {
    always: [],
    indexes: new Map(),
    alsoNeeding: new Map(),
  };
  rules.forEach(({ matcher }, place) => {
    const gate = matcher.gate();
    if (gate === null) draft.always.push(place);
    else addGate(draft, place, gate, matcher, searchers);
  });
  const { always, alsoNeeding } = draft;
  const indexes = GATE_FACTS.flatMap((fact) => draft.indexes.get(fact) ?? []);
  return {
    rules,
    always,
    indexes,
    alsoNeeding: [...alsoNeeding],
    run: new PlanRun(rules),
  };
}
