import { describe, expect, test } from "vitest";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { deltasBetween, Versions } from "../../../src/rehearse/diff/config-delta.ts";
import { causeFinder } from "../../../src/rehearse/diff/find-cause.ts";
import {
  deciderKey,
  deciderOf,
  type Outcome,
  outcomeOf,
  sameOutcome,
} from "../../../src/rehearse/outcome.ts";
import { type RehearsedDomain, rehearse } from "../../../src/rehearse/rehearsed-domain.ts";
import { rehearsed } from "../demo.ts";
import { randomConfig, randomEdit, randomFacts, randomFrom } from "../proof/random-domain.ts";

function outcome({ domain }: RehearsedDomain, facts: Facts): Outcome {
  const resolution = resolve(domain, facts);
  if (resolution.verdict !== "decided") throw new TypeError("undecided");
  return outcomeOf(resolution);
}

function isSame(a: Outcome, b: Outcome): boolean {
  return sameOutcome(a, b) && deciderKey(deciderOf(a)) === deciderKey(deciderOf(b));
}

const rule = (id: string, rank: number, regex: string): object => ({
  id,
  rank,
  type: "regex",
  config: { regex, scopes: ["subject"], forward: `${id}@else.test` },
});

const domainOf = (...rules: object[]): RehearsedDomain =>
  rehearsed({ domain: "own.test", routing_engine: "rules", rules });

describe("ranks", () => {
  test("a renumbering that keeps the order is no difference", () => {
    const old = domainOf(rule("a", 1, "order"), rule("b", 2, "invoice"), rule("c", 3, "x"));
    const changed = domainOf(rule("a", 10, "ordre"), rule("b", 20, "invoice"), rule("c", 30, "x"));
    expect(deltasBetween(old, changed).map(({ id, field }) => `${id} ${field}`)).toEqual([
      "a regex",
    ]);
    const facts = { recipient: "x@own.test", sender: "", subject: "order invoice", body: "" };
    const finder = causeFinder(old, changed);
    const cause = finder.causeOf(facts, outcome(old, facts), outcome(changed, facts));
    expect(cause.map(({ id, field }) => `${id} ${field}`)).toEqual(["a regex"]);
  });

  test("the one rule that moved is named, though all have other ranks", () => {
    const old = domainOf(rule("a", 1, "x"), rule("b", 2, "y"), rule("c", 3, "z"));
    const changed = domainOf(rule("a", 20, "x"), rule("b", 30, "y"), rule("c", 10, "z"));
    expect(deltasBetween(old, changed)).toEqual([
      { of: "rule", id: "c", name: "c", field: "rank", from: 3, to: 10 },
    ]);
  });
});

test("on random edits with renumberings every cause holds both ways", () => {
  let changes = 0;
  for (let seed = 1; seed <= 15; seed++) {
    const random = randomFrom(seed);
    const config = randomConfig(random);
    const [before, after] = [rehearse(config), rehearse(randomEdit(random, config))];
    if (!before.ok || !after.ok) continue;
    const [old, changed] = [before.rehearsed, after.rehearsed];
    const finder = causeFinder(old, changed);
    const versions = new Versions(old, changed);
    const { deltas } = versions;
    for (let count = 0; count < 25; count++) {
      const facts = randomFacts(random);
      const [one, other] = [outcome(old, facts), outcome(changed, facts)];
      const all = outcome(versions.with(deltas)!, facts);
      expect(isSame(all, other)).toBe(true);
      if (sameOutcome(one, other)) continue;
      changes++;
      const cause = finder.causeOf(facts, one, other);
      expect(cause.length).toBeGreaterThan(0);
      const rest = versions.deltas.filter(
        ({ id, field }) => !cause.some((each) => each.id === id && each.field === field),
      );
      const mine = versions.deltas.filter((delta) => !rest.includes(delta));
      expect(isSame(outcome(versions.with(mine)!, facts), other)).toBe(true);
      expect(isSame(outcome(versions.with(rest)!, facts), one)).toBe(true);
    }
  }
  expect(changes).toBeGreaterThan(20);
});
