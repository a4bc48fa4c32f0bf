/** Many aliases in one request: batches by id (API v4 and v3), and API v3's bulk by name. */
import { requirePaid, roomFor } from "../account.ts";
import {
  type BulkBehavior,
  changeEach,
  type EntryResult,
  eachEntry,
  readEntries,
  readEntry,
  readEntryId,
} from "../batch.ts";
import { change } from "../change.ts";
import { getDomain } from "../domains/domains.ts";
import { fieldProblem } from "../problem.ts";
import { ALIASES, type AliasRow } from "../records.ts";
import type { Service } from "../service.ts";
import { addAlias, changeAlias, getAlias, getAliasNamed } from "./aliases.ts";

export type AliasResults = readonly EntryResult<AliasRow>[];

/** `aliases`: objects of `alias` and `forward`. Needs a paid plan. */
export function addAliases(
  service: Service,
  domain: string,
  aliases: unknown,
): Promise<AliasResults> {
  return change(service, domain, "aliases", async () => {
    await requirePaid(service, "adding aliases in one request");
    const entries = readEntries(aliases, "aliases");
    const row = await getDomain(service, domain);
    const room = await roomFor(service, "aliases");
    return eachEntry(entries, (entry) => addAlias(service, row, readEntry(entry), room));
  });
}

/** `aliases`: objects of `id` and `forward`. */
export function updateAliases(
  service: Service,
  domain: string,
  aliases: unknown,
): Promise<AliasResults> {
  return changeEach(service, domain, "aliases", ["aliases", aliases], async (entry) => {
    const { id, forward } = readEntry(entry);
    return changeAlias(service, await getAlias(service, domain, readEntryId(id)), { forward });
  });
}

async function remove(service: Service, row: AliasRow): Promise<AliasRow> {
  await service.store.table(ALIASES).delete(row.id);
  return row;
}

/** `ids`: alias ids; the results have the deleted aliases. */
export function deleteAliases(
  service: Service,
  domain: string,
  ids: unknown,
): Promise<AliasResults> {
  return changeEach(service, domain, "aliases", ["ids", ids], async (id) =>
    remove(service, await getAlias(service, domain, readEntryId(id))),
  );
}

/**
 * API v3's bulk: `aliases` are objects of `alias` and `forward`, named by their alias. `add` fails for existing ones and needs
 * a paid plan; the results of `delete` have the deleted aliases.
 */
// ASSUMPTION(bulk-update-existing): bulk behavior `update` fails for an alias that does not exist
export function bulkAliases(
  service: Service,
  domain: string,
  behavior: BulkBehavior,
  aliases: unknown,
): Promise<AliasResults> {
  if (behavior === "add") return addAliases(service, domain, aliases);
  return changeEach(service, domain, "aliases", ["aliases", aliases], async (entry) => {
    const { alias, forward } = readEntry(entry);
    if (typeof alias !== "string") {
      throw fieldProblem({ alias: ["`alias` is missing: give the name as a string"] });
    }
    const row = await getAliasNamed(service, domain, alias);
    return behavior === "update" ? changeAlias(service, row, { forward }) : remove(service, row);
  });
}
