/** The types of a configuration say what `compileDomain` takes; tsc checks this file. */
import { expect, test } from "vitest";
import {
  compileDomain,
  type DomainConfig,
  type HostRuleConfig,
  LIMITS,
  type RuleConfig,
} from "../../../../src/index.ts";

const RULES: readonly RuleConfig[] = [
  { id: "orders", type: "alias", rank: 1, config: { alias: "orders", forward: "a@else.test" } },
  {
    type: "regex",
    rank: 2.5,
    active: false,
    created_at: "2026-01-31T12:00:00Z",
    config: { regex: "invoice (\\d+)", scopes: ["subject", "body"], forward: "b+$1@else.test" },
  },
  { type: "cel", config: { expression: "size > 100", forward: "https://hooks.test/in" } },
];

test("a configuration as its type says compiles", () => {
  const config: DomainConfig = {
    domain: "shop.example",
    routing_engine: "rules",
    rules_fallback_email: null,
    aliases: [{ alias: "sales-*", forward: "c@else.test" }],
    rules: RULES,
  };
  expect(compileDomain(config).ok).toBe(true);
  const asTheApiHasIt: DomainConfig = {
    domain: { domain: "shop.example", routing_engine: null },
    rules: RULES,
  };
  expect(compileDomain(asTheApiHasIt).ok).toBe(true);
});

test("tsc names what does not belong", () => {
  // @ts-expect-error no such engine
  const engine: DomainConfig = { domain: "shop.example", routing_engine: "rule" };
  // @ts-expect-error `alias` is no field of a regex rule
  const mixed: RuleConfig = { type: "regex", config: { alias: "x", forward: "a@else.test" } };
  // @ts-expect-error no such scope
  const scope: RuleConfig = { type: "regex", config: { regex: "x", scopes: ["to"], forward: "a" } };
  const rules = [mixed, scope] as const;
  expect(compileDomain({ ...engine, rules }).ok).toBe(false);
  // What is not known is taken too, and checked.
  const unknown: unknown = JSON.parse("[]");
  expect(compileDomain(unknown).ok).toBe(false);
});

test("rules of a host's own types have a type of their own", () => {
  type HeaderRule = HostRuleConfig<"header", { readonly header: string }>;
  const config: DomainConfig<HeaderRule> = {
    domain: "shop.example",
    routing_engine: "rules",
    rules: [{ type: "header", config: { header: "List-Id", forward: "a@else.test" } }, ...RULES],
  };
  const compiled = compileDomain(config);
  expect(compiled.ok ? [] : compiled.diagnostics.map(({ path }) => path)).toEqual([
    ["rules", 0, "type"],
  ]);
});

test("the limits that the documents cite can be read", () => {
  expect(LIMITS.messageFuelMax).toBeGreaterThan(0);
  expect(Object.values(LIMITS).every((limit) => typeof limit === "number")).toBe(true);
});
