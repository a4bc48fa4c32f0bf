/** The budget of a message: a guard over the whole resolution, in every way to ask. */
import { expect, test } from "vitest";
import { Guard } from "../../../src/base/guard.ts";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { compilePattern } from "../../../src/engine/pattern/engines/compile-pattern.ts";
import { type CompiledDomain, compileDomain } from "../../../src/engine/routing/compile-domain.ts";
import { explain } from "../../../src/engine/routing/explain.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { createResolveStats } from "../../../src/engine/routing/resolve-stats.ts";

type Record_ = Readonly<Record<string, unknown>>;

function domainOf(config: object): CompiledDomain {
  const result = compileDomain({ domain: "own.test", routing_engine: "rules", ...config });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.domain;
}

const forward = "m@x.test";
const regex = (source: string, scopes: readonly string[], to = forward): Record_ => ({
  type: "regex",
  config: { regex: source, scopes, forward: to },
});
const FACTS: Facts = {
  recipient: "info@own.test",
  sender: "ann@x.test",
  subject: "hello",
  body: "word ".repeat(1_000),
  headers: new Map(),
  attachments: [],
  size: 5_000,
};
const LAST = { id: "last", type: "alias", config: { alias: "*", forward } };
const rules = [{ id: "digits", ...regex("[0-9]{3}", ["body"]) }, LAST];
const fallback = { rules_fallback_email: "fall@x.test" };

test("a guard refuses everything after it has refused once", () => {
  const guard = new Guard(20);
  expect([guard.take(15), guard.left]).toEqual([true, 5]);
  expect([guard.take(20), guard.left, guard.isSpent]).toEqual([false, 0, true]);
  expect([guard.take(5), guard.take(0), guard.used]).toEqual([false, false, 15]);
  for (const units of [Number.NaN, -1, undefined as never]) {
    const other = new Guard(1);
    const message = `a guard cannot take ${units} units: give 0 or more`;
    expect(() => other.take(units)).toThrow(new RangeError(message));
    expect([other.used, other.isSpent]).toEqual([0, false]);
  }
});

test("over-budget-reply: a spent budget is the fallback, or 554 5.3.4 without one, never a later rule", () => {
  const options = { fuelMax: 2_000 };
  expect(resolve(domainOf({ rules, ...fallback }), FACTS)).toMatchObject({
    decidedBy: { id: "last" },
  });
  expect(resolve(domainOf({ rules, ...fallback }), FACTS, options)).toEqual({
    verdict: "decided",
    action: "forward",
    reason: "over-budget",
    destinations: [{ kind: "mailbox", address: "fall@x.test" }],
    decidedBy: null,
  });
  expect(resolve(domainOf({ rules }), FACTS, options)).toMatchObject({
    action: "reject",
    reason: "over-budget",
    reply: { code: 554, enhanced: "5.3.4" },
  });
});

test("while facts are unknown, a spent budget is undecided, with the stage that may bring them", () => {
  const domain = domainOf({ rules: [{ ...regex("[0-9]{3}", ["subject"]) }, LAST] });
  const subject = "word ".repeat(1_000);
  const { recipient, sender, headers } = FACTS;
  const options = { fuelMax: 2_000 };
  const resolution = resolve(domain, { recipient, sender, headers, subject }, options);
  expect(resolution).toEqual({ verdict: "undecided", needs: "body" });
  expect(resolve(domain, { recipient, subject }, options)).toMatchObject({ needs: "header" });
});

test("explain tells the same, where the budget ended and what was not reached", () => {
  const { resolution, trace, fuel } = explain(domainOf({ rules }), FACTS, { fuelMax: 2_000 });
  expect(resolution).toMatchObject({ reason: "over-budget" });
  expect(trace.map(({ verdict }) => verdict)).toEqual(["over-budget", "over-budget"]);
  expect(fuel).toBeLessThanOrEqual(2_000);
});

test("explain shows what decided even where trying each rule costs more than resolving did", () => {
  const many = Array.from({ length: 50 }, (_, nth) => ({
    id: `r${nth}`,
    ...regex(`absent${nth}`, ["body"]),
  }));
  const domain = domainOf({ rules: [...many, LAST] });
  const { resolution, trace } = explain(domain, FACTS, { fuelMax: 300_000 });
  expect(resolution).toMatchObject({ decidedBy: { id: "last" } });
  expect(trace[0]).toMatchObject({ verdict: "missed" });
  expect(trace[40]).toMatchObject({ verdict: "over-budget" });
  expect(trace.at(-1)).toMatchObject({ verdict: "matched" });
});

test("the counters tell how many messages ran over their budget", () => {
  const stats = createResolveStats();
  resolve(domainOf({ rules }), FACTS, { fuelMax: 2_000, stats });
  resolve(domainOf({ rules }), FACTS, { stats });
  expect(stats).toMatchObject({ messages: 2, overBudget: 1 });
});

