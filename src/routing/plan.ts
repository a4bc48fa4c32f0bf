/** The plan of a domain's rules: which of them a message can match, without trying each. */
import type { FactName } from "../mail/facts.ts";
import { Budget } from "./budget.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import { FactIndex, type Searchers } from "./fact-index.ts";
import { GATE_FACTS, type Gate, type GateFact, isUnknown } from "./gate.ts";
import type { MessageView } from "./message-view.ts";
import { PlanRun } from "./plan-run.ts";
import { isRegex } from "./regex-rule.ts";
import type { RuleMatcher } from "./rule-matcher.ts";
import type { OpenGates } from "./trial.ts";

/** Rules stand by their place in the order of trial. */
export interface Plan {
  /** The active ones. */
  readonly rules: readonly CompiledRule[];
  /** Those that no gate shuts. */
  readonly always: readonly number[];
  /** In the order in which they are looked through. */
  readonly indexes: readonly FactIndex[];
  /** Those that must be tried while a fact is unknown that their openings do not name. */
  readonly alsoNeeding: readonly (readonly [FactName, readonly number[]])[];
  readonly run: PlanRun;
}

interface Draft {
  readonly always: number[];
  readonly indexes: Map<GateFact, FactIndex>;
  readonly alsoNeeding: Map<FactName, number[]>;
  readonly factsOf: Uint8Array;
}

function addGate(
  { indexes, alsoNeeding, factsOf }: Draft,
  place: number,
  { openings, alsoNeeds }: Gate,
  matcher: RuleMatcher,
  searchers: Searchers | null,
): void {
  for (const opening of openings) {
    const { fact } = opening;
    const index = indexes.get(fact) ?? new FactIndex(fact, searchers);
    indexes.set(fact, index);
    index.add(place, opening, isRegex(matcher) ? matcher : null);
    factsOf[place]! |= index.bit;
  }
  for (const fact of alsoNeeds) {
    const needing = alsoNeeding.get(fact);
    if (needing === undefined) alsoNeeding.set(fact, [place]);
    else needing.push(place);
  }
}

/** `rules` are active and in the order of trial; `searchers` may have been built for an earlier plan. */
export function createPlan(rules: readonly CompiledRule[], searchers: Searchers | null): Plan {
  const draft: Draft = {
    always: [],
    indexes: new Map(),
    alsoNeeding: new Map(),
    factsOf: new Uint8Array(rules.length),
  };
  rules.forEach(({ matcher }, place) => {
    const gate = matcher.gate();
    if (gate === null) draft.always.push(place);
    else addGate(draft, place, gate, matcher, searchers);
  });
  const { always, alsoNeeding, factsOf } = draft;
  const indexes = GATE_FACTS.flatMap((fact) => draft.indexes.get(fact) ?? []);
  return {
    rules,
    always,
    indexes,
    alsoNeeding: [...alsoNeeding],
    run: new PlanRun(rules, factsOf),
  };
}

/** All gates on one message, told before any rule is tried. Valid until the plan is used again. */
export function openGates({ indexes, rules, run }: Plan, message: MessageView): OpenGates {
  run.start(message, new Budget(0), null);
  for (const index of indexes) {
    if (isUnknown(message, index.fact)) run.unknown |= index.bit;
    else run.lookThroughAll(index);
  }
  run.takeOpened();
  const placeOf = new Map(rules.map((rule, place) => [rule, place]));
  const { unknown } = run;
  run.end();
  run.unknown = unknown;
  return {
    ruleGate: (rule) => run.gateOf(placeOf.get(rule)!),
    scopeIsOpen: (rule, scope) => run.scopeIsOpen(placeOf.get(rule)!, scope),
  };
}
