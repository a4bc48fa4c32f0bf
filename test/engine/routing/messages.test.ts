/** The words of diagnostics and of refused options, and the bounds at which they come. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { type CompiledDomain, compileDomain } from "../../../src/engine/routing/compile-domain.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";

const good = { domain: "own.test", routing_engine: "rules" };
const alias = (more: object): unknown => ({
  ...good,
  aliases: [{ alias: "a", forward: "m@x.test", ...more }],
});
const messagesOf = (config: unknown): readonly string[] => {
  const result = compileDomain(config);
  return result.ok ? [] : result.diagnostics.map(({ code, message }) => `${code}: ${message}`);
};
const NOT_FINITE = "is not a finite number: give one, decimals allowed, lower is tried first";
/** Destinations that fill so many code units. */
const forwardOf = (units: number): string => {
  const list = Array.from({ length: 99 }, (_, nth) => `m${nth}@x.test`).join(", ");
  return `${list}${" ".repeat(units - list.length - 1)},`.slice(0, -1) + " ".repeat(1);
};

describe("a field of the wrong type", () => {
  test.each([
    [null, "`alias` is null: give a string"],
    [[], "`alias` is an array: give a string"],
    [7, "`alias` is a number: give a string"],
    [{}, "`alias` is an object: give a string"],
    [undefined, "`alias` is missing: give a string"],
    ["  ", "`alias` is empty: fill it in"],
  ])("%j is named as what it is", (value, message) => {
    const [only, ...more] = messagesOf(alias({ alias: value }));
    expect(only?.split(": ").slice(1).join(": ")).toBe(message);
    expect(more).toEqual([]);
  });

  test("is told what it should be", () => {
    expect(messagesOf({ ...good, rules: 7 })).toEqual([
      "config/wrong-type: `rules` is a number: give an array",
    ]);
    expect(messagesOf({ ...good, rules: [7] })).toEqual([
      "config/not-an-object: `rules[0]` is a number: give an object",
    ]);
    const rule = { type: "alias", config: 7, active: 7 };
    expect(messagesOf({ ...good, rules: [rule] })).toEqual([
      "config/wrong-type: `active` is a number: write true or false",
      "config/wrong-type: `config` is a number: give an object",
    ]);
  });

  test("a text is named as a text, and so is what should be one", () => {
    expect(messagesOf({ ...good, rules: [{ type: "alias", config: "a" }] })).toEqual([
      "config/wrong-type: `config` is a text: give an object",
    ]);
    expect(messagesOf({ ...good, rules: ["a"] })).toEqual([
      "config/not-an-object: `rules[0]` is a text: give an object",
    ]);
    expect(messagesOf({ ...good, rules: [[]] })).toEqual([
      "config/not-an-object: `rules[0]` is an array: give an object",
    ]);
    for (const id of [7, true]) {
      expect(messagesOf(alias({ id }))).toEqual([
        `config/wrong-type: \`id\` is a ${typeof id}: write a text`,
      ]);
    }
  });

  test.each([
    ["yes", "a text: write true, without quotes"],
    [" TRUE ", "a text: write true, without quotes"],
    ["off", "a text: write false, without quotes"],
    ["perhaps", "a text: write true or false"],
    [0, "a number: write false"],
    [1, "a number: write true"],
    [null, "null: write true or false"],
  ])("`active` of %j says which of the two is meant", (active, said) => {
    const rules = [{ type: "alias", config: { alias: "a", forward: "m@x.test" }, active }];
    expect(messagesOf({ ...good, rules })).toEqual([`config/wrong-type: \`active\` is ${said}`]);
  });

  test.each<[unknown, string]>([
    [" 7 ", "is a text: write 7, without quotes"],
    ...["", " ", "first", [5], true, null, Number.NaN].map((rank): [unknown, string] => [
      rank,
      NOT_FINITE,
    ]),
  ])("`rank` of %j is no number", (rank, said) => {
    const rules = [{ type: "alias", config: { alias: "a", forward: "m@x.test" }, rank }];
    expect(messagesOf({ ...good, rules })).toEqual([`rule/rank-not-finite: \`rank\` ${said}`]);
  });

  test.each([
    ["sieve", "rule/unknown-type: `sieve` is not a rule type: use one of"],
    [7, "rule/unknown-type: this is not a rule type: use one of"],
    [undefined, "config/missing-field: `type` is missing: give one of"],
  ])("the types of rules are listed where one says %j", (type, said) => {
    const rules = [{ type, config: { alias: "a", forward: "m@x.test" } }];
    expect(messagesOf({ ...good, rules })).toEqual([`${said} \`alias\`, \`regex\`, \`cel\``]);
  });

  test.each([
    ["Rules", "domain/unknown-routing-engine: `Rules` is not a routing engine: give"],
    [7, "domain/unknown-routing-engine: this is not a routing engine: give"],
    [undefined, "config/missing-field: `routing_engine` is missing: give"],
  ])("the routing engines are listed where a domain says %j", (routing_engine, said) => {
    expect(messagesOf({ domain: "own.test", routing_engine })).toEqual([
      `${said} \`alias\`, \`rules\`, or null for no routing`,
    ]);
  });

  test("an alias that no address can have says what to do", () => {
    const octets = "é".repeat(32);
    expect(messagesOf(alias({ alias: octets }))).toEqual([]);
    for (const [text, said] of [
      ["a@own.test", "an alias is the part before the `@`: leave out the domain"],
      ["a b", '`" "` cannot be in an alias: remove it'],
      [`${octets}e`, "longer than 64 octets, so no address can have it: shorten it"],
    ]) {
      expect(messagesOf(alias({ alias: text }))).toEqual([`alias/invalid: ${said}`]);
    }
  });

  test("an alias given twice is named, with the entry that came first", () => {
    const aliases = ["b", "a", "A"].map((text) => ({ alias: text, forward: "m@x.test" }));
    expect(messagesOf({ ...good, aliases })).toEqual([
      "alias/duplicate: `a` is already the alias of `aliases[1]`: join their destinations in one",
    ]);
  });

  test.each(["a", "*", "a*"])("the alias `%s` has no groups", (text) => {
    const [only, ...more] = messagesOf(alias({ alias: text, forward: "$1@x.test" }));
    expect(only).toMatch(/^destination\/unknown-capture: /);
    expect(more).toEqual([]);
  });

  test("an `id` of the wrong type is not also a duplicate", () => {
    const entry = { id: 7, type: "alias", config: { alias: "a", forward: "m@x.test" } };
    const wrong = "config/wrong-type: `id` is a number: write a text";
    expect(messagesOf({ ...good, rules: [entry, entry] })).toEqual([wrong, wrong]);
  });

  test("a missing field says which name may be misspelt, which is never its own", () => {
    const aliases = [{ alias: "a", forwad: "m@x.test" }];
    expect(messagesOf({ ...good, aliases })).toEqual([
      "config/missing-field: `forward` is missing: write `forward` for `forwad`",
    ]);
    expect(messagesOf(alias({ forward: undefined }))).toEqual([
      "config/missing-field: `forward` is missing: give a string",
    ]);
  });

  test("a timestamp begins with its date", () => {
    const message = (text: string): string =>
      `config/wrong-type: \`${text}\` is not a timestamp: write it as \`2026-01-31T12:00:00Z\``;
    for (const text of [
      "on 2026-01-31",
      "2026",
      "2026-99-99",
      "1 Jan 2026",
      "+002026-01-31T00:00:00Z",
    ]) {
      expect(messagesOf(alias({ created_at: text }))).toEqual([message(text)]);
    }
    expect(messagesOf(alias({ created_at: "2026-01-31" }))).toEqual([]);
  });
});

