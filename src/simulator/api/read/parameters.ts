/** Parameters that several endpoints of both versions have. */
import { z } from "zod";
import { LIMITS } from "../../../base/limits.ts";
import type { BulkBehavior } from "../../model/batch.ts";
import type { NameOrder } from "../../model/domains/domains.ts";
import type { Page } from "../../model/list.ts";
import type { RankOrder } from "../../model/routing/rules.ts";
import { toJsonSchema } from "../json-schema.ts";

/** An optional text. */
export type Text = z.ZodOptional<z.ZodString>;

export function text(description: string): Text {
  return z.string().optional().meta({ description });
}

// ASSUMPTION(page-bounds): a limit, page or offset out of bounds is refused with 400, not brought into range
export function limit(standard: number, max: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(max).default(standard).meta({ description: "entries of a page" });
}

type ChoiceParameter<Value extends string> = z.ZodDefault<z.ZodEnum<{ [Name in Value]: Name }>>;

export const nameOrder: ChoiceParameter<NameOrder> = z
  .enum({
    name_asc: "name_asc",
    name_desc: "name_desc",
    created_asc: "created_asc",
    created_desc: "created_desc",
  })
  .default("name_asc");

export const rankOrder: ChoiceParameter<RankOrder> = z
  .enum({
    rank_asc: "rank_asc",
    rank_desc: "rank_desc",
    created_asc: "created_asc",
    created_desc: "created_desc",
  })
  .default("rank_asc");

export function flag(description: string): z.ZodOptional<z.ZodBoolean> {
  return z.boolean().optional().meta({ description });
}

export const page: z.ZodDefault<z.ZodInt> = z
  .int()
  .min(1)
  .max(LIMITS.pageMax)
  .default(1)
  .meta({ description: "number of the page, from 1" });

export const offset: z.ZodDefault<z.ZodInt> = z
  .int()
  .min(0)
  .max(LIMITS.offsetMax)
  .default(0)
  .meta({ description: "entries to pass over" });

export function pageOf(query: { readonly limit: number; readonly page: number }): Page {
  return { limit: query.limit, offset: (query.page - 1) * query.limit };
}

/** The confirmation that a client must send to delete all. */
export const allTrue: z.ZodLiteral<"true"> = z
  .literal("true")
  .meta({ description: "guard against an accidental wipe" });

/** The operation of a bulk request of version 3. */
export const behavior: ChoiceParameter<BulkBehavior> = z
  .enum({ add: "add", update: "update", delete: "delete" })
  .default("add");

/** A list whose entries are checked and refused one by one. */
export function entries(entry: z.ZodType, description: string): z.ZodArray<z.ZodUnknown> {
  const items = toJsonSchema(entry, "sent");
  return z.array(z.unknown()).meta({ items, maxItems: LIMITS.batchEntriesMax, description });
}

/** Without the fields that are `undefined`. */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof given<Fields>>;
}
