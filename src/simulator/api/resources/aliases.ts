/** Aliases in both versions: the fields to send, the fields shown, and their routes (API v4 and v3 §4 Aliases). */
import { z } from "zod";
import type { AliasRow } from "../../model/records.ts";
import {
  createAlias,
  deleteAlias,
  deleteAllAliases,
  getAlias,
  getAliasByNameOrId,
  listAliases,
  updateAlias,
} from "../../model/routing/aliases.ts";
import { PLAIN, SUCCEEDING } from "../answers.ts";
import { type Field, field, type Presenter, presenter } from "../presenter.ts";
import { given, limit, nameOrder, page, pageOf, text } from "../read/parameters.ts";
import type { Route } from "../route.ts";
import { epoch, isoSeconds, isoTimestamp } from "../timestamps.ts";
import { type EntryKind, entryRows } from "./rows/entry-rows.ts";
import { listRow } from "./rows/list-row.ts";

const alias = z.string().meta({ description: "local part, wildcard or pattern" });
const forward = z.string().meta({ description: "comma-separated destinations" });

export const NEW_ALIAS: z.ZodObject = z.object({ alias, forward });
/** An entry of a batch of changes. */
export const CHANGED_ALIAS: z.ZodObject = z.object({ id: z.string(), forward });

const NAMED: Readonly<Record<"alias" | "forward", Field<AliasRow>>> = {
  alias: field(z.string(), (row) => row.alias),
  forward: field(z.string(), (row) => row.forward),
};
const textId: Field<AliasRow> = field(z.string(), (row) => row.id);
const wholeId: Field<AliasRow> = field(z.int(), (row) => Number(row.id));

export const ALIAS_V4: Presenter<AliasRow> = presenter("v4.Alias", {
  id: textId,
  ...NAMED,
  created_at: field(isoTimestamp, (row) => isoSeconds(row.createdMs)),
  updated_at: field(isoTimestamp, (row) => isoSeconds(row.updatedMs)),
});

export const ALIAS_V3: Presenter<AliasRow> = presenter("v3.Alias", {
  id: wholeId,
  ...NAMED,
  created: field(epoch, (row) => row.createdMs),
});

/** After a create or an update, and in bulk answers. */
// ASSUMPTION(v3-bulk-alias): bulk answers have integer ids, as all but batches
export const SAVED_ALIAS_V3: Presenter<AliasRow> = presenter("v3.WrittenAlias", {
  ...NAMED,
  id: wholeId,
});

// ASSUMPTION(v3-batch-alias): an alias of a batch has no timestamps, like one that is created or updated alone
export const BATCH_ALIAS_V3: Presenter<AliasRow> = presenter("v3.BatchAlias", {
  ...NAMED,
  id: textId,
});

const KIND: EntryKind<AliasRow> = {
  one: "alias",
  many: "aliases",
  fresh: NEW_ALIAS,
  changes: z.object({ forward }),
  summaries: {
    get: "Get an alias",
    create: "Add an alias",
    update: "Give an alias other destinations",
    delete: "Delete an alias",
    wipe: "Delete all aliases of a domain",
  },
  create: createAlias,
  update: updateAlias,
  remove: deleteAlias,
  removeAll: deleteAllAliases,
};

const path = "/domains/:domain/aliases";
const search = text("substring of the alias or its destinations");

export const ALIASES_V4: readonly Route[] = [
  listRow({
    style: PLAIN,
    path,
    summary: "List aliases",
    fields: (aliases, counts) => ({ aliases, ...counts }),
    query: z.object({ query: search, order: nameOrder, limit: limit(20, 200), page }),
    shown: ALIAS_V4,
    find: (service, domain, query) =>
      listAliases(service, domain, given({ query: query.query }), query.order, pageOf(query)),
  }),
  ...entryRows(KIND, {
    style: PLAIN,
    shown: ALIAS_V4,
    saved: ALIAS_V4,
    single: "wrapped",
    item: "id",
    find: getAlias,
    wiped: path,
  }),
];

export const ALIASES_V3: readonly Route[] = [
  listRow({
    style: SUCCEEDING,
    path,
    summary: "List aliases",
    fields: (aliases, counts) => ({ aliases, ...counts }),
    query: z.object({
      q: search,
      alias: text("beginning of the alias"),
      limit: limit(20, 100),
      page,
    }),
    shown: ALIAS_V3,
    find: (service, domain, query) => {
      const filter = given({ query: query.q, prefix: query.alias });
      return listAliases(service, domain, filter, "name_asc", pageOf(query));
    },
  }),
  ...entryRows(KIND, {
    style: SUCCEEDING,
    shown: ALIAS_V3,
    saved: SAVED_ALIAS_V3,
    single: "wrapped",
    item: "alias",
    find: getAliasByNameOrId,
    wiped: "/domains/:domain/aliases/aliases-all",
  }),
];
