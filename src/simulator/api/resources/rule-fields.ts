/** The fields of a rule that both versions share, as they are shown and as they are sent (API v4 §2 Rule). */
import { z } from "zod";
import type { RuleField } from "../../../engine/routing/rules/rule-type.ts";
import { RULE_TYPES } from "../../../engine/routing/rules/rule-types.ts";
import type { ReadEntry } from "../../model/batch.ts";
import type { RuleRow } from "../../model/records.ts";
import { toJsonSchema } from "../json-schema.ts";
import { type Field, field } from "../presenter.ts";
import { entryReader } from "../read/read-fields.ts";

function schemaOf({ holds }: RuleField<unknown>): z.ZodType {
  return holds === "text" ? z.string() : z.array(z.enum(holds.anyOf));
}

/** The config of each type of rule; for a host's own types, any object. */
const configs = z.union([
  ...Object.values(RULE_TYPES).map(({ fields }) => {
    const shape = Object.entries(fields).map(([name, one]) => [name, schemaOf(one)]);
    return z.strictObject({ ...Object.fromEntries(shape), forward: z.string() });
  }),
  z.record(z.string(), z.unknown()),
]);

const CONFIG: z.ZodType<Readonly<Record<string, unknown>>> = configs.meta({ id: "RuleConfig" });

/** The engine checks the types, including the host's own. */
const RULE_TYPE = z.string().meta({ examples: Object.keys(RULE_TYPES) });

export const RULE_FIELDS: Readonly<Record<string, Field<RuleRow>>> = {
  id: field(z.string().meta({ format: "uuid" }), (row) => row.id),
  type: field(RULE_TYPE, (row) => row.type),
  config: field(CONFIG, (row) => row.config),
  rank: field(z.number(), (row) => row.rank),
  active: field(z.boolean(), (row) => row.active),
};

/** An object; the engine checks the fields that the rule's type needs. */
const config = z
  .record(z.string(), z.unknown())
  .meta({ anyOf: toJsonSchema(configs, "sent").anyOf, description: "depends on the type" });

const rank = z.number().optional().meta({ description: "lower ones come first" });
const active = z.boolean().optional().meta({ description: "whether it takes part" });
const id = z.string().optional().meta({ description: "a UUID; by default one is made" });

export const NEW_RULE: z.ZodObject = z.object({ type: RULE_TYPE, config, rank, active, id });

/** Of an entry of a batch. */
export const readNewRule: ReadEntry = entryReader(NEW_RULE);

// ASSUMPTION(rule-config-kept): an update without `config` keeps it, though the text calls it required
export const RULE_CHANGES: z.ZodObject = z.object({ config: config.optional(), rank, active });

/** An entry of a batch of changes. */
export const CHANGED_RULE: z.ZodObject = RULE_CHANGES.extend({ id: z.string() });
