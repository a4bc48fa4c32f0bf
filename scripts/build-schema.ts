/** Writes what the schema of domain files says of rule types, from the types' own records. `npm run schema` */
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { RuleField, RuleType } from "../src/engine/routing/rules/rule-type.ts";
import { RULE_TYPES } from "../src/engine/routing/rules/rule-types.ts";

const FILE = new URL("../schema/domain.schema.json", import.meta.url);

type Json = Record<string, unknown>;

function fieldSchema({ holds, schema }: RuleField<unknown>): Json {
  const { description, ...others } = schema ?? {};
  if ("$ref" in others) return others;
  const said = description === undefined ? {} : { description };
  if (holds === "text") return { ...said, type: "string", pattern: "\\S", ...others };
  return { ...said, type: "array", minItems: 1, items: { enum: holds.anyOf }, ...others };
}

function configSchema({ fields }: RuleType): Json {
  const properties = Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]);
  return {
    required: [...Object.keys(fields), "forward"],
    properties: { ...Object.fromEntries(properties), forward: { $ref: "#/definitions/forward" } },
  };
}

/** The schema with every rule type of `RULE_TYPES`, and no other. */
export function withRuleTypes(schema: Json): Json {
  const types = Object.values(RULE_TYPES);
  const definitions = Object.entries(schema.definitions as Json).filter(
    ([name]) => !name.endsWith("Config"),
  );
  const { rule, ...others } = Object.fromEntries(definitions) as { readonly rule: Json };
  const words = types.map(({ type, description }) => `\`${type}\` ${description}`).join(", ");
  const type = { description: `${words}.`, enum: types.map((each) => each.type) };
  const ways = types.map((each) => ({
    if: { properties: { type: { const: each.type } }, required: ["type"] },
    // biome-ignore lint/suspicious/noThenProperty: the schema is JSON, and nobody awaits it.
    then: { properties: { config: { $ref: `#/definitions/${each.type}Config` } } },
  }));
  const properties = { ...(rule.properties as Json), type };
  return {
    ...schema,
    definitions: {
      ...others,
      rule: { ...rule, properties, allOf: ways },
      ...Object.fromEntries(types.map((each) => [`${each.type}Config`, configSchema(each)])),
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const schema = JSON.parse(readFileSync(FILE, "utf8"));
  writeFileSync(FILE, JSON.stringify(withRuleTypes(schema)));
}
