/** Attacks the causes that `diff` names: each has to hold both ways. */
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { Versions } from "../../../src/rehearse/diff/config-delta.ts";
import { causeFinder } from "../../../src/rehearse/diff/find-cause.ts";
import {
  deciderKey,
  deciderOf,
  type Outcome,
  outcomeOf,
  sameOutcome,
} from "../../../src/rehearse/outcome.ts";
import { type RehearsedDomain, rehearse } from "../../../src/rehearse/rehearsed-domain.ts";
import { randomConfig, randomEdit, randomFacts, randomFrom } from "../proof/random-domain.ts";

export interface CauseTally {
  /** Rule sets that were edited and renumbered. */
  edits: number;
  /** Messages that go another way, each with a cause. */
  changes: number;
  readonly wrong: string[];
}

export function newCauseTally(): CauseTally {
  return { edits: 0, changes: 0, wrong: [] };
}

export function outcome({ domain }: RehearsedDomain, facts: Facts): Outcome {
  const resolution = resolve(domain, facts);
  if (resolution.verdict !== "decided") throw new TypeError("undecided");
  return outcomeOf(resolution);
}

function isSame(a: Outcome, b: Outcome): boolean {
  return sameOutcome(a, b) && deciderKey(deciderOf(a)) === deciderKey(deciderOf(b));
}

type Rules = readonly { readonly rank: number }[];

/** The same order by other ranks. */
function renumbered(config: Record<string, unknown>): Record<string, unknown> {
  const rules = config.rules as Rules | undefined;
  if (rules === undefined) return config;
  return { ...config, rules: rules.map((rule) => ({ ...rule, rank: rule.rank * 10 + 3 })) };
}

/** Edits a random rule set and renumbers it, and asks why each small message that goes another way does. */
export function attackCauses(seed: number, tally: CauseTally, messages: number): void {
  const random = randomFrom(seed);
  const config = randomConfig(random);
  const [before, after] = [rehearse(config), rehearse(renumbered(randomEdit(random, config)))];
  if (!before.ok || !after.ok) return;
  tally.edits++;
  const [old, changed] = [before.rehearsed, after.rehearsed];
  const finder = causeFinder(old, changed);
  const versions = new Versions(old, changed);
  const { deltas } = versions;
  for (let count = 0; count < messages; count++) {
    const facts = randomFacts(random);
    const wrong = (said: string): void => {
      tally.wrong.push(`seed ${seed}: ${said} on ${JSON.stringify(facts)}`);
    };
    const [one, other] = [outcome(old, facts), outcome(changed, facts)];
    if (!isSame(outcome(versions.with(deltas)!, facts), other)) wrong("all together do not do it");
    if (sameOutcome(one, other)) continue;
    tally.changes++;
    const cause = finder.causeOf(facts, one, other);
    const isCause = ({ id, field }: (typeof deltas)[number]): boolean =>
      cause.some((each) => each.id === id && each.field === field);
    const [mine, rest] = [deltas.filter(isCause), deltas.filter((delta) => !isCause(delta))];
    if (mine.length === 0) wrong("no cause");
    if (!isSame(outcome(versions.with(mine)!, facts), other))
      wrong("the cause alone does not do it");
    if (!isSame(outcome(versions.with(rest)!, facts), one))
      wrong("without the cause it changes too");
  }
}
