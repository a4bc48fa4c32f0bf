/** Which rules a fact opens, by its value or by patterns that run together, and what finding them costs. */
import { expect, test } from "vitest";
import { createCompiler } from "../../../../src/engine/routing/compiler.ts";
import { resolve } from "../../../../src/engine/routing/resolve.ts";
import { domainOf } from "../../plan/worlds.ts";
import { aliasRule, celRule, FIRST_ON_BODY, planOf, regexRule } from "./planned.ts";

test("rules that share a value are tried until one matches", () => {
  const plan = planOf([
    celRule('sender == "ann@x.test" && size > 5'),
    celRule('sender in ["bob@x.test", "ann@x.test"]'),
    celRule('sender == "ann@x.test"'),
  ]);
  expect(plan({ sender: "ann@x.test" })).toMatchObject({ by: "r1", candidates: 2 });
  expect(plan({ sender: "ann@x.test", size: 9 })).toMatchObject({ by: "r0", candidates: 1 });
  expect(plan({ sender: "ann@y.test" })).toMatchObject({ by: "fallback", candidates: 0 });
});

test("of rules that share a value, those behind one that decides are not tried", () => {
  const ann = 'sender == "ann@x.test"';
  const plan = planOf([celRule(`${ann} && size > 5`), aliasRule("a"), celRule(ann)]);
  expect(plan({ sender: "ann@x.test" })).toMatchObject({ by: "r1", candidates: 2 });
});

test("a pattern is looked for by the text that it starts with", () => {
  const plan = planOf([regexRule("^order \\d", ["subject"])]);
  expect(plan({ subject: "an order 7" })).toMatchObject({ by: "fallback", candidates: 0 });
  expect(plan({ subject: "order 7" })).toMatchObject({ by: "r0", candidates: 1 });
});

test("values whose lengths differ by 32 are told apart", () => {
  const [short, long] = ["abc", "abc".padEnd(35, "d")];
  const plan = planOf([aliasRule(short), aliasRule(long)]);
  expect(plan({ recipient: `${long}@own.test` })).toMatchObject({ by: "r1", candidates: 1 });
  expect(plan({ recipient: `${short}@own.test` })).toMatchObject({ by: "r0", candidates: 1 });
});

test("only an alias is compared with the user before a `+detail`", () => {
  const plan = planOf([aliasRule("ann"), celRule('subject in ["ann", "ann+b"] && size > 5')]);
  expect(plan({ recipient: "ann+b@own.test" })).toMatchObject({ by: "r0", candidates: 1 });
  expect(plan({ subject: "ann+c" })).toMatchObject({ by: "fallback", candidates: 0 });
});

test("a lone surrogate in a value counts as U+FFFD", () => {
  const plan = planOf([...FIRST_ON_BODY, celRule('body == "ab\ufffd"')]);
  expect(plan({ body: "ab\ud83d" }).by).toBe("r3");
});

test("header fields are looked up by the shorter of both lists of names, for four units each", () => {
  const namesOf = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, nth) => `x-${nth}`);
  const plan = (rules: number) =>
    planOf(namesOf(rules).map((name) => celRule(`"${name}" in headers && size > 5`)));
  const headers = (names: readonly string[]) => new Map(names.map((name) => [name, ["1"]]));
  const others = ["to", "cc", "from", "date", "list"];
  expect(plan(2)({ headers: headers(others) })).toMatchObject({ fuel: 8, candidates: 0 });
  expect(plan(9)({ headers: headers(others) })).toMatchObject({ fuel: 20, candidates: 0 });
  expect(plan(2)({ headers: headers([...others, "x-1"]) }).candidates).toBe(1);
  expect(plan(9)({ headers: headers(["to", "x-1"]) }).candidates).toBe(1);
});

/** Patterns without a literal; each matches one of the texts that `textOf` gives. */
const patternOf = (nth: number): string =>
  ` [0-9]{${1 + (nth % 20)}}[a-f]{${1 + Math.floor(nth / 20)}} `;
const textOf = (nth: number): string =>
  ` ${"5".repeat(1 + (nth % 20))}${"c".repeat(1 + Math.floor(nth / 20))} `;
const open = (count: number, scope: string) =>
  Array.from({ length: count }, (_, nth) => regexRule(patternOf(nth), [scope]));

test("patterns without a literal run in one set if that costs less than one by one", () => {
  // The host leaps over most of a text to where these can start, so that each takes a quarter of a set.
  const leaping = (count: number) =>
    planOf(
      Array.from({ length: count }, (_, nth) => regexRule(`[qz][0-9]{${nth + 1}}x`, ["subject"])),
    );
  const subject = `${"lorem ".repeat(20)}z1111x`;
  expect(leaping(4)({ subject })).toMatchObject({ by: "r3", setsRun: 0, candidates: 4 });
  expect(leaping(5)({ subject })).toMatchObject({ by: "r3", setsRun: 1, candidates: 1 });
  // These can start anywhere.
  const anywhere = ["[a-z]+[0-9]{7}", ".{3}[0-9]{4}"].map((regex) => regexRule(regex, ["subject"]));
  expect(planOf(anywhere.slice(1))({ subject })).toMatchObject({ by: "r0", setsRun: 0 });
  expect(planOf(anywhere)({ subject })).toMatchObject({ by: "r1", setsRun: 1, candidates: 1 });
});

