/** `compareAll`: whether two versions of a domain treat every message alike, and messages that they treat differently. */

import { type Outcome, outcomeOf, sameOutcome } from "../outcome.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import { AtomTable, and, formulaKey, not } from "./formula/formula.ts";
import { type Ladder, ladderOf, type Owner, ownerKey, type Rung } from "./ladder.ts";
import {
  decisionOn,
  inOneText,
  type Message,
  messageOf,
  readFacts,
} from "./message/witness-message.ts";
import type { Written } from "./message/write-message.ts";
import { type ProofOptions, readStatesMax } from "./prove.ts";
import { deciderOf } from "./prover.ts";
import { notShown } from "./reach.ts";
import { inSlices, type Sliced } from "./slices.ts";
import { Solver } from "./solve/solve.ts";
import type { Meter } from "./text/find-text.ts";

/** A message that goes another way; one for each pair of old and new decider. */
export interface Difference {
  readonly from: Owner;
  readonly to: Owner;
  readonly before: Outcome;
  readonly after: Outcome;
  readonly message: Message;
}

/** A pair of deciders for which it is unknown whether some message goes from one to the other, and another way. */
export interface OpenPair {
  readonly from: Owner;
  readonly to: Owner;
  readonly why: string;
}

/** The result of `compareAll`. */
export interface FullComparison {
  /** `equal` is proved; `different` has differences; `unknown` is neither. */
  readonly verdict: "equal" | "different" | "unknown";
  readonly differences: readonly Difference[];
  readonly open: readonly OpenPair[];
}

/** The first rung of each condition. */
function placesOf({ rungs }: Ladder): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, { takes }] of rungs.entries()) {
    const key = formulaKey(takes);
    if (!places.has(key)) places.set(key, index);
  }
  return places;
}

/** One version, with the entries found to take messages before the rung in question. */
interface Side {
  readonly ladder: Ladder;
  readonly rung: number;
  readonly earlier: Map<string, Owner>;
}

function sideOf(ladder: Ladder, rung: number): Side {
  return { ladder, rung, earlier: new Map() };
}

function before({ ladder, rung }: Side): readonly Rung[] {
  return ladder.rungs.slice(0, rung);
}

function formulaOf(side: Side): ReturnType<typeof and> {
  const taken = before(side).filter(({ owner }) => side.earlier.has(ownerKey(owner)));
  return and(side.ladder.rungs[side.rung]!.takes, ...taken.map(({ takes }) => not(takes)));
}

/** Notes what took a message: the rung in question, an earlier entry not yet noted, or neither. */
function note(side: Side, decider: Owner): "asked" | "earlier" | "stuck" {
  const key = ownerKey(decider);
  if (key === ownerKey(side.ladder.rungs[side.rung]!.owner)) return "asked";
  const isNew = !side.earlier.has(key) && before(side).some(({ owner }) => ownerKey(owner) === key);
  if (isNew) side.earlier.set(key, decider);
  return isNew ? "earlier" : "stuck";
}

class Comparer {
  readonly #ladders: readonly [Ladder, Ladder];
  readonly #solver: Solver;
  readonly differences = new Map<string, Difference>();
  readonly open = new Map<string, OpenPair>();

  constructor(ladders: readonly [Ladder, Ladder], atoms: AtomTable) {
    this.#ladders = ladders;
    this.#solver = new Solver(atoms);
  }

  /** Pairs of rungs that may decide the same message in the two versions, with outcomes that may differ. */
  *pairs(): Generator<readonly [number, number]> {
    const [old, changed] = this.#ladders;
    const [inOld, inChanged] = [placesOf(old), placesOf(changed)];
    const keys = changed.rungs.map(({ takes }) => formulaKey(takes));
    for (const [from, rung] of old.rungs.entries()) {
      const key = formulaKey(rung.takes);
      if (inOld.get(key)! < from) continue;
      const last = Math.min(
        inChanged.get(key) ?? Number.POSITIVE_INFINITY,
        changed.rungs.length - 1,
      );
      for (let to = 0; to <= last; to++) {
        if (changed.rungs[to]!.outcome === rung.outcome) continue;
        if ((inOld.get(keys[to]!) ?? from) >= from) yield [from, to];
      }
    }
  }

