/** Which rules a fact opens, by its value or by patterns that run together, and what finding them costs. */
import { expect, test } from "vitest";
import { createCompiler } from "../../../../src/engine/routing/compile-domain.ts";
import { resolve } from "../../../../src/engine/routing/resolve.ts";
import { domainOf } from "../../plan/worlds.ts";
import {
  aliasRule,
  celRule,
  FIRST_ON_BODY,
  learn,
  planOf,
  type RuleConfig,
  regexRule,
} from "./planned.ts";

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
  expect(plan({ body: "ab\ud83d" }).by).toBe("r4");
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
  // Once one is known to match, those before it are tried alone.
  expect(leaping(5)({ subject })).toMatchObject({ by: "r3", setsRun: 1, candidates: 4 });
  // These can start anywhere.
  const anywhere = ["[a-z]+[0-9]{7}", ".{3}[0-9]{4}"].map((regex) => regexRule(regex, ["subject"]));
  expect(planOf(anywhere.slice(1))({ subject })).toMatchObject({ by: "r0", setsRun: 0 });
  expect(planOf(anywhere)({ subject })).toMatchObject({ by: "r1", setsRun: 1, candidates: 2 });
});

test("patterns without a literal run in sets of 32, 128, 128 …, until an earlier rule matches", () => {
  // The parts have 32, 128 and 128 rules.
  const plan = planOf([...FIRST_ON_BODY, ...open(4 + 284, "body").slice(4)]);
  const setsFor = (nth: number): readonly [string, number] => {
    const { by, setsRun } = plan({ body: textOf(nth) });
    return [by, setsRun];
  };
  expect([4, 31].map(setsFor)).toEqual([
    ["r4", 1],
    ["r31", 1],
  ]);
  expect([32, 63].map(setsFor)).toEqual([
    ["r32", 2],
    ["r63", 2],
  ]);
  expect([64, 159].map(setsFor)).toEqual([
    ["r64", 3],
    ["r159", 3],
  ]);
  expect([160, 191, 192, 287].map(setsFor)).toEqual([
    ["r160", 4],
    ["r191", 4],
    ["r192", 5],
    ["r287", 5],
  ]);
  expect(plan({ body: "-" })).toMatchObject({ setsRun: 5, candidates: 0 });
});

test("sets of patterns over a subject are all run until a rule matches", () => {
  const plan = planOf(open(32 + 256, "subject"));
  // The parts have 16, 128 and 144 rules.
  expect(plan({ subject: textOf(15) })).toMatchObject({ by: "r15", setsRun: 1 });
  expect(plan({ subject: textOf(16) })).toMatchObject({ by: "r16", setsRun: 3 });
  expect(plan({ subject: textOf(287) })).toMatchObject({ by: "r287", setsRun: 5 });
});

test("a set is not run for rules behind one that matches", () => {
  const rules = [
    regexRule("order", ["body"]),
    ...open(8, "body"),
    regexRule("bill", ["body"]),
    ...FIRST_ON_BODY,
  ];
  const plan = planOf(rules);
  expect(plan({ body: `bill${textOf(7)}` })).toMatchObject({ by: "r8", setsRun: 1 });
  expect(plan({ body: "bill" })).toMatchObject({ by: "r9", setsRun: 1 });
  // One set reads the body for all rules, unless a rule of these is expected to match.
  expect(plan({ body: `order${textOf(0)}` })).toMatchObject({ by: "r0", setsRun: 1 });
  learn(plan, { body: `order${textOf(0)}` });
  expect(plan({ body: `order${textOf(0)}` })).toMatchObject({ by: "r0", setsRun: 0 });
  const first = planOf([...open(8, "subject"), aliasRule("a"), ...open(8, "subject")]);
  expect(first({ subject: textOf(2) })).toMatchObject({ by: "r2", setsRun: 1 });
  const behind = planOf([aliasRule("a"), ...open(8, "subject")]);
  expect(behind({ subject: textOf(2) })).toMatchObject({ by: "r0", setsRun: 0 });
});

test("a set ends with a rule that decides, unless many come before it or it may fail", () => {
  const [digits, many] = ["[a-z]+[0-9]{4}x", "x".repeat(5_000)];
  const quiet = Array.from({ length: 12 }, (_, nth) => regexRule(`[^x]{${nth + 2}}q`, ["body"]));
  const decides = regexRule(digits, ["body"]);
  const expectOf = (rules: readonly RuleConfig[], by: string, candidates: number): void =>
    expect(planOf(rules)({ body: `ab1234x ${many}` })).toMatchObject({
      by,
      candidates,
      setsRun: 1,
    });
  expectOf([...quiet.slice(0, 1), decides, ...quiet.slice(1)], "r1", 2);
  expectOf([...quiet.slice(0, 3), decides, ...quiet.slice(3)], "r3", 1);
  const capturing = (forward: string) => regexRule("([a-z]+)[0-9]{4}x", ["body"], forward);
  expectOf([capturing("$1@y.test"), ...quiet], "r0", 1);
  // It matches, and its forward fails: the rules behind it are tried.
  const fails = regexRule("( ?)[a-z]+[0-9]{4}x", ["body"], "$1@y.test");
  expectOf([fails, decides, ...quiet], "r1", 2);
  expectOf([fails, ...quiet, decides], "r13", 2);
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
    candidates: 0,
  });
  expect(plan({ body: `${body}ABC1234` })).toMatchObject({ by: "r4", setsRun: 1 });
  // Of the 128 rules of a part, too.
  const many = Array.from({ length: 160 }, () => regexRule("[a-z]+[0-9]{7}", ["body"]));
  expect(planOf(many)({ body: "lorem ".repeat(20) })).toMatchObject({ setsRun: 2, candidates: 0 });
});
