/** Bodies full of the rules' literals: their patterns then run as sets, and decide as the plain walk does. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { createResolveStats } from "../../../src/engine/routing/resolve-stats.ts";
import { celRule, planOf, regexRule } from "../routing/plan/planned.ts";
import { compiled, domainOf } from "./worlds.ts";

const WORDS = ["alpha", "beta", "gamma", "delta", "omega", "sigma", "kappa", "ſ\u212a", "郵便"];

const word = fc.constantFrom(...WORDS);
const number = fc.constantFrom("1", "22", "333");

/** Patterns with a literal, of the kinds that rules have; some capture, some are anchored, some have no bound. */
const pattern = fc.oneof(
  fc.tuple(word, number).map(([one, digits]) => `${one} ${digits}`),
  fc.tuple(word, word).map(([one, other]) => `(?i)${one} (${other.toUpperCase()}|${other}x)\\b`),
  fc.tuple(word, word).map(([one, other]) => `${one}.{0,12}${other}\\d`),
  fc.tuple(word, word).map(([one, other]) => `^${one}.*${other}$`),
  fc.tuple(word, word).map(([one, other]) => `(?m)^${one}.*${other}$`),
  word.map((one) => `[a-z]+${one}\\b`),
  word.map((one) => `${one} (\\d+)`),
  fc.tuple(word, word).map(([one, other]) => `(?:${one}|${other})[ _-](?:offer|mail)`),
  // One without a literal.
  fc.constant("[0-9]{3}[a-z][0-9]"),
);

const forward = fc.constantFrom("m@x.test", "to-$1@x.test", "$1@x.test");
const scopes = fc.constantFrom(["body"], ["body"], ["subject", "body"], ["sender", "body"]);

const rule = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(pattern, scopes, forward) },
  { weight: 1, arbitrary: word },
);

function configOf(given: string | readonly [string, readonly string[], string]) {
  if (typeof given === "string") return celRule(`body.contains("${given} 22") && size > 3`);
  const [regex, where, to] = given;
  // Only a pattern with a group may fill the forward.
  return regexRule(regex, where, /\((?!\?)/.test(regex) ? to : "m@x.test");
}

const body = fc
  .array(fc.tuple(word, fc.constantFrom(" ", " ", "\n", "x", " 1 ", " 22\n", "-", "_mail ")), {
    minLength: 5,
    maxLength: 120,
  })
  .map((parts) => parts.flat().join(""));

test("a body full of literals decides as the plain walk does", () => {
  fc.assert(
    fc.property(
      fc.array(rule, { minLength: 1, maxLength: 60 }),
      fc.array(fc.record({ body, subject: fc.option(word, { nil: undefined }) }), {
        minLength: 1,
        maxLength: 5,
      }),
      (rules, messages) => {
        // The plan compares each of its answers with the plain walk.
        const plan = planOf(rules.map(configOf));
        for (const message of messages) plan(message);
      },
    ),
    { numRuns: 400 },
  );
});

const quiet = (count: number) =>
  Array.from({ length: count }, (_, nth) => regexRule(`alpha [0-9]{1,${nth + 2}}x`, ["body"]));

test("the patterns of many literals are run as one set, and only what occurs is tried", () => {
  const plan = planOf([...quiet(20), regexRule("alpha end", ["body"])]);
  const crowded = `${"alpha beta ".repeat(40)}alpha end`;
  expect(plan({ body: crowded })).toMatchObject({ by: "r20", setsRun: 1, windows: 0 });
  expect(plan({ body: `alpha end${"-".repeat(500)}` })).toMatchObject({ by: "r20", setsRun: 0 });
});

test("rules without a pattern are tried as well", () => {
  const plan = planOf([...quiet(20), celRule('body.contains("alpha end") && size == 1')]);
  expect(plan({ body: `${"alpha beta ".repeat(40)}alpha end` })).toMatchObject({ by: "r20" });
  expect(plan({ body: "alpha beta ".repeat(40) })).toMatchObject({ by: "fallback" });
});

test("a rule before the set's own rules is tried before them", () => {
  const plan = planOf([
    ...quiet(4),
    regexRule("[0-9]{3}[a-z]", ["body"]),
    regexRule("beta", ["body"]),
  ]);
  expect(plan({ body: "alpha beta 123x ".repeat(30) })).toMatchObject({ by: "r4" });
});

test("sets that would make ever new states give way to the places of literals", () => {
  const rules = Array.from({ length: 12 }, (_, nth) =>
    regexRule(`alpha.{${nth},60}beta.{${nth},50}x${nth}y`, ["body"]),
  );
  const domain = compiled(domainOf([...quiet(3), ...rules]));
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed >>> 16;
  };
  const setsRun = Array.from({ length: 30 }, () => {
    const words = Array.from({ length: 300 }, () => WORDS[random() % 5]!.slice(random() % 2));
    const facts = { recipient: "a@own.test", body: words.join(" ") };
    const stats = createResolveStats();
    resolve(domain, facts, { stats });
    return stats.setsRun;
  });
  expect(setsRun[0]).toBeGreaterThan(0);
  expect(setsRun.at(-1)).toBe(0);
});