test("aliases pay too: patterns beyond the budget are a reject", () => {
  const aliases = Array.from({ length: 30 }, (_, nth) => ({
    alias: `[a-z]{2,}(${nth}|x)`,
    forward,
  }));
  const domain = domainOf({ routing_engine: "alias", aliases });
  const facts = { recipient: `${"a".repeat(60)}x@own.test` };
  expect(resolve(domain, facts)).toMatchObject({ action: "forward" });
  expect(resolve(domain, facts, { fuelMax: 100 })).toMatchObject({
    action: "reject",
    reason: "over-budget",
    reply: { code: 554, enhanced: "5.3.4" },
  });
  expect(explain(domain, facts, { fuelMax: 100 }).trace[0]).toMatchObject({
    verdict: "over-budget",
  });
});

test("an expression stops where the message's budget ends, whatever its own would allow", () => {
  const expression = 'body.split("").map(c, c + c).size() > 0';
  const domain = domainOf({ rules: [{ type: "cel", config: { expression, forward } }] });
  expect(resolve(domain, FACTS)).toMatchObject({ reason: "rule" });
  expect(resolve(domain, FACTS, { fuelMax: 20_000 })).toMatchObject({ reason: "over-budget" });
});

test("a forward is paid for before it is filled, and fails where it would be too long", () => {
  const long = `${"$1".repeat(55)}@team.example`;
  const domain = domainOf({ rules: [{ id: "long", ...regex("(?s)(.*)", ["body"], long) }, LAST] });
  const { resolution, trace } = explain(domain, FACTS);
  expect(resolution).toMatchObject({ decidedBy: { id: "last" } });
  expect(trace[0]).toMatchObject({
    verdict: "failed",
    failure: expect.stringContaining("too long"),
  });
  const url = regex("(?s)(.*)", ["subject"], `https://h.test/${"$1".repeat(300)}`);
  const domains = [domainOf({ rules: [{ id: "url", ...url }] })];
  const subject = "é".repeat(6);
  const facts = { ...FACTS, subject };
  expect(resolve(domains[0]!, facts)).toMatchObject({ reason: "no-match" });
  expect(resolve(domains[0]!, facts, { fuelMax: 1_000 })).toMatchObject({ reason: "over-budget" });
});

test("a rule whose forward fails has failed: the plan tries no other scope", () => {
  const ticket = regex("ticket for (\\S+)", ["subject", "body"], "$1@team.example");
  const domain = domainOf({ rules: [{ id: "ticket", ...ticket }], ...fallback });
  const facts = { ...FACTS, subject: "ticket for <ann>", body: "ticket for bob" };
  const { body: _, ...header } = facts;
  const wanted = { reason: "fallback", destinations: [{ address: "fall@x.test" }] };
  expect(explain(domain, facts).resolution).toMatchObject(wanted);
  expect(resolve(domain, facts)).toMatchObject(wanted);
  expect(resolve(domain, header)).toMatchObject(wanted);
});

test("facts of the wrong type are refused, and an invalid budget", () => {
  const domain = domainOf({ rules });
  const wrong: readonly (readonly [object, string])[] = [
    [{ headers: { "x-spam": ["yes"] } }, "`headers` is an object: give a `Map`"],
    [{ subject: null }, "`subject` is null: give a string"],
    [{ body: 5 }, "`body` is a number: give a string"],
    [{ recipient: ["a@own.test"] }, "`recipient` is an array: give a string"],
    [{ size: "5" }, "`size` is a string: give a whole number of octets"],
    [
      { attachments: [{ filename: "a" }] },
      "`attachments[0].contentType` is undefined: give a string",
    ],
  ];
  for (const [fact, message] of wrong) {
    const facts = { ...FACTS, ...fact } as Facts;
    for (const ask of [resolve, explain]) {
      expect(() => ask(domain, facts)).toThrow(TypeError);
      expect(() => ask(domain, facts)).toThrow(message);
    }
  }
  expect(() => resolve(domain, FACTS, { fuelMax: "5" as never })).toThrow(TypeError);
  expect(() => resolve(domain, FACTS, { fuelMax: Number.NaN })).toThrow(RangeError);
  expect(() => resolve(domain, FACTS, { fuelMax: null as never })).toThrow(
    new TypeError("`fuelMax` is null: give a number"),
  );
  expect(() => resolve(domain, FACTS, { fuelMax: [] as never })).toThrow(
    new TypeError("`fuelMax` is an array: give a number"),
  );
  for (const [facts, shown] of [
    [null, "null"],
    ["a", "a string"],
  ]) {
    expect(() => explain(domain, facts as never)).toThrow(`the facts are ${shown}: give an object`);
  }
  expect(() => resolve(domain, FACTS, null as never)).toThrow(
    new TypeError("the options are not an object: give one, or leave them out"),
  );
});

