/** What `explain` tells of each alias and rule. */
import { describe, expect, test } from "vitest";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { type CompiledDomain, compileDomain } from "../../../src/engine/routing/compile-domain.ts";
import { explain } from "../../../src/engine/routing/explain.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";

function domainOf(config: object): CompiledDomain {
  const result = compileDomain({ domain: "own.test", routing_engine: "rules", ...config });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.domain;
}

const rule = (id: string, type: string, config: object, more: object = {}): object => ({
  id,
  type,
  config: { forward: "m@x.test", ...config },
  ...more,
});
const alias = (id: string, text: string, more: object = {}): object =>
  rule(id, "alias", { alias: text }, more);
const FACTS: Facts = {
  recipient: "info+x@own.test",
  sender: "ann@x.test",
  subject: "hello",
  body: "word 42",
  headers: new Map(),
  attachments: [],
  size: 9,
};

describe("a rule", () => {
  test("is told as matched, missed, inactive, failed or unreached", () => {
    const rules = [
      alias("off", "info", { active: false }),
      alias("other", "sales"),
      rule("fails", "regex", { regex: "(w.*)", scopes: ["body"], forward: "$1@y.test" }),
      alias("wins", "info"),
      alias("off late", "info", { active: false }),
      rule("late", "cel", { expression: "true" }),
    ];
    const { resolution, trace } = explain(domainOf({ rules }), FACTS);
    expect(resolution).toMatchObject({ decidedBy: { kind: "rule", id: "wins" } });
    expect(trace).toEqual([
      {
        kind: "rule",
        id: "off",
        rank: 1,
        verdict: "inactive",
        type: "alias",
        alias: "info",
        form: "literal",
      },
      {
        ...{ kind: "rule", id: "other", rank: 2, verdict: "missed", type: "alias" },
        ...{ alias: "sales", form: "literal", actual: "info+x" },
      },
      {
        ...{ kind: "rule", id: "fails", rank: 3, verdict: "failed", type: "regex", regex: "(w.*)" },
        scopes: [
          {
            ...{ scope: "body", verdict: "matched", actual: "word 42" },
            span: { start: 0, end: 7 },
            captures: ["word 42"],
          },
        ],
        failure: expect.stringContaining("is neither a mailbox nor a webhook"),
      },
      {
        ...{ kind: "rule", id: "wins", rank: 4, verdict: "matched", type: "alias" },
        ...{ alias: "info", form: "subaddress", actual: "info+x" },
      },
      expect.objectContaining({ id: "off late", verdict: "inactive" }),
      {
        kind: "rule",
        id: "late",
        rank: 6,
        verdict: "unreached",
        type: "cel",
        expression: "true",
        steps: [],
      },
    ]);
  });

  test("that has captures tells them, and one without has none", () => {
    const rules = [alias("p", "(in)(f|g)o\\+x"), alias("w", "in*")];
    const traces = rules.map((one) => explain(domainOf({ rules: [one] }), FACTS).trace);
    expect(traces[0]).toEqual([
      expect.objectContaining({ form: "pattern", captures: ["in", "f"] }),
    ]);
    expect(traces[1]).toEqual([expect.not.objectContaining({ captures: expect.anything() })]);
    expect(traces[1]).toEqual([expect.objectContaining({ form: "wildcard", verdict: "matched" })]);
  });

  test("that waits for an unknown fact is undecided, and those after it are unreached", () => {
    const rules = [
      rule("waits", "regex", { regex: "4", scopes: ["subject", "body"] }),
      alias("late", "info"),
    ];
    const { body: _, ...partial } = FACTS;
    const { resolution, trace } = explain(domainOf({ rules }), partial);
    expect(resolution).toEqual({ verdict: "undecided", needs: "body" });
    expect(trace.map(({ verdict }) => verdict)).toEqual(["undecided", "unreached"]);
    expect(trace[0]).toMatchObject({
      scopes: [{ verdict: "missed" }, { scope: "body", verdict: "unknown" }],
    });
    const unknown = explain(domainOf({ rules: [alias("a", "info")] }), {});
    expect(unknown.resolution).toEqual({ verdict: "undecided", needs: "envelope" });
    expect(unknown.trace).toEqual([expect.not.objectContaining({ actual: expect.anything() })]);
  });

  test("whose forward is not paid for is over the budget", () => {
    const forward = Array.from({ length: 90 }, (_, nth) => `$1@d${nth}.test`).join(", ");
    const rules = [rule("fills", "regex", { regex: "(hel)", scopes: ["subject"], forward })];
    const domain = domainOf({ rules, rules_fallback_email: "fall@x.test" });
    const { fuel } = explain(domain, FACTS);
    const short = explain(domain, FACTS, { fuelMax: fuel - 1 });
    expect(short.resolution).toMatchObject({ reason: "over-budget" });
    expect(short.trace).toMatchObject([{ verdict: "over-budget" }]);
    expect(explain(domain, FACTS, { fuelMax: fuel }).trace).toMatchObject([{ verdict: "matched" }]);
  });
});

test("the resolution and its trace take no more than one budget", () => {
  const rules = Array.from({ length: 40 }, (_, nth) =>
    rule(`r${nth}`, "cel", {
      expression: `[1, 2, 3].all(v, v < 9 && subject != "${nth}") && ${nth} == 39`,
    }),
  );
  const domain = domainOf({ rules });
  const { fuel } = explain(domain, FACTS);
  const verdictsWith = (fuelMax: number): readonly string[] =>
    explain(domain, FACTS, { fuelMax }).trace.map(({ verdict }) => verdict);
  expect(new Set(verdictsWith(3 * fuel))).toEqual(new Set(["missed", "matched"]));
  const scarce = verdictsWith(Math.ceil(1.5 * fuel));
  expect(scarce[0]).toBe("missed");
  expect(scarce[38]).toBe("over-budget");
  expect(scarce[39]).toBe("matched");
});

test("a domain without routing has no trace", () => {
  const { resolution, trace } = explain(domainOf({ routing_engine: null }), FACTS);
  expect(resolution).toMatchObject({ reason: "routing-disabled" });
  expect(trace).toEqual([]);
});

describe("many wildcard and pattern aliases", () => {
  const texts = ["in*", "*fo+x", "*", "(i|j)nfo.*", "x*", "*q*", "yy*", "[a-z]+\\+x", "nf*"];
  const of = (count: number): CompiledDomain => {
    const aliases = texts.slice(0, count).map((one, nth) => ({
      ...{ id: `a${nth}`, alias: one, forward: `m${nth}@x.test` },
      created_at: `2026-01-0${9 - nth}T00:00:00Z`,
    }));
    return domainOf({ routing_engine: "alias", aliases });
  };

  test.each([7, 8, 9])("%i are tried by their longest literal, then by age", (count) => {
    const domain = of(count);
    const { resolution, trace } = explain(domain, FACTS);
    expect(resolve(domain, FACTS)).toEqual(resolution);
    expect(resolution).toMatchObject({ decidedBy: { kind: "alias", id: "a1", alias: "*fo+x" } });
    expect(trace[0]).toEqual({
      ...{ kind: "alias", id: "a1", alias: "*fo+x", form: "wildcard" },
      ...{ verdict: "matched", actual: "info+x" },
    });
    for (const local of ["j", "xylem", "aqb", "yyy", "jnfoo", "b+x", "inn"]) {
      const facts = { recipient: `${local}@own.test` };
      expect(resolve(domain, facts)).toEqual(explain(domain, facts).resolution);
    }
  });
});
