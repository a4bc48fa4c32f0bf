/** The plan answers exactly what the plain walk answers: on random domains and messages, and at every stage. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explain } from "../../../src/engine/routing/explain.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { configOf } from "../../oracle/naive-resolver.ts";
import { smallRuleWorlds, worldArb, factsArb as worldFactsArb } from "../../oracle/worlds.ts";
import { expectPlanEqualsWalk, expectWaysAgree } from "./ways.ts";
import {
  amongQuietRules,
  apiRuleArb,
  compiled,
  domainOf,
  factsArb,
  forget,
  forgottenArb,
} from "./worlds.ts";

const RUNS = { seed: 20261120, numRuns: 1_200 };

const rulesArb = fc.array(apiRuleArb, { minLength: 1, maxLength: 24 });
const messagesArb = fc.array(fc.tuple(factsArb, forgottenArb), { minLength: 3, maxLength: 6 });

describe("random domains", () => {
  test("all facts known, and any of them unknown", () => {
    const verdicts = { decided: 0, undecided: 0 };
    const reasons = new Set<string>();
    fc.assert(
      fc.property(rulesArb, messagesArb, (rules, messages) => {
        const domain = compiled(domainOf(rules));
        for (const [facts, forgotten] of messages) {
          const decided = expectPlanEqualsWalk(domain, facts);
          if (decided.verdict === "decided") reasons.add(decided.reason);
          verdicts[expectPlanEqualsWalk(domain, forget(facts, forgotten)).verdict]++;
        }
      }),
      RUNS,
    );
    expect(Math.min(verdicts.decided, verdicts.undecided)).toBeGreaterThan(400);
    expect([...reasons].sort()).toEqual(["fallback", "rule"]);
  });

  test("single rules, so that none hides behind another", () => {
    fc.assert(
      fc.property(apiRuleArb, messagesArb, (rule, messages) => {
        const domain = compiled(domainOf([{ ...rule, active: true }]));
        for (const [facts, forgotten] of messages) {
          expectPlanEqualsWalk(domain, facts);
          expectPlanEqualsWalk(domain, forget(facts, forgotten));
        }
      }),
      RUNS,
    );
  });
});

test("a few rules among hundreds that the message does not match", () => {
  let byRule = 0;
  const placesArb = fc.infiniteStream(fc.nat({ max: 0xffff }));
  fc.assert(
    fc.property(rulesArb, messagesArb, placesArb, (rules, messages, places) => {
      const below = (count: number): number => (places.next().value as number) % count;
      const domain = compiled(domainOf(amongQuietRules(rules, below)));
      for (const [facts, forgotten] of messages) {
        const decided = expectPlanEqualsWalk(domain, facts);
        if (decided.verdict === "decided" && decided.reason === "rule") byRule++;
        expectPlanEqualsWalk(domain, forget(facts, forgotten));
      }
    }),
    { ...RUNS, numRuns: 150 },
  );
  expect(byRule).toBeGreaterThan(100);
});

test("the worlds of the naive resolver", () => {
  fc.assert(
    fc.property(worldArb, fc.array(worldFactsArb, { minLength: 4 }), (world, messages) => {
      const domain = compiled({ ...(configOf(world) as object), routing_engine: "rules" });
      for (const facts of messages) expectPlanEqualsWalk(domain, facts);
    }),
    RUNS,
  );
});

test("all small worlds, at each stage", () => {
  const stages = [[], ["body"], ["sender", "subject", "body"]] as const;
  let worlds = 0;
  for (const world of smallRuleWorlds()) {
    worlds++;
    const domain = compiled(configOf(world));
    for (const subject of ["", "42"]) {
      const facts = { recipient: "a@own.test", sender: "42@y.test", subject, body: "42" };
      for (const unknown of stages) expectPlanEqualsWalk(domain, forget(facts, unknown));
    }
  }
  expect(worlds).toBe(2 * (1 + 40 + 40 * 40));
});

describe("a budget", () => {
  const fuelArb = fc.oneof(fc.nat(300), fc.nat(20_000), fc.constant(0));

  test("lasts for the same rules whichever way they are tried", () => {
    let short = 0;
    fc.assert(
      fc.property(rulesArb, messagesArb, fuelArb, (rules, messages, fuelMax) => {
        const domain = compiled(domainOf(rules));
        for (const [facts, forgotten] of messages) {
          const resolution = expectWaysAgree(domain, facts, fuelMax);
          expectWaysAgree(domain, forget(facts, forgotten), fuelMax);
          const unbounded = expectWaysAgree(domain, facts, Number.POSITIVE_INFINITY);
          if (JSON.stringify(resolution) !== JSON.stringify(unbounded)) short++;
        }
      }),
      RUNS,
    );
    expect(short).toBeGreaterThan(200);
  });

  test("never lets a decision taken early change with more facts, unless they take it over its budget", () => {
    let early = 0;
    let over = 0;
    fc.assert(
      fc.property(
        rulesArb,
        factsArb,
        fc.array(factsArb, { minLength: 6, maxLength: 6 }),
        forgottenArb,
        fuelArb,
        (rules, facts, others, forgotten, fuelMax) => {
          const domain = compiled(domainOf(rules));
          const partial = forget(facts, forgotten);
          const resolution = expectWaysAgree(domain, partial, fuelMax);
          if (resolution.verdict === "undecided" || forgotten.length === 0) return;
          early++;
          for (const other of [facts, ...others]) {
            const completed = { ...other, ...partial };
            const final = expectWaysAgree(domain, completed, fuelMax);
            if (final.verdict === "decided" && final.reason === "over-budget") over++;
            else expect(final).toEqual(resolution);
          }
        },
      ),
      { ...RUNS, numRuns: 4_000 },
    );
    expect(early).toBeGreaterThan(200);
    expect(over).toBeLessThan(early);
  });
});

test("many wildcard and pattern aliases: those that can match are tried in the order of all", () => {
  const letters = [..."abcx"];
  const aliasArb = fc
    .array(fc.constantFrom(...letters, "*", "[ab]+", "(c|x)", "(?i:A)"), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => parts.join(""))
    .filter((alias) => !alias.includes("*") || !/\*\*|[[(|]/.test(alias));
  let matched = 0;
  fc.assert(
    fc.property(
      fc.uniqueArray(aliasArb, { minLength: 8, maxLength: 30 }),
      fc.array(fc.array(fc.constantFrom(...letters), { maxLength: 6 }), { minLength: 6 }),
      (names, parts) => {
        const aliases = names.map((alias, nth) => ({ id: `a${nth}`, alias, forward: "m@x.test" }));
        const domain = compiled({ domain: "own.test", routing_engine: "alias", aliases });
        for (const part of parts) {
          const facts = { recipient: `${part.join("")}@own.test` };
          const { resolution } = explain(domain, facts);
          expect(resolve(domain, facts)).toEqual(resolution);
          if (resolution.verdict === "decided" && resolution.reason === "alias") matched++;
        }
      },
    ),
    { ...RUNS, numRuns: 400 },
  );
  expect(matched).toBeGreaterThan(200);
});

test("more literals than are looked for at once, with a rule among them that is sure to win", () => {
  const COUNT = 1_200;
  const word = (nth: number): string => `w${nth.toString(36)}z`;
  const ruleAt = (nth: number, sure: number): Record<string, unknown> => {
    const common = { id: `r${nth}`, rank: nth };
    const config = { forward: "m@x.test" };
    if (nth === sure) return { ...common, type: "alias", config: { ...config, alias: "a" } };
    if (nth % 3 === 0) {
      const regex = { ...config, regex: `${word(nth)}\\b`, scopes: ["subject", "body"] };
      return { ...common, type: "regex", config: regex };
    }
    const expression = `body.contains("${word(nth)}") || sender.endsWith("${word(nth)}")`;
    return { ...common, type: "cel", config: { ...config, expression } };
  };
  const deciders = new Set<string>();
  for (const sure of [0, 5, 40, 200, 700, COUNT - 1]) {
    const domain = compiled(
      domainOf(Array.from({ length: COUNT }, (_, nth) => ruleAt(nth, sure)) as never),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(COUNT + 50), { maxLength: 8 }), fc.nat(3), (nths, where) => {
        const text = nths.map(word).join(where === 0 ? "" : " ");
        const facts = {
          recipient: `${where === 1 ? "b" : "a"}@own.test`,
          sender: `s@${text.slice(-6) || "x"}`,
          subject: where === 2 ? text : "",
          body: text.padEnd(where === 3 ? 5_000 : 0),
        };
        const resolution = expectPlanEqualsWalk(domain, facts);
        if (resolution.verdict !== "decided" || resolution.decidedBy === null) return;
        deciders.add(resolution.decidedBy.id);
      }),
      { ...RUNS, numRuns: 60 },
    );
  }
  expect(deciders.size).toBeGreaterThan(40);
});

test("more patterns without a literal than are run at once, and the first that matches is anywhere among them", () => {
  const open = (nth: number): string =>
    `[${"abcdef"[nth % 6]}][0-9]{${1 + (nth % 9)}}[g-${"hijk"[nth % 4]}]`;
  const ruleAt = (nth: number): Record<string, unknown> => {
    const regex =
      nth % 3 === 0 ? `(?i)word${nth}` : nth % 7 === 0 ? `^Start${nth}` : `${open(nth)}${nth % 5}`;
    return { type: "regex", config: { regex, scopes: ["body"], forward: "m@x.test" } };
  };
  const domain = compiled(domainOf(Array.from({ length: 400 }, (_, nth) => ruleAt(nth))));
  const deciders = new Set<string>();
  const pieceArb = fc.oneof(
    fc.nat(450).map((nth) => `WORD${nth}`),
    fc.nat(450).map((nth) => `Start${nth}`),
    fc
      .tuple(fc.constantFrom(..."abcdef"), fc.nat(999), fc.constantFrom(..."ghijk"), fc.nat(4))
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(
      fc.array(pieceArb, { maxLength: 6 }),
      fc.constantFrom(0, 600, 20_000),
      (pieces, units) => {
        const body = `${pieces.join(" ")}${" lorem".repeat(units / 6)} ${[...pieces].reverse().join(" ")}`;
        const facts = { recipient: "a@own.test", sender: "", subject: "", body };
        const resolution = expectPlanEqualsWalk(domain, facts);
        if (resolution.verdict === "decided") deciders.add(resolution.decidedBy?.id ?? "none");
      },
    ),
    { ...RUNS, numRuns: 300 },
  );
  expect(deciders.size).toBeGreaterThan(30);
});
