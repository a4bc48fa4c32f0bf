import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { withRuleTypes } from "../../scripts/build-schema.ts";
import { compileDomain } from "../../src/engine/routing/compile-domain.ts";

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
}

const SCHEMA = readJson("schema/domain.schema.json");
const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(
  SCHEMA,
);

test("says what the records of the rule types say", () => {
  expect(SCHEMA).toEqual(withRuleTypes(SCHEMA));
});

const BASE = { domain: "shop.example", routing_engine: "rules" };
const ALIAS = { alias: "sales", forward: "x@else.test" };

function withRule(rule: unknown): object {
  return { ...BASE, rules: [rule] };
}

function withConfig(type: string, config: unknown): object {
  return withRule({ type, config });
}

const REGEX = { regex: "x", scopes: ["subject"], forward: "x@else.test" };
const CEL = { expression: 'subject == "x"', forward: "x@else.test" };

const GOOD: readonly (readonly [string, unknown])[] = [
  ["the least", BASE],
  ["routing disabled", { ...BASE, routing_engine: null }],
  ["the API's domain object", { domain: { ...BASE, banned: false }, aliases: [], rules: [] }],
  ["no fallback", { ...BASE, rules_fallback_email: null }],
  ["a fallback", { ...BASE, rules_fallback_email: "x@else.test" }],
  ["U-labels", { ...BASE, domain: "bücher.example" }],
  ["fields that are not known", { ...BASE, strict_mxes: true, limit: 20, total: 0 }],
  ["an alias by hand", { ...BASE, aliases: [ALIAS] }],
  [
    "an alias of the API",
    {
      ...BASE,
      aliases: [
        {
          ...ALIAS,
          id: "1",
          created_at: "2026-01-31T12:00:00Z",
          updated_at: "2026-01-31T12:00:00Z",
        },
      ],
    },
  ],
  ["an alias rule", withConfig("alias", ALIAS)],
  ["a regex rule", withConfig("regex", REGEX)],
  ["a CEL rule", withConfig("cel", CEL)],
  [
    "a rule with all its fields",
    withRule({ id: "r", type: "cel", config: CEL, rank: 1.5, active: false }),
  ],
  ["a negative rank", withRule({ type: "cel", config: CEL, rank: -3 })],
  [
    "every scope",
    withConfig("regex", { ...REGEX, scopes: ["sender", "recipient", "subject", "body"] }),
  ],
];