test("patterns without a literal run in sets of 32, 128, 128 …, until an earlier rule matches", () => {
  // The first 3 rules are tried by themselves; 32 are a part of their own, and 256 the next.
  const plan = planOf([...FIRST_ON_BODY, ...open(3 + 288, "body").slice(3)]);
  const setsFor = (nth: number): readonly [string, number] => {
    const { by, setsRun } = plan({ body: textOf(nth) });
    return [by, setsRun];
  };
  expect([3, 34].map(setsFor)).toEqual([
    ["r3", 1],
    ["r34", 1],
  ]);
  expect([35, 66].map(setsFor)).toEqual([
    ["r35", 2],
    ["r66", 2],
  ]);
  expect([67, 194].map(setsFor)).toEqual([
    ["r67", 3],
    ["r194", 3],
  ]);
  expect([195, 290].map(setsFor)).toEqual([
    ["r195", 4],
    ["r290", 4],
  ]);
  expect(plan({ body: "-" })).toMatchObject({ setsRun: 4, candidates: 3 });
});

test("sets of patterns over a subject are all run until a rule matches", () => {
  const plan = planOf(open(32 + 32 + 256, "subject"));
  expect(plan({ subject: textOf(31) })).toMatchObject({ by: "r31", setsRun: 1 });
  expect(plan({ subject: textOf(63) })).toMatchObject({ by: "r63", setsRun: 2 });
  expect(plan({ subject: textOf(319) })).toMatchObject({ by: "r319", setsRun: 5 });
});

test("a set is not run for rules behind one that matches", () => {
  const rules = [
    ...FIRST_ON_BODY,
    regexRule("order", ["body"]),
    ...open(8, "body"),
    regexRule("bill", ["body"]),
  ];
  const plan = planOf(rules);
  expect(plan({ body: `order${textOf(0)}` })).toMatchObject({ by: "r3", setsRun: 0 });
  expect(plan({ body: `bill${textOf(7)}` })).toMatchObject({ by: "r11", setsRun: 1 });
  expect(plan({ body: "bill" })).toMatchObject({ by: "r12", setsRun: 1 });
  const [order, bill] = ["order \\d", "bill \\d"].map((regex) => regexRule(regex, ["body"]));
  const missed = planOf([...FIRST_ON_BODY, order!, ...open(8, "body"), bill!]);
  const candidates = FIRST_ON_BODY.length + 2;
  expect(missed({ body: `order bill${textOf(7)}` })).toMatchObject({ by: "r11", candidates });
  const first = planOf([...open(8, "subject"), aliasRule("a"), ...open(8, "subject")]);
  expect(first({ subject: textOf(2) })).toMatchObject({ by: "r2", candidates: 2 });
  const behind = planOf([aliasRule("a"), ...open(8, "subject")]);
  expect(behind({ subject: textOf(2) })).toMatchObject({ by: "r0", setsRun: 0 });
});

test("one set serves every domain with the same patterns, and no other", () => {
  const compiler = createCompiler();
  const decide = (from: number, subject: string): string => {
    const result = compiler.compileDomain(domainOf(open(from + 8, "subject").slice(from)));
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
    const resolution = resolve(result.domain, { recipient: "a@own.test", sender: "", subject });
    return resolution.verdict === "decided" ? (resolution.decidedBy?.id ?? "fallback") : "unknown";
  };
  expect(decide(0, textOf(1))).toBe("r1");
  expect(decide(4, textOf(6))).toBe("r2");
  expect(compiler.stats().sets).toMatchObject({ hits: 0, misses: 2 });
  expect(decide(0, textOf(3))).toBe("r3");
  expect(compiler.stats().sets).toMatchObject({ hits: 1, misses: 2 });
});

test("a pattern that many rules share is run once", () => {
  const shared = (count: number) =>
    Array.from({ length: count }, () => regexRule("[A-Z]{3}[0-9]{4}", ["body"]));
  const body = "漢字".repeat(200);
  expect(planOf([...FIRST_ON_BODY, ...shared(4)])({ body })).toMatchObject({ setsRun: 0 });
  const plan = planOf([...FIRST_ON_BODY, ...shared(20)]);
  expect(plan({ body })).toMatchObject({
    by: "fallback",
    setsRun: 1,
    candidates: FIRST_ON_BODY.length,
  });
  expect(plan({ body: `${body}ABC1234` })).toMatchObject({ by: "r3", setsRun: 1 });
});
