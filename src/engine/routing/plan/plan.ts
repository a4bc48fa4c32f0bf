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
  /** Of all facts but the body, in the order in which they are searched. */
  readonly indexes: readonly FactIndex[];
  /** Rules on the body, by rank: if an early rule matches, it is not searched for the later ones. */
  readonly bodies: readonly FactIndex[];
  /** By fact: rules that must be tried while it is unknown, though their openings do not name it. */
  readonly alsoNeeding: readonly (readonly [FactName, readonly number[]])[];
  readonly run: PlanRun;
}

/** Rules on the body that are searched for together: at first few, then more. */
const BODY_RULES: readonly number[] = [32, 256, Number.POSITIVE_INFINITY];

interface Draft {
  readonly always: number[];
  readonly indexes: Map<GateFact, FactIndex>;
  readonly bodies: FactIndex[];
  readonly alsoNeeding: Map<FactName, number[]>;
}

/** The index that a rule on `fact` belongs in. */
function indexOf(
  { indexes, bodies }: Draft,
  fact: GateFact,
  searchers: Searchers | null,
): FactIndex {
  const index = fact === "body" ? bodies.at(-1) : indexes.get(fact);
  const rulesMax = fact === "body" ? BODY_RULES[bodies.length - 1]! : Number.POSITIVE_INFINITY;
  if (index !== undefined && index.rules.length < rulesMax) return index;
  const added = new FactIndex(fact, searchers);
  if (fact === "body") bodies.push(added);
  else indexes.set(fact, added);
  return added;
}

function addGate(
  draft: Draft,
  place: number,
  { openings, alsoNeeds }: Gate,
  matcher: RuleMatcher,
  searchers: Searchers | null,
): void {
  for (const opening of openings) {
    indexOf(draft, opening.fact, searchers).add(place, opening, matcher.searches ?? null);
  }
  const { alsoNeeding } = draft;
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
    bodies: [],
    alsoNeeding: new Map(),
  };
  rules.forEach(({ matcher }, place) => {
    const gate = matcher.gate();
    if (gate === null) draft.always.push(place);
    else addGate(draft, place, gate, matcher, searchers);
  });
  const { always, bodies, alsoNeeding } = draft;
  const indexes = GATE_FACTS.flatMap((fact) => draft.indexes.get(fact) ?? []);
  return {
    rules,
    always,
    indexes,
    bodies,
    alsoNeeding: [...alsoNeeding],
    run: new PlanRun(rules),
  };
}
