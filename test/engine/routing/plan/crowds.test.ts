/** Bodies that are full of the rules' literals: which sets run over them, and which rules are then tried. */
import { expect, test } from "vitest";
import { resolve } from "../../../../src/engine/routing/resolve.ts";
import { createResolveStats } from "../../../../src/engine/routing/resolve-stats.ts";
import { compiled, domainOf } from "../../plan/worlds.ts";
import { celRule, FIRST_ON_BODY, planOf, regexRule } from "./planned.ts";

const WORDS = ["alpha", "beta", "gamma", "delta", "omega"];
const CROWDED = "alpha beta ".repeat(60);

const quiet = (count: number) =>
  Array.from({ length: count }, (_, nth) => regexRule(`alpha [0-9]{1,${nth + 2}}x`, ["body"]));

test("the patterns of many literals are run as one set, and only what occurs is tried", () => {
  const plan = planOf([...quiet(20), regexRule("alpha end", ["body"])]);
  const crowded = `${"alpha beta ".repeat(40)}alpha end`;
  expect(plan({ body: crowded })).toMatchObject({ by: "r20", setsRun: 1, windows: 0 });
  expect(plan({ body: `alpha end${"-".repeat(500)}` })).toMatchObject({ by: "r20", setsRun: 0 });
});

test("sets are run by rank, and none behind the rule that decides", () => {
  // 32 rules are a part of their own; a larger part has several sets.
  const rules = quiet(96);
  const last = regexRule("alpha (?:end|start)", ["body"]);
  const body = `${CROWDED}alpha end`;
  const found = (before: number, behind: number) =>
    planOf([...rules.slice(0, before), last, ...rules.slice(0, behind)])({ body });
  expect(found(31, 40)).toMatchObject({ by: "r31", setsRun: 1 });
  expect(found(32, 40)).toMatchObject({ by: "r32", setsRun: 2 });
  expect(found(63, 40)).toMatchObject({ by: "r63", setsRun: 2 });
  expect(found(70, 40)).toMatchObject({ by: "r70", setsRun: 3 });
});

test("where patterns without a literal must be run, one set reads the body for all rules of a part", () => {
  const bare = [regexRule("[a-z]+[0-9]{7}", ["body"]), regexRule(".{3}[0-9]{4}", ["body"])];
  const others = Array.from({ length: 9 }, (_, nth) => regexRule(`quiet${nth} \\d`, ["body"]));
  const body = `${"lorem ipsum ".repeat(40)}quiet8 7`;
  const plan = planOf([...others, ...bare]);
  expect(plan({ body })).toMatchObject({ by: "r8", setsRun: 1, scans: 0, candidates: 1 });
  // Of more rules than one set has, those with a literal are looked for by it.
  const more = planOf([...others, ...bare, ...quiet(40)]);
  expect(more({ body: `${"lorem ".repeat(90)}none` })).toMatchObject({ scans: 1, setsRun: 1 });
  const many = planOf([...quiet(32), ...others, ...bare, ...quiet(30)]);
  expect(many({ body })).toMatchObject({ by: "r40", scans: 2, setsRun: 0 });
});

test("a crowd before several sets of patterns without a literal is run before them", () => {
  const bare = Array.from({ length: 40 }, (_, nth) =>
    regexRule(`[0-9]{${nth + 3}}[a-z]`, ["body"]),
  );
  const before = [...FIRST_ON_BODY, ...quiet(32)];
  const body = `${CROWDED}123x alpha end`;
  const sought = regexRule("alpha [a-z]nd", ["body"]);
  expect(planOf([...before, sought, ...bare])({ body })).toMatchObject({ by: "r36" });
  expect(planOf([...before, ...bare, sought])({ body })).toMatchObject({ by: "r36" });
  const longer = { body: `${CROWDED}alpha end` };
  expect(planOf([...before, ...bare, sought])(longer)).toMatchObject({ by: "r76" });
});

test("rules without a pattern are tried as well", () => {
  const plan = planOf([...quiet(20), celRule('body.contains("alpha end") && size == 1')]);
  expect(plan({ body: `${"alpha beta ".repeat(40)}alpha end` })).toMatchObject({ by: "r20" });
  expect(plan({ body: "alpha beta ".repeat(40) })).toMatchObject({ by: "fallback" });
});

test("rules without patterns make no set: only those whose text occurs are tried", () => {
  const contains = (text: string) => celRule(`body.contains("${text}") && size > 5`);
  const plan = planOf(["alpha", "none0", "none1", "none2", "none3", "beta"].map(contains));
  expect(plan({ body: CROWDED })).toMatchObject({ by: "fallback", candidates: 2, setsRun: 0 });
});

test("rules with and without a literal are tried in the order of their ranks", () => {
  const plan = planOf([
    ...quiet(4),
    regexRule("[0-9]{3}[a-z]", ["body"]),
    regexRule("beta", ["body"]),
  ]);
  expect(plan({ body: "alpha beta 123x ".repeat(30) })).toMatchObject({ by: "r4" });
  const other = planOf([
    ...quiet(4),
    regexRule("beta", ["body"]),
    regexRule("[0-9]{3}[a-z]", ["body"]),
    regexRule("[0-9]{4}[a-z]", ["body"]),
  ]);
  expect(other({ body: "alpha beta 123x ".repeat(30) })).toMatchObject({ by: "r4" });
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