const BAD: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["an array", []],
  ["a text", "shop.example"],
  ["no domain", { routing_engine: "rules" }],
  ["a domain that is a number", { ...BASE, domain: 1 }],
  ["a domain that is an array", { ...BASE, domain: [] }],
  ["an empty domain", { ...BASE, domain: "" }],
  ["a blank domain", { ...BASE, domain: " " }],
  ["a domain object without a name", { domain: { routing_engine: "rules" } }],
  ["a domain object without a routing engine", { domain: { domain: "shop.example" } }],
  [
    "the routing engine beside the domain object",
    { domain: { domain: "shop.example" }, routing_engine: "rules" },
  ],
  ["no routing engine", { domain: "shop.example" }],
  ["an unknown routing engine", { ...BASE, routing_engine: "Rules" }],
  ["a fallback that is a number", { ...BASE, rules_fallback_email: 1 }],
  ["an empty fallback", { ...BASE, rules_fallback_email: "" }],
  ["aliases that are null", { ...BASE, aliases: null }],
  ["aliases that are an object", { ...BASE, aliases: {} }],
  ["an alias that is a text", { ...BASE, aliases: ["sales"] }],
  ["an alias without a forward", { ...BASE, aliases: [{ alias: "sales" }] }],
  ["an alias without its text", { ...BASE, aliases: [{ forward: "x@else.test" }] }],
  ["an alias whose id is a number", { ...BASE, aliases: [{ ...ALIAS, id: 1 }] }],
  ["a forward that is null", { ...BASE, aliases: [{ ...ALIAS, forward: null }] }],
  ["a forward that is a list", { ...BASE, aliases: [{ ...ALIAS, forward: ["x@else.test"] }] }],
  ["a forward too long", { ...BASE, aliases: [{ ...ALIAS, forward: "x".repeat(10_001) }] }],
  ["a time that is none", { ...BASE, aliases: [{ ...ALIAS, created_at: "yesterday" }] }],
  ["a time in seconds", { ...BASE, aliases: [{ ...ALIAS, created_at: 1_700_000_000 }] }],
  ["rules that are null", { ...BASE, rules: null }],
  ["a rule that is null", withRule(null)],
  ["a rule without a type", withRule({ config: ALIAS })],
  ["a rule of an unknown type", withConfig("glob", ALIAS)],
  ["a rule without a config", withRule({ type: "alias" })],
  ["a rule whose config is an array", withConfig("alias", [])],
  ["a rule whose rank is a text", withRule({ type: "alias", config: ALIAS, rank: "1" })],
  ["a rule whose rank is null", withRule({ type: "alias", config: ALIAS, rank: null })],
  ["a rule whose active is a number", withRule({ type: "alias", config: ALIAS, active: 1 })],
  ["an alias rule without an alias", withConfig("alias", { forward: "x@else.test" })],
  ["a regex rule with an alias's config", withConfig("regex", ALIAS)],
  ["a regex rule without scopes", withConfig("regex", { ...REGEX, scopes: undefined })],
  ["a regex rule with empty scopes", withConfig("regex", { ...REGEX, scopes: [] })],
  ["a regex rule with an unknown scope", withConfig("regex", { ...REGEX, scopes: ["from"] })],
  ["a regex rule whose scopes are a text", withConfig("regex", { ...REGEX, scopes: "subject" })],
  ["a regex too long", withConfig("regex", { ...REGEX, regex: "x".repeat(1_025) })],
  ["a CEL rule without an expression", withConfig("cel", { forward: "x@else.test" })],
  ["an empty expression", withConfig("cel", { ...CEL, expression: " " })],
  [
    "an expression too long",
    withConfig("cel", { ...CEL, expression: `"${"x".repeat(3_000)}" == ""` }),
  ],
];

describe("the schema of domain files agrees with the compiler", () => {
  test.each(GOOD)("accepts %s", (_, config) => {
    expect(compileDomain(config)).toMatchObject({ ok: true });
    validate(config);
    expect(validate.errors).toBeNull();
  });

  test.each(BAD)("refuses %s", (_, config) => {
    const asFile = JSON.parse(JSON.stringify(config));
    expect(compileDomain(asFile)).toMatchObject({ ok: false });
    expect(validate(asFile)).toBe(false);
  });

  test("every field has a description, for editors to show", () => {
    const missing: string[] = [];
    const visit = (schema: unknown, path: string): void => {
      if (schema === null || typeof schema !== "object") return;
      for (const [name, inner] of Object.entries(schema)) visit(inner, `${path}/${name}`);
      const { properties } = schema as { properties?: Record<string, Record<string, unknown>> };
      // In a condition, fields are compared and not offered.
      if (properties === undefined || /\/(if|then)$/.test(path)) return;
      for (const [name, field] of Object.entries(properties)) {
        const ref = typeof field.$ref === "string" ? field.$ref.split("/").at(-1) : undefined;
        const target = ref === undefined ? field : definitions[ref];
        if (target?.description === undefined) missing.push(`${path}/${name}`);
      }
    };
    const definitions = SCHEMA.definitions as Record<string, Record<string, unknown>>;
    visit(SCHEMA, "");
    expect(missing).toEqual([]);
  });

  test("the demo's domain names the schema, and follows it", () => {
    const domain = readJson("corpus/demo/domain.json");
    expect(domain.$schema).toBe("../../schema/domain.schema.json");
    validate(domain);
    expect(validate.errors).toBeNull();
  });
});
