/** Many rules in one request: batches (API v4 and v3), of which API v3's bulk is another view. */
import { canonicalDomain } from "../../../engine/facts/address.ts";
import { roomFor } from "../account.ts";
import {
  type BulkBehavior,
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

/** `rules`: objects of `type` and `config`, optionally `rank`, `active`, `id`; `read` checks them as single ones are. */
export function addRules(
  service: Service,
  domain: string,
  rules: unknown,
  read: ReadEntry = readEntry,
): Promise<RuleResults> {
  return change(service, canonicalDomain(domain), "rules", async () => {
    const entries = readEntries(rules, "rules");
    const row = await getDomain(service, domain);
    const room = await roomFor(service, "rules");
    return eachEntry(entries, async (entry) => {
      const { type, config, rank, active, id } = read(entry);
      return addRule(service, row, { type, config, rank, active, id }, room);
    });
  });
}

/** `rules`: objects of `id` and the fields to change: `config`, `rank`, `active`. */
export function updateRules(
  service: Service,
  domain: string,
  rules: unknown,
): Promise<RuleResults> {
  return change(service, canonicalDomain(domain), "rules", async () => {
    const entries = readEntries(rules, "rules");
    await getDomain(service, domain);
    return eachEntry(entries, async (entry) => {
      const { id, config, rank, active } = readEntry(entry);
      const row = await getRule(service, domain, readEntryId(id));
      return changeRule(service, row, { config, rank, active });
    });
  });
}

async function removeEach(
  service: Service,
  domain: string,
  entries: readonly unknown[],
  idOf: (entry: unknown) => unknown,
): Promise<RuleResults> {
  await getDomain(service, domain);
  return eachEntry(entries, async (entry) => {
    const row = await getRule(service, domain, readEntryId(idOf(entry)));
    await service.store.table(RULES).delete(row.key);
    return row;
  });
}

/** `ids`: rule ids; the results carry the rules that were. */
export function deleteRules(service: Service, domain: string, ids: unknown): Promise<RuleResults> {
  return change(service, canonicalDomain(domain), "rules", () =>
    removeEach(service, domain, readEntries(ids, "ids"), (id) => id),
  );
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
      return change(service, canonicalDomain(domain), "rules", () =>
        removeEach(service, domain, readEntries(rules, "rules"), (entry) =>
          typeof entry === "string" ? entry : readEntry(entry).id,
        ),
      );
  }
}
