/** The plan of a domain's rules: which of them a message can match, without trying each. */
import type { FactName } from "../../facts/facts.ts";
import type { CompiledRule } from "../rules/compiled-rule.ts";
import type { RuleMatcher } from "../rules/rule-matcher.ts";
import { FactIndex, pushRule, type Searchers } from "./fact-index.ts";
import { GATE_FACTS, type Gate, type GateFact } from "./gate.ts";
import { PlanRun } from "./plan-run.ts";

/** Rules of neighbouring rank that are looked for together. They are identified by their place in the order of trial. */
export interface PlanPart {
  /** The place after that of its last rule. */
  readonly end: number;
  /** Rules that are tried without a search: those without a gate, and the first ones on the body. */
  readonly always: readonly number[];
  /** The first ones on the body, which are among these: they are tried in all their scopes. */
  readonly whole: readonly number[];
  /** Of all facts but the body, in the order in which they are searched. */
  readonly indexes: readonly FactIndex[];
  readonly body: FactIndex | null;
  /** By fact: rules that must be tried while it is unknown, though their openings do not name it. */
  readonly alsoNeeding: ReadonlyMap<FactName, readonly number[]>;
}

export interface RoutingPlan {
  /** The active rules. */
  readonly rules: readonly CompiledRule[];
  /** The rules by rank: if a rule of an early part matches, the later parts are not searched. */
  readonly parts: readonly PlanPart[];
  readonly run: PlanRun;
}

/** Rules on the body that are tried without a search, if they are the first: an early rule often matches. */
const ALWAYS_TRIED = 3;
/** Rules of a part that search texts: at first few, then more. */
const PART_RULES: readonly number[] = [32, 32, 256, Number.POSITIVE_INFINITY];

class PlanDraft implements PlanPart {
  end = 0;
  readonly always: number[] = [];
  readonly whole: number[] = [];
  readonly alsoNeeding = new Map<FactName, number[]>();
  readonly #byFact = new Map<GateFact, FactIndex>();
  readonly #searchers: Searchers | null;
  /** Rules that search texts. */
  searching = 0;

  constructor(searchers: Searchers | null) {
    this.#searchers = searchers;
  }

  get body(): FactIndex | null {
    return this.#byFact.get("body") ?? null;
  }

  get indexes(): FactIndex[] {
    return GATE_FACTS.flatMap((fact) => (fact === "body" ? [] : (this.#byFact.get(fact) ?? [])));
  }

  add(place: number, gate: Gate | null, { searches }: RuleMatcher): void {
    this.end = place + 1;
    if (gate === null) {
      this.always.push(place);
      return;
    }
    for (const opening of gate.openings) {
      this.#indexOf(opening.fact).add(place, opening, searches ?? null);
    }
    for (const fact of gate.alsoNeeds) pushRule(this.alsoNeeding, fact, place);
    if (gate.openings.some(({ kind }) => kind !== "values")) this.searching++;
  }

  #indexOf(fact: GateFact): FactIndex {
    const known = this.#byFact.get(fact);
    if (known !== undefined) return known;
    const added = new FactIndex(fact, this.#searchers);
    this.#byFact.set(fact, added);
    return added;
  }

  addWhole(place: number): void {
    this.end = place + 1;
    this.always.push(place);
    this.whole.push(place);
  }

  finish(): PlanPart {
    const { end, always, whole, indexes, body, alsoNeeding } = this;
    return { end, always, whole, indexes, body, alsoNeeding };
  }
}

function searchesBody(gate: Gate | null): boolean {
  return gate?.openings.some(({ fact }) => fact === "body") ?? false;
}

/** Makes what a plan makes with the first message that needs it, but for automata, which grow with each text. */
export function preparePlan({ parts }: RoutingPlan): void {
  for (const { indexes, body } of parts) {
    for (const { literals } of indexes) literals.prepare();
    body?.literals.prepare();
  }
}

/** `rules` are active and in the order of trial; `searchers` may have been built for an earlier plan. */
export function createPlan(
  rules: readonly CompiledRule[],
  searchers: Searchers | null,
): RoutingPlan {
  const drafts = [new PlanDraft(searchers)];
  let onBody = 0;
  for (const [place, { matcher }] of rules.entries()) {
    const gate = matcher.gate();
    const isOnBody = searchesBody(gate);
    const draft = drafts.at(-1)!;
    const isFirst = drafts.length === 1;
    if (isFirst && isOnBody) onBody++;
    const isFull =
      draft.searching >= PART_RULES[drafts.length - 1]! || (isFirst && onBody > ALWAYS_TRIED);
    if (isFull) drafts.push(new PlanDraft(searchers));
    const last = drafts.at(-1)!;
    if (isOnBody && drafts.length === 1) last.addWhole(place);
    else last.add(place, gate, matcher);
  }
  return { rules, parts: drafts.map((draft) => draft.finish()), run: new PlanRun(rules) };
}