test("a getter among the facts may resolve another message with the same domain", () => {
  const words = Array.from({ length: 40 }, (_, nth) => regex(`word${nth}\\b`, ["subject", "body"]));
  const domain = domainOf({ rules: words.map((rule, nth) => ({ id: `w${nth}`, ...rule })) });
  const other = { ...FACTS, subject: "word7" };
  let asked = 0;
  const facts = {
    ...FACTS,
    subject: "nothing",
    get body(): string {
      asked++;
      expect(resolve(domain, other)).toMatchObject({ decidedBy: { id: "w7" } });
      return "word3";
    },
  };
  expect(resolve(domain, facts)).toMatchObject({ decidedBy: { id: "w3" } });
  expect(asked).toBe(1);
  const failing = {
    ...FACTS,
    get body(): string {
      throw new RangeError("not here");
    },
  };
  expect(() => resolve(domain, failing)).toThrow("not here");
  expect(resolve(domain, FACTS)).toMatchObject({ reason: "no-match" });
});

test("once the budget is spent, no more patterns are made ready", () => {
  const wide = (nth: number): string => `(?i)[\\x{${(0x80 + nth).toString(16)}}-\\x{1ffff}]\\x00`;
  const many = Array.from({ length: 2_000 }, (_, nth) => regex(wide(nth), ["body"]));
  const stats = createResolveStats();
  const resolution = resolve(domainOf({ rules: many }), FACTS, { fuelMax: 1_500_000, stats });
  expect(resolution).toMatchObject({ reason: "over-budget" });
  // Two sets of 128 are paid for; there are sixteen.
  expect(stats.setsRun).toBeLessThanOrEqual(5);
});

test("a scope whose search the budget did not cover has not missed", () => {
  const domain = domainOf({ rules: [{ id: "words", ...regex("(w)ord", ["subject", "body"]) }] });
  const { fuel } = explain(domain, FACTS);
  const [words] = explain(domain, FACTS, { fuelMax: fuel + 5_000 }).trace;
  expect(words).toMatchObject({
    verdict: "matched",
    scopes: [
      { scope: "subject", verdict: "unreached" },
      { scope: "body", verdict: "unreached" },
    ],
  });
});

test.each<[unknown, string]>([
  [{ domain: "own.test", routing_engine: "rules" }, "a domain that is not compiled"],
  [compileDomain({ domain: "own.test", routing_engine: "rules" }), "a domain that is not compiled"],
  [{}, "a domain that is not compiled"],
  [null, "null"],
  ["own.test", "a string"],
])("a domain that is not compiled is refused: %j", (domain, shown) => {
  const advice = "compile it with `compileDomain` first, and give `domain` of the result";
  for (const ask of [resolve, explain]) {
    expect(() => ask(domain as never, FACTS)).toThrow(
      new TypeError(`the domain is ${shown}: ${advice}`),
    );
  }
});

test.each<[unknown, string]>([
  [1, "a number"],
  [null, "null"],
  [{}, "an object"],
  [Object.freeze(createResolveStats()), "frozen"],
])("counters that cannot count are refused: %j", (stats, shown) => {
  expect(() => resolve(domainOf({ rules }), FACTS, { stats: stats as never })).toThrow(
    new TypeError(`\`stats\` is ${shown}: give what \`createResolveStats()\` returns`),
  );
});

test("what groups hold is paid for as far as the text is read, not for all of it", () => {
  const source = "(?s)order ([0-9]+).{0,100}total";
  const domain = domainOf({ rules: [{ id: "order", ...regex(source, ["body"], "$1@x.test") }] });
  const filler = "- ".repeat(35_000);
  for (const body of [`order 12 total${filler}`, `${filler}order 12 total`]) {
    const resolution = resolve(domain, { ...FACTS, body });
    expect(resolution).toMatchObject({ decidedBy: { id: "order" } });
  }
});

test("finding what groups hold stops soon after the budget is spent", () => {
  const result = compilePattern("(a{0,50}){0,9}z");
  if (!result.ok) throw new Error(result.problem.message);
  const text = `${"a".repeat(20_000)}z`;
  const whole = new Guard(Number.POSITIVE_INFINITY);
  expect(result.pattern.find(text, whole)).not.toBeNull();
  for (const part of [0.3, 0.7, 0.999]) {
    const guard = new Guard(Math.floor(part * whole.used));
    expect(result.pattern.find(text, guard)).toBeNull();
    expect(guard.isSpent).toBe(true);
    expect(guard.used).toBeGreaterThan(part * 0.9 * whole.used);
  }
});
