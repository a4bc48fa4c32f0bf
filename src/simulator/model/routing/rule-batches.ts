/** Many rules in one request: batches (API v4 and v3), of which API v3's bulk is another view. */
import { roomFor } from "../account.ts";
import {
  type BulkBehavior,
  changeEach,
  type EntryResult,
  eachEntry,
  type ReadEntry,
  readEntries,
  readEntry,
  readEntryId,
} from "../batch.ts";
import { change } from "../change.ts";
import { getDomain } from "../domains/domains.ts";
import { RULES, type RuleRow } from "../records.ts";
import type { Service } from "../service.ts";
import { addRule, changeRule, getRule } from "./rules.ts";

export type RuleResults = readonly EntryResult<RuleRow>[];

/** `rules`: objects of `type` and `config`, optionally `rank`, `active`, `id`; `read` checks each like a single one. */
export function addRules(
  service: Service,
  domain: string,
  rules: unknown,
  read: ReadEntry = readEntry,
): Promise<RuleResults> {
  return change(service, domain, "rules", async () => {
    const entries = readEntries(rules, "rules");
    const row = await getDomain(service, domain);
    const room = await roomFor(service, "rules");
    return eachEntry(entries, async (entry) => addRule(service, row, read(entry), room));
  });
}

/** `rules`: objects of `id` and the fields to change: `config`, `rank`, `active`. */
export function updateRules(
  service: Service,
  domain: string,
  rules: unknown,
): Promise<RuleResults> {
  return changeEach(service, domain, "rules", ["rules", rules], async (entry) => {
    const { id, ...changes } = readEntry(entry);
    return changeRule(service, await getRule(service, domain, readEntryId(id)), changes);
  });
}

async function remove(service: Service, domain: string, id: unknown): Promise<RuleRow> {
  const row = await getRule(service, domain, readEntryId(id));
  await service.store.table(RULES).delete(row.key);
  return row;
}

/** `ids`: rule ids; the results have the deleted rules. */
export function deleteRules(service: Service, domain: string, ids: unknown): Promise<RuleResults> {
  return changeEach(service, domain, "rules", ["ids", ids], (id) => remove(service, domain, id));
}

/** API v3's bulk: `rules` as for a batch of that behavior; those to delete are ids or objects with an `id`. */
// ASSUMPTION(bulk-rules-delete): bulk behavior `delete` takes ids, or objects of which only the id counts
export function bulkRules(
  service: Service,
  domain: string,
  behavior: BulkBehavior,
  rules: unknown,
  read: ReadEntry = readEntry,
): Promise<RuleResults> {
  switch (behavior) {
    case "add":
      return addRules(service, domain, rules, read);
    case "update":
      return updateRules(service, domain, rules);
    case "delete":
      return changeEach(service, domain, "rules", ["rules", rules], async (entry) =>
        remove(service, domain, typeof entry === "string" ? entry : readEntry(entry).id),
      );
  }
}
