import fc from "fast-check";
import { expect, test } from "vitest";
import { compileDomain } from "../../src/engine/routing/compile-domain.ts";
import type { Resolution } from "../../src/engine/routing/resolution.ts";
import { resolve } from "../../src/engine/routing/resolve.ts";
import { configOf, type KnownFacts, type World, type WorldRule } from "./naive-resolver.ts";
import { factsArb, worldArb } from "./worlds.ts";

const RUNS = { seed: 20261120, numRuns: 1_500 };

function outcome(world: World, facts: KnownFacts): Resolution {
  const result = compileDomain(configOf(world));
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return resolve(result.domain, facts);
}

/** Rules whose ids, ranks and times follow from their place, so that only their order is in play. */
function ranked(rules: readonly WorldRule[]): WorldRule[] {
  return rules.map((rule, index) => ({ ...rule, rank: index, id: rule.id }));
}

test("deactivating a rule equals deleting it", () => {
  fc.assert(
    fc.property(worldArb, factsArb, fc.nat(5), (world, facts, pick) => {
      const off = world.rules.map((rule, index) =>
        index === pick ? { ...rule, active: false } : rule,
      );
      const gone = world.rules.filter((_, index) => index !== pick);
      expect(outcome({ ...world, rules: off }, facts)).toEqual(
        outcome({ ...world, rules: gone }, facts),
      );
    }),
    RUNS,
  );
});

test("swapping neighbours that do not both match changes nothing but ranks", () => {
  const alone = (world: World, rule: WorldRule, facts: KnownFacts): boolean => {
    const resolution = outcome({ ...world, rules: [{ ...rule, active: true }] }, facts);
    return resolution.verdict === "decided" && resolution.decidedBy !== null;
  };
  let swaps = 0;
  fc.assert(
    fc.property(worldArb, factsArb, fc.nat(4), (base, facts, pick) => {
      const world: World = { ...base, routing_engine: "rules", rules: ranked(base.rules) };
      const [left, right] = [world.rules[pick], world.rules[pick + 1]];
      if (left === undefined || right === undefined) return;
      if (alone(world, left, facts) && alone(world, right, facts)) return;
      swaps++;
      const swapped = ranked(world.rules.with(pick, right).with(pick + 1, left));
      const strip = (resolution: Resolution): unknown =>
        resolution.verdict === "decided" && resolution.decidedBy !== null
          ? { ...resolution, decidedBy: { ...resolution.decidedBy, rank: 0 } }
          : resolution;
      expect(strip(outcome({ ...world, rules: swapped }, facts))).toEqual(
        strip(outcome(world, facts)),
      );
    }),
    RUNS,
  );
  expect(swaps).toBeGreaterThan(200);
});

test("the order of entries in the configuration does not matter", () => {
  fc.assert(
    fc.property(worldArb, factsArb, (world, facts) => {
      const turned = {
        ...world,
        aliases: world.aliases.toReversed(),
        rules: world.rules.toReversed(),
      };
      expect(outcome(turned, facts)).toEqual(outcome(world, facts));
    }),
    RUNS,
  );
});

test("compiling twice gives the same, and resolving leaves no trace in the domain", () => {
  fc.assert(
    fc.property(worldArb, fc.array(factsArb, { minLength: 2, maxLength: 6 }), (world, messages) => {
      const config = configOf(world);
      const before = structuredClone(config);
      const [first, second] = [compileDomain(config), compileDomain(config)];
      expect(config).toEqual(before);
      if (!first.ok || !second.ok) throw new Error("does not compile");
      const forth = messages.map((facts) => resolve(first.domain, facts));
      const back = messages.toReversed().map((facts) => resolve(second.domain, facts));
      expect(back.toReversed()).toEqual(forth);
    }),
    RUNS,
  );
});

test("no destination is sent to twice", () => {
  fc.assert(
    fc.property(worldArb, factsArb, (world, facts) => {
      const resolution = outcome(world, facts);
      if (resolution.verdict !== "decided") return;
      const keys = resolution.destinations.map((destination) =>
        destination.kind === "mailbox" ? destination.address.toLowerCase() : destination.url,
      );
      expect(new Set(keys).size).toBe(keys.length);
    }),
    RUNS,
  );
});