describe("bounds", () => {
  test("of a text", () => {
    const most = LIMITS.forwardUnitsMax;
    expect(messagesOf(alias({ forward: forwardOf(most) }))).toEqual([]);
    expect(messagesOf(alias({ forward: forwardOf(most + 1) }))).toEqual([
      `config/too-long: \`forward\` has ${most + 1} characters: at most ${most} are allowed`,
    ]);
  });

  test("of a list", () => {
    const most = LIMITS.aliasesMax;
    const of = (count: number): unknown => ({ ...good, aliases: new Array(count).fill(7) });
    expect(messagesOf(of(most + 1))).toEqual([
      `config/too-many: \`aliases\` has ${most + 1} entries: at most ${most} are allowed`,
    ]);
    expect(messagesOf(of(most))[1]).toContain("config/not-an-object");
  });
});

describe("a budget", () => {
  const compiled = compileDomain(good);
  const resolveWith = (fuelMax: never): unknown =>
    resolve((compiled as { domain: CompiledDomain }).domain, {}, { fuelMax });

  test("that is no number is named", () => {
    expect(() => resolveWith("5" as never)).toThrow("`fuelMax` is a string: give a number");
    expect(() => resolveWith(-1 as never)).toThrow(
      "`fuelMax` is -1: give a number that is not negative",
    );
    expect(() => resolveWith(Number.NaN as never)).toThrow("`fuelMax` is NaN");
  });

  test("of nothing is one", () => {
    expect(resolveWith(0 as never)).toMatchObject({ verdict: "decided" });
  });
});
