/** The plan of a domain's rules: which of them a message can match, without trying each. */
import type { FactName } from "../../facts/facts.ts";
import { orbitOf } from "../../pattern/syntax/case-orbits.ts";
import type { RequiredLiteral } from "../../pattern/syntax/required-literals.ts";
import type { CompiledRule } from "../rules/compiled-rule.ts";
import type { RuleMatcher } from "../rules/rule-type.ts";
import { FactIndex, type Searchers } from "./fact-index.ts";
import { pushTo } from "./found.ts";
import { GATE_FACTS, type Gate, type GateFact, type Opening } from "./gate.ts";
import { PlanRun } from "./plan-run.ts";

/** A rule in its place. */
interface PlacedRule {
  readonly place: number;
  readonly matcher: RuleMatcher;
  readonly gate: Gate | null;
}

/** Rules of neighbouring rank that are looked for together. They are identified by their place in the order of trial. */
export interface PlanPart {
  /** By fact: the rules of its index. */
  readonly members: ReadonlyMap<GateFact, readonly PlacedRule[]>;
  /** The place after that of its last rule. */
  readonly end: number;
  /** Rules without a gate, which are always tried. */
  readonly always: readonly number[];
  /** Of all facts but the body, in the order in which they are searched. */
  readonly indexes: readonly FactIndex[];
  readonly body: FactIndex | null;
  /** By fact: rules that must be tried while it is unknown, though their openings do not name it. */
  readonly alsoNeeding: ReadonlyMap<FactName, readonly number[]>;
}

export interface RoutingPlan {
  /** By place. */
  readonly placed: readonly PlacedRule[];
  /** The rules by rank: if a rule of an early part matches, the later parts are not searched. */
  readonly parts: readonly PlanPart[];
  readonly run: PlanRun;
}

/** Rules of a part that search texts: at first few, then more. */
const PART_RULES: readonly number[] = [32, 128, 1_024, Number.POSITIVE_INFINITY];
/** Each rule of the first part that searches something else than the body alone counts as so many: it is searched for in any case. */
const FIRST_WEIGHT = 2;

function areSame(one: readonly PlacedRule[], other: readonly PlacedRule[] | undefined): boolean {
  return one.length === other?.length && one.every((rule, nth) => rule === other[nth]);
}

class PlanDraft {
  #end = 0;
  readonly #always: number[] = [];
  readonly #alsoNeeding = new Map<FactName, number[]>();
  readonly #members = new Map<GateFact, PlacedRule[]>();
  /** Rules that search texts: those that search the body alone, and others. */
  onBody = 0;
  others = 0;

  add(rule: PlacedRule): void {
    const { place, gate } = rule;
    this.#end = place + 1;
    if (gate === null) {
      this.#always.push(place);
      return;
    }
    for (const fact of new Set(gate.openings.map(({ fact }) => fact))) {
      pushTo(this.#members, fact, rule);
    }
    for (const fact of gate.alsoNeeds) pushTo(this.#alsoNeeding, fact, place);
    if (gate.openings.every(({ kind }) => kind === "values")) return;
    if (gate.openings.every(({ fact }) => fact === "body")) this.onBody++;
    else this.others++;
  }

  /** `earlier`: a part whose indexes serve again where they are made of the same rules. */
  finish(searchers: Searchers | null, earlier: PlanPart | undefined): PlanPart {
    const indexOf = (fact: GateFact): FactIndex | null => {
      const members = this.#members.get(fact);
      if (members === undefined) return null;
      if (areSame(members, earlier?.members.get(fact))) {
        return fact === "body" ? earlier!.body : earlier!.indexes.find((one) => one.fact === fact)!;
      }
      const index = new FactIndex(fact, searchers);
      for (const { place, matcher, gate } of members) {
        for (const opening of gate!.openings) {
          if (opening.fact === fact) index.add(place, opening, matcher.searches ?? null);
        }
      }
      return index;
    };
    return {
      members: this.#members,
      end: this.#end,
      always: this.#always,
      indexes: GATE_FACTS.flatMap((fact) => (fact === "body" ? [] : (indexOf(fact) ?? []))),
      body: indexOf("body"),
      alsoNeeding: this.#alsoNeeding,
    };
  }
}

/** Makes what a plan makes with the first message that needs it, but for automata, which grow with each text. */
export function preparePlan({ parts }: RoutingPlan): void {
  for (const { indexes, body } of parts) {
    for (const { literals } of indexes) literals.prepare();
    body?.literals.prepare();
  }
}

/** Whether an index finds the character, which it compares unit by unit: it is not half of one, nor, where case does not count, one beyond U+FFFF that folds. */
function isFound(character: string, fold: boolean): boolean {
  const code = character.codePointAt(0)!;
  if (code > 0xffff) return !fold || orbitOf(code).length === 1;
  return character.isWellFormed();
}

/** The longest part of a literal that an index finds, or the part with which a start begins; maybe empty. */
function foundPart(literal: RequiredLiteral, kind: "literals" | "starts"): RequiredLiteral {
  const { text, fold } = literal;
  if (!/[\ud800-\udfff]/.test(text)) return literal;
  const parts = [""];
  for (const character of text) {
    if (isFound(character, fold)) parts[parts.length - 1] += character;
    else parts.push("");
  }
  if (parts.length === 1) return literal;
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best));
  return { text: kind === "starts" ? parts[0]! : longest, fold };
}

function foundOpening(opening: Opening): Opening {
  if (!("literals" in opening)) return opening;
  const { kind, literals } = opening;
  const parts = literals.map((literal) => foundPart(literal, kind));
  return parts.every((part, nth) => part === literals[nth])
    ? opening
    : { ...opening, literals: parts };
}

/**
 * A gate with openings that indexes find. Only a pattern can be searched for, and an empty text is in every text: a rule of a host that is
 * open there is always tried.
 */
function gateOf(matcher: RuleMatcher): Gate | null {
  const gate = matcher.gate();
  if (gate === null) return null;
  const openings = gate.openings.map(foundOpening);
  const isAlwaysOpen = (opening: Opening): boolean =>
    "literals" in opening
      ? opening.literals.some(({ text }) => text === "")
      : opening.kind === "searched" && matcher.searches === undefined;
  if (openings.some(isAlwaysOpen)) return null;
  return openings.every((one, nth) => one === gate.openings[nth]) ? gate : { ...gate, openings };
}

/**
 * `rules` are active and in the order of trial; `searchers` may have been built for another plan, `earlier` is one of which most
 * rules may be the same.
 */
export function createPlan(
  rules: readonly CompiledRule[],
  searchers: Searchers | null,
  earlier: RoutingPlan | null,
): RoutingPlan {
  const placed = rules.map(({ matcher }, place): PlacedRule => {
    const known = earlier?.placed[place];
    return known?.matcher === matcher ? known : { place, matcher, gate: gateOf(matcher) };
  });
  const drafts = [new PlanDraft()];
  for (const rule of placed) {
    const { onBody, others } = drafts.at(-1)!;
    const weight = drafts.length === 1 ? FIRST_WEIGHT : 1;
    if (onBody + weight * others >= PART_RULES[drafts.length - 1]!) drafts.push(new PlanDraft());
    drafts.at(-1)!.add(rule);
  }
  const parts = drafts.map((draft, nth) => draft.finish(searchers, earlier?.parts[nth]));
  const turn = earlier?.run.turn ?? { isTaken: false };
  return { placed, parts, run: new PlanRun(rules, turn) };
}
