/** The fields of a rule that both versions share, as they are shown and as they are sent (API v4 §2 Rule). */
import { z } from "zod";
import type { RuleRow } from "../service/records.ts";
import { toJsonSchema } from "./json-schema.ts";
import { type Field, field } from "./presenter.ts";

const SCOPES = ["sender", "recipient", "subject", "body"] as const;
const forward = z.string();

const configs = z.union([
  z.strictObject({ alias: z.string(), forward }),
  z.strictObject({ regex: z.string(), scopes: z.array(z.enum(SCOPES)), forward }),
  z.strictObject({ expression: z.string(), forward }),
]);

const CONFIG: z.ZodType<Readonly<Record<string, unknown>>> = configs.meta({ id: "RuleConfig" });

const RULE_TYPE = z.enum(["alias", "regex", "cel"]);

export const RULE_FIELDS: Readonly<Record<string, Field<RuleRow>>> = {
  id: field(z.string().meta({ format: "uuid" }), (row) => row.id),
  type: field(RULE_TYPE as z.ZodType<string>, (row) => row.type),
  config: field(CONFIG, (row) => row.config),
  rank: field(z.number(), (row) => row.rank),
  active: field(z.boolean(), (row) => row.active),
};

/** An object, of which the engine checks what the rule's type asks for. */
const config = z
  .record(z.string(), z.unknown())
  .meta({ oneOf: toJsonSchema(configs, "sent").anyOf, description: "depends on the type" });

const rank = z.number().optional().meta({ description: "lower ones come first" });
const active = z.boolean().optional().meta({ description: "whether it takes part" });
const id = z.string().optional().meta({ description: "a UUID; by default one is made" });

export const NEW_RULE: z.ZodObject = z.object({ type: RULE_TYPE, config, rank, active, id });

// ASSUMPTION(rule-config-kept): an update without `config` keeps it, though the text calls it required
export const RULE_CHANGES: z.ZodObject = z.object({ config: config.optional(), rank, active });

/** An entry of a batch of changes. */
export const CHANGED_RULE: z.ZodObject = RULE_CHANGES.extend({ id: z.string() });
