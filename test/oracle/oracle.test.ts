import fc from "fast-check";
import { expect, test } from "vitest";
import type { Facts } from "../../src/engine/facts/facts.ts";
import { type CompiledDomain, compileDomain } from "../../src/engine/routing/compile-domain.ts";
import { explain } from "../../src/engine/routing/explain.ts";
import { resolve } from "../../src/engine/routing/resolve.ts";
import { configOf, type KnownFacts, naiveResolve, type World } from "./naive-resolver.ts";
import {
  BODIES,
  factsArb,
  forget,
  forgetArb,
  RECIPIENTS,
  SENDERS,
  SUBJECTS,
  smallAliasWorlds,
  smallRuleWorlds,
  worldArb,
} from "./worlds.ts";

const RUNS = { seed: 20261120, numRuns: 3_000 };

function compiled(world: World): CompiledDomain {
  const result = compileDomain(configOf(world));
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.domain;
}

const ALPHABET = { recipient: RECIPIENTS, sender: SENDERS, subject: SUBJECTS, body: BODIES };

/** Every way to learn the facts that are unknown. */
function completions(facts: Facts): KnownFacts[] {
  let known: Facts[] = [facts];
  for (const [name, values] of Object.entries(ALPHABET)) {
    known = known.flatMap((some) =>
      name in some ? [some] : values.map((value) => ({ ...some, [name]: value })),
    );
  }
  return known as KnownFacts[];
}

test("random worlds: the engine agrees with the naive resolver", () => {
  fc.assert(
    fc.property(worldArb, fc.array(factsArb, { minLength: 4, maxLength: 8 }), (world, messages) => {
      const domain = compiled(world);
      for (const facts of messages) {
        expect(resolve(domain, facts)).toEqual(naiveResolve(world, facts));
      }
    }),
    RUNS,
  );
});

test("random worlds: a decision taken with unknown facts is the decision for every way to learn them", () => {
  let early = 0;
  fc.assert(
    fc.property(worldArb, factsArb, forgetArb, (world, facts, names) => {
      const domain = compiled(world);
      const partial = forget(facts, names);
      const resolution = resolve(domain, partial);
      if (resolution.verdict === "undecided") return;
      if (names.length > 0) early++;
      for (const known of completions(partial)) {
        expect(naiveResolve(world, known)).toEqual(resolution);
      }
    }),
    { ...RUNS, numRuns: 1_500 },
  );
  expect(early).toBeGreaterThan(100);
});

test("random worlds: undecided names a stage that brings news, and all facts decide", () => {
  const brings = {
    envelope: ["recipient"],
    header: ["sender", "subject"],
    body: ["body"],
  } as const;
  fc.assert(
    fc.property(worldArb, factsArb, forgetArb, (world, facts, names) => {
      const domain = compiled(world);
      let unknown = [...names];
      for (let step = 0; step < 4; step++) {
        const resolution = resolve(domain, forget(facts, unknown));
        if (resolution.verdict === "decided") return;
        const news: readonly string[] = brings[resolution.needs as keyof typeof brings];
        expect(unknown.some((name) => news.includes(name))).toBe(true);
        unknown = unknown.filter((name) => !news.includes(name));
      }
      expect.unreachable("still undecided with all facts known");
    }),
    RUNS,
  );
});

test("random worlds: explain's resolution is resolve's, and its trace has one entry for each alias or rule", () => {
  fc.assert(
    fc.property(worldArb, factsArb, forgetArb, (world, facts, names) => {
      const domain = compiled(world);
      const partial = forget(facts, names);
      const { resolution, trace } = explain(domain, partial);
      expect(resolution).toEqual(resolve(domain, partial));
      const ids = world.routing_engine === "alias" ? world.aliases : world.rules;
      expect(trace.map((entry) => entry.id).sort()).toEqual(ids.map(({ id }) => id).sort());
      const matched = trace.filter((entry) => entry.verdict === "matched");
      const decidedBy = resolution.verdict === "decided" ? resolution.decidedBy : null;
      expect(matched.map((entry) => entry.id)).toEqual(decidedBy === null ? [] : [decidedBy.id]);
    }),
    RUNS,
  );
});

test("all small alias worlds agree, for every recipient", () => {
  let worlds = 0;
  for (const world of smallAliasWorlds()) {
    worlds++;
    const domain = compiled(world);
    for (const recipient of RECIPIENTS) {
      const facts = { recipient, sender: "", subject: "", body: "" };
      expect(resolve(domain, facts)).toEqual(naiveResolve(world, facts));
    }
  }
  expect(worlds).toBe(1 + 15 + 15 * 12);
});

test("all small rule worlds agree, and decide early only what no unknown fact can change", () => {
  const messages: KnownFacts[] = ["a@own.test", "b@own.test"].flatMap((recipient) =>
    ["ann@x.test", "42@y.test"].flatMap((sender) =>
      ["", "42"].flatMap((subject) =>
        ["42", "7"].map((body) => ({ recipient, sender, subject, body })),
      ),
    ),
  );
  const stages: (keyof Facts)[][] = [["sender", "subject", "body"], ["body"]];
  let worlds = 0;
  for (const world of smallRuleWorlds()) {
    worlds++;
    const domain = compiled(world);
    for (const facts of messages) {
      const wanted = JSON.stringify(naiveResolve(world, facts));
      if (JSON.stringify(resolve(domain, facts)) !== wanted) {
        expect(resolve(domain, facts), JSON.stringify({ world, facts })).toEqual(
          JSON.parse(wanted),
        );
      }
      for (const unknown of stages) {
        const early = resolve(domain, forget(facts, unknown));
        if (early.verdict === "undecided" || JSON.stringify(early) === wanted) continue;
        expect(early, JSON.stringify({ world, facts, unknown })).toEqual(JSON.parse(wanted));
      }
    }
  }
  expect(worlds).toBe(2 * (1 + 40 + 40 * 40));
});
