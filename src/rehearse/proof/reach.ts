/** Whether a message can reach an alias, a rule or the end: gives a message that does, or a proof that none can. */
import { and, type Formula, not } from "./formula/formula.ts";
import { type Ladder, type Owner, ownerKey } from "./ladder.ts";
import {
  decisionOn,
  inOneText,
  type Message,
  messageOf,
  readFacts,
} from "./message/witness-message.ts";
import { deciderOf, type Prover } from "./prover.ts";
import type { Meter } from "./text/find-text.ts";

export type Reach =
  | { readonly kind: "reached"; readonly message: Message }
  /**
   * A proof. `coveredBy`: entries that take every message that it matches, none of which can be left out; empty if it matches
   * nothing.
   */
  | { readonly kind: "never"; readonly coveredBy: readonly Owner[] }
  | { readonly kind: "unknown"; readonly why: string };

export const OVER_BUDGET = "a message that shows it would be over its budget";

/** Why no message that shows the result could be made from a model. */
export function notShown(open: readonly { readonly about: string }[]): string {
  const [first] = open;
  return first === undefined
    ? "no message could be written that shows it"
    : `nothing is proved about ${first.about.startsWith("the ") ? first.about : `\`${first.about}\``}`;
}

function notTaken({ rungs, places }: Ladder, owners: Iterable<Owner>, until: number): Formula {
  const before = [...owners]
    .flatMap((owner) => places.get(ownerKey(owner))!)
    .filter((place) => place < until)
    .sort((a, b) => a - b);
  return and(...before.map((place) => not(rungs[place]!.takes)));
}

/** In the order of trial. */
function inOrder({ places }: Ladder, owners: readonly Owner[]): readonly Owner[] {
  const last = (owner: Owner): number => places.get(ownerKey(owner))!.at(-1)!;
  return [...owners].sort((a, b) => last(a) - last(b));
}

/** Leaves out entries that the proof does not need. */
function* fewest(
  prover: Prover,
  target: number,
  owners: readonly Owner[],
  meter: Meter,
): Generator<void, readonly Owner[]> {
  const { ladder, solver } = prover;
  let needed = owners;
  for (const owner of owners) {
    const fewer = needed.filter((each) => each !== owner);
    const formula = and(ladder.rungs[target]!.takes, notTaken(ladder, fewer, target));
    const outcome = yield* solver.solve(formula, meter);
    if (outcome.kind === "unsatisfiable") needed = fewer;
  }
  return needed;
}

/** Tries one way of an owner. Earlier entries are considered only once they take a message that was tried. */
function* reachRung(prover: Prover, target: number, meter: Meter): Generator<void, Reach> {
  const { ladder, solver } = prover;
  const { rungs, domain } = ladder;
  const { owner, takes } = rungs[target]!;
  const earlier = new Map<string, Owner>();
  for (;;) {
    const formula = and(takes, notTaken(ladder, earlier.values(), target));
    const outcome = yield* solver.solve(formula, meter);
    if (outcome.kind === "unknown") return outcome;
    if (outcome.kind === "unsatisfiable") {
      const needed = yield* fewest(prover, target, [...earlier.values()], meter);
      return { kind: "never", coveredBy: inOrder(ladder, needed) };
    }
    const message = messageOf(outcome.model, domain);
    if (message === null)
      return { kind: "unknown", why: "a message that shows it would be too large" };
    const decision = decisionOn(domain, yield* readFacts(message));
    if (decision.reason === "over-budget") return { kind: "unknown", why: OVER_BUDGET };
    const decider = deciderOf(decision);
    const key = ownerKey(decider);
    prover.keep(key, message);
    if (key === ownerKey(owner)) return { kind: "reached", message: inOneText(message) };
    const isBefore = (ladder.places.get(key)?.[0] ?? target) < target;
    if (!isBefore || earlier.has(key)) {
      return { kind: "unknown", why: notShown(outcome.model.open) };
    }
    earlier.set(key, decider);
    yield;
  }
}

/** Asks whether `owner`, which is on the domain's ladder, decides any message. */
export function* reach(prover: Prover, owner: Owner, meter: Meter): Generator<void, Reach> {
  const key = ownerKey(owner);
  const known = prover.kept(key);
  if (known !== undefined) return { kind: "reached", message: inOneText(known) };
  const coveredBy = new Map<string, Owner>();
  let doubt: string | null = null;
  for (const index of prover.ladder.places.get(key) ?? []) {
    const found = yield* reachRung(prover, index, meter);
    if (found.kind === "reached") return found;
    if (found.kind === "unknown") doubt ??= found.why;
    else for (const each of found.coveredBy) coveredBy.set(ownerKey(each), each);
  }
  const other = prover.kept(key);
  if (other !== undefined) return { kind: "reached", message: inOneText(other) };
  if (doubt !== null) return { kind: "unknown", why: doubt };
  return { kind: "never", coveredBy: inOrder(prover.ladder, [...coveredBy.values()]) };
}
