/** Attacks the proofs of one random rule set: what is proved has to hold on small texts, and what is shown has to be so. */

import type { Facts } from "../../../src/engine/facts/facts.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { type Outcome, outcomeOf, sameOutcome } from "../../../src/rehearse/outcome.ts";
import { compareSteps } from "../../../src/rehearse/proof/compare-all.ts";
import { type Owner, ownerKey } from "../../../src/rehearse/proof/ladder.ts";
import { factsOf, type Message } from "../../../src/rehearse/proof/message/witness-message.ts";
import { deciderOf, Prover } from "../../../src/rehearse/proof/prover.ts";
import { type Reach, reach } from "../../../src/rehearse/proof/reach.ts";
import { atOnce } from "../../../src/rehearse/proof/slices.ts";
import { type RehearsedDomain, rehearse } from "../../../src/rehearse/rehearsed-domain.ts";
import { randomConfig, randomEdit, randomFacts, randomFrom } from "./random-domain.ts";
import { allSmall, neighbours } from "./small-messages.ts";

export interface Tally {
  sets: number;
  questions: number;
  never: number;
  reached: number;
  unknown: number;
  readonly wrong: string[];
  readonly why: Map<string, number>;
}

export function newTally(): Tally {
  return { sets: 0, questions: 0, never: 0, reached: 0, unknown: 0, wrong: [], why: new Map() };
}

export function attack(seed: number, tally: Tally, texts: number): void {
  const random = randomFrom(seed);
  const config = randomConfig(random);
  const rehearsed = rehearse(config);
  if (!rehearsed.ok) {
    tally.wrong.push(`seed ${seed}: does not compile: ${JSON.stringify(rehearsed.diagnostics[0])}`);
    return;
  }
  tally.sets++;
  const { domain } = rehearsed.rehearsed;
  const prover = atOnce(Prover.of(rehearsed.rehearsed));
  const owners = new Map(prover.ladder.rungs.map(({ owner }) => [ownerKey(owner), owner]));
  const never = new Map<string, readonly Owner[]>();
  const messages: Message[] = [];
  const wrong = (said: string): void => {
    tally.wrong.push(`seed ${seed}: ${said}: ${JSON.stringify(config)}`);
  };
  for (const [key, owner] of owners) {
    tally.questions++;
    const found: Reach = atOnce(reach(prover, owner, { left: 60_000 }));
    if (found.kind === "never") {
      tally.never++;
      never.set(key, found.coveredBy);
    } else if (found.kind === "reached") {
      tally.reached++;
      messages.push(found.message);
      const resolution = resolve(domain, factsOf(found.message));
      if (resolution.verdict !== "decided" || ownerKey(deciderOf(resolution)) !== key) {
        wrong(`the witness of ${key} is decided otherwise`);
      }
    } else {
      tally.unknown++;
      tally.why.set(found.why, (tally.why.get(found.why) ?? 0) + 1);
    }
  }
  if (never.size === 0) return;
  const check = (facts: Facts): void => {
    const resolution = resolve(domain, facts);
    const key = resolution.verdict === "decided" ? ownerKey(deciderOf(resolution)) : "";
    if (never.has(key)) wrong(`${key} is proved never reached, but by ${JSON.stringify(facts)}`);
  };
  for (let count = 0; count < texts; count++) check(randomFacts(random));
  for (const facts of allSmall(random)) check(facts);
  // Witnesses of the other rules, and what a rule takes that stands alone, with all that is near them.
  for (const owner of owners.values()) {
    if (never.has(ownerKey(owner))) messages.push(...takenAlone(rehearsed.rehearsed, owner));
  }
  for (const message of messages) for (const facts of neighbours(factsOf(message))) check(facts);
}

/** A message that the owner takes where nothing stands before it. */
function takenAlone({ config }: RehearsedDomain, owner: Owner): readonly Message[] {
  if (owner.kind === "end") return [];
  const list = owner.kind === "rule" ? "rules" : "aliases";
  const entries = config[list] as readonly { readonly id: string }[];
  const alone = rehearse({ ...config, [list]: entries.filter(({ id }) => id === owner.id) });
  if (!alone.ok) return [];
  const found = atOnce(reach(atOnce(Prover.of(alone.rehearsed)), owner, { left: 60_000 }));
  return found.kind === "reached" ? [found.message] : [];
}

export interface EditTally {
  pairs: number;
  equal: number;
  different: number;
  unknown: number;
  readonly wrong: string[];
}

export function newEditTally(): EditTally {
  return { pairs: 0, equal: 0, different: 0, unknown: 0, wrong: [] };
}

/** Compares a random rule set with an edit of it: what is called equal has to be so, and what differs has to differ. */
export function attackEdit(seed: number, tally: EditTally, texts: number): void {
  const random = randomFrom(seed);
  const config = randomConfig(random);
  const [old, changed] = [rehearse(config), rehearse(randomEdit(random, config))];
  if (!old.ok || !changed.ok) return;
  const wrong = (said: string): void => {
    tally.wrong.push(`seed ${seed}: ${said}`);
  };
  tally.pairs++;
  const both = [old.rehearsed, changed.rehearsed] as const;
  const found = atOnce(compareSteps(...both, 60_000));
  tally[found.verdict]++;
  const outcomes = (facts: Facts): Outcome[] =>
    both.map(({ domain }) => {
      const resolution = resolve(domain, facts);
      if (resolution.verdict !== "decided") throw new TypeError("undecided");
      return outcomeOf(resolution);
    });
  for (const { message, before, after } of found.differences) {
    const [one, other] = outcomes(factsOf(message)) as [Outcome, Outcome];
    if (sameOutcome(one, other)) wrong("a difference that is none");
    if (!sameOutcome(one, before) || !sameOutcome(other, after)) wrong("told otherwise");
  }
  if (found.verdict !== "equal") return;
  const check = (facts: Facts): void => {
    const [one, other] = outcomes(facts) as [Outcome, Outcome];
    if (!sameOutcome(one, other)) wrong(`called equal, but not on ${JSON.stringify(facts)}`);
  };
  for (let count = 0; count < texts; count++) check(randomFacts(random));
  for (const facts of allSmall(random)) check(facts);
}
