/** What `explain` tells of each alias and rule. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
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
    // Strict: a field without a value would be in the answers of the API.
    expect(trace).toStrictEqual([
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
    expect(traces[1]![0]).not.toHaveProperty("captures");
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
    expect(unknown.trace[0]).not.toHaveProperty("actual");
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

  test("that fails is over the budget where the trace cannot pay for its forward", () => {
    const paid = Array.from({ length: 20 }, (_, nth) => `$1@d${nth}.test`).join(", ");
    const forward = `${paid}, $2@last.test`;
    const rules = [
      rule("fails", "regex", { regex: "(hel)(.)o", scopes: ["subject"], forward }),
      alias("wins", "info"),
    ];
    const facts = { ...FACTS, subject: "hel<o" };
    const domain = domainOf({ rules });
    const { fuel } = explain(domain, facts);
    const verdicts = new Set<string>();
    for (let fuelMax = fuel; fuelMax < 3 * fuel; fuelMax += 100) {
      const { resolution, trace } = explain(domain, facts, { fuelMax });
      expect(resolution).toMatchObject({ decidedBy: { id: "wins" } });
      const [first, second] = trace;
      expect(second).toMatchObject({ verdict: "matched" });
      verdicts.add(first!.verdict);
      if (first!.verdict === "failed") {
        expect(first).toMatchObject({ failure: expect.stringContaining("`<@last.test`") });
      } else expect(first).not.toHaveProperty("failure");
    }
    expect(verdicts).toEqual(new Set(["over-budget", "failed"]));
  });

  test("that is reached after the budget is spent is not tried", () => {
    const rules = [
      rule("long", "regex", { regex: "[0-9]{3}", scopes: ["body"] }),
      alias("late", "info"),
    ];
    const facts = { ...FACTS, body: "word ".repeat(1_000) };
    const { trace } = explain(domainOf({ rules }), facts, { fuelMax: 2_000 });
    expect(trace[1]).toStrictEqual({
      ...{ kind: "rule", id: "late", rank: 2, verdict: "over-budget" },
      ...{ type: "alias", alias: "info", form: "literal" },
    });
  });
});

describe("a rule of type `cel`", () => {
  const traceOf = (expression: string, facts: Facts = FACTS, fuelMax?: number): object => {
    const domain = domainOf({ rules: [rule("c", "cel", { expression })] });
    return explain(domain, facts, fuelMax === undefined ? {} : { fuelMax }).trace[0]!;
  };

  test("that matches or misses has its steps and its fuel, and nothing else", () => {
    const missed = {
      ...{ kind: "rule", id: "c", rank: 1, verdict: "missed", type: "cel", expression: "size > 9" },
      steps: [
        { span: { start: 0, end: 4 }, value: "9" },
        { span: { start: 0, end: 8 }, value: "false" },
      ],
      fuel: expect.any(Number),
    };
    expect(traceOf("size > 9")).toStrictEqual(missed);
    expect(traceOf("size > 8")).toMatchObject({ verdict: "matched" });
  });

  test("that loops tallies its earlier iterations", () => {
    const entry = traceOf("[1, 2, 3].exists(n, n > 2)");
    expect(entry).toMatchObject({ earlier: [{ timesTrue: 0, timesFalse: 2 }] });
  });

  test("that fails says where, and one that waits does not", () => {
    const expression = "size > 1 && 1 / (size - size) > 0";
    expect(traceOf(expression)).toMatchObject({
      verdict: "failed",
      failure: expect.stringContaining("zero"),
      failureSpan: { start: expression.indexOf("1 /") },
    });
    const waits = traceOf(expression, {});
    expect(waits).toMatchObject({ verdict: "undecided" });
    expect(waits).not.toHaveProperty("failureSpan");
  });

  test("is not evaluated unless its length is paid for", () => {
    const expression = `size > 1${" ".repeat(100)}`;
    expect(traceOf(expression, FACTS, 100)).toStrictEqual({
      ...{ kind: "rule", id: "c", rank: 1, verdict: "over-budget", type: "cel", expression },
      steps: [],
    });
  });

  test("that spends its own fuel has failed, and the budget pays for it", () => {
    const loops =
      "body.split('').all(a, body.split('').all(b, body.split('').all(c, a + b + c != '')))";
    const domain = domainOf({
      rules: [rule("c", "cel", { expression: loops }), alias("next", "info")],
    });
    const facts = { ...FACTS, body: "x".repeat(300) };
    const { resolution, trace, fuel } = explain(domain, facts, { fuelMax: 1e9 });
    expect(resolution).toMatchObject({ decidedBy: { id: "next" } });
    expect(trace[0]).toMatchObject({ verdict: "failed" });
    expect(trace[0]).not.toHaveProperty("failureSpan");
    expect(fuel).toBeGreaterThanOrEqual(LIMITS.celFuelMax);
    expect(fuel).toBeLessThan(LIMITS.celFuelMax + 1_000);
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

  test("cost one search together, where a few are tried one by one", () => {
    const fuelOf = (count: number): number => {
      const aliases = Array.from({ length: count }, (_, nth) => ({
        alias: `x${nth}*`,
        forward: "m@x.test",
      }));
      const domain = domainOf({ routing_engine: "alias", aliases });
      const { resolution, fuel } = explain(domain, FACTS);
      expect(resolution).toMatchObject({ reason: "no-match" });
      return fuel;
    };
    expect(fuelOf(7)).toBe(7 * fuelOf(1));
    expect(fuelOf(8)).toBeLessThan(2 * fuelOf(1));
    expect(fuelOf(500)).toBeLessThan(2 * fuelOf(1));
  });
});