  *compare([from, to]: readonly [number, number], meter: Meter): Sliced<void> {
    const sides = [sideOf(this.#ladders[0], from), sideOf(this.#ladders[1], to)] as const;
    const [one, other] = sides.map(({ ladder, rung }) => ladder.rungs[rung]!.owner) as [
      Owner,
      Owner,
    ];
    const pair = `${ownerKey(one)} ${ownerKey(other)}`;
    const leaveOpen = (why: string): void => {
      this.open.set(pair, { from: one, to: other, why });
    };
    while (!this.differences.has(pair)) {
      const found = yield* this.#solver.solve(and(...sides.map(formulaOf)), meter);
      if (found.kind === "unsatisfiable") return;
      if (found.kind === "unknown") return leaveOpen(found.why);
      const message = messageOf(found.model, sides[0].ladder.domain);
      if (message === null) return leaveOpen("a message that shows it would be too large");
      const notes = yield* this.#tryOn(message, sides);
      if (notes.every((each) => each === "asked") || notes.includes("stuck")) {
        if (!this.differences.has(pair)) leaveOpen(notShown(found.model.open));
        return;
      }
      yield;
    }
  }

  /** Resolves a message in both versions, and keeps it if the results differ. */
  *#tryOn(
    message: Written,
    sides: readonly [Side, Side],
  ): Sliced<readonly ("asked" | "earlier" | "stuck")[]> {
    const facts = yield* readFacts(message);
    const decisions = sides.map(({ ladder }) => decisionOn(ladder.domain, facts));
    if (decisions.some(({ reason }) => reason === "over-budget")) return ["stuck"];
    const [from, to] = decisions.map(deciderOf) as [Owner, Owner];
    const [earlier, now] = decisions.map(outcomeOf) as [Outcome, Outcome];
    const key = `${ownerKey(from)} ${ownerKey(to)}`;
    if (!sameOutcome(earlier, now) && !this.differences.has(key)) {
      this.differences.set(key, {
        from,
        to,
        before: earlier,
        after: now,
        message: inOneText(message),
      });
    }
    return [note(sides[0], from), note(sides[1], to)];
  }
}

/** Budget of all pairs together, as a multiple of the budget of one. */
const PAIRS_AT_FULL_BUDGET = 40;

export function* compareSteps(
  old: RehearsedDomain,
  changed: RehearsedDomain,
  statesMax: number,
): Sliced<FullComparison> {
  const atoms = new AtomTable();
  const ladders = [yield* ladderOf(old, atoms), yield* ladderOf(changed, atoms)] as const;
  const comparer = new Comparer(ladders, atoms);
  let left = statesMax * PAIRS_AT_FULL_BUDGET;
  for (const pair of comparer.pairs()) {
    const given = Math.min(statesMax, left);
    const meter: Meter = { left: given };
    yield* comparer.compare(pair, meter);
    left -= given - Math.max(0, meter.left);
    yield;
  }
  const differences = [...comparer.differences.values()];
  const open = [...comparer.open]
    .filter(([key]) => !comparer.differences.has(key))
    .map(([, pair]) => pair);
  const verdict = differences.length > 0 ? "different" : open.length > 0 ? "unknown" : "equal";
  return { verdict, differences, open };
}

/**
 * Compares what two versions of a domain do with all messages. `equal` is a proof that every message goes the same
 * way; each difference has a message that was resolved in both. Runs in slices; throws on invalid options, and on
 * versions of two different domains.
 */
export async function compareAll(
  old: RehearsedDomain,
  changed: RehearsedDomain,
  options: ProofOptions = {},
): Promise<FullComparison> {
  const statesMax = readStatesMax(options);
  if (old.domain.name !== changed.domain.name) {
    throw new TypeError(
      `\`${old.domain.name}\` and \`${changed.domain.name}\` are different domains: compare two versions of one`,
    );
  }
  return inSlices(compareSteps(old, changed, statesMax), options);
}
