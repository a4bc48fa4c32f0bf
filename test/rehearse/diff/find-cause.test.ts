import { describe, expect, test } from "vitest";
import { deltasBetween } from "../../../src/rehearse/diff/config-delta.ts";
import { causeFinder } from "../../../src/rehearse/diff/find-cause.ts";
import type { RehearsedDomain } from "../../../src/rehearse/rehearsed-domain.ts";
import { rehearsed } from "../demo.ts";
import { attackCauses, newCauseTally, outcome } from "./causes.ts";

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
  const tally = newCauseTally();
  for (let seed = 1; seed <= 30; seed++) attackCauses(seed, tally, 25);
  expect(tally.wrong).toEqual([]);
  expect(tally.changes).toBeGreaterThan(40);
});
