/** Batches: entries are done one by one, in order, and an entry that fails changes nothing (API v4 §4). */
import { LIMITS } from "../../base/limits.ts";
import { isRecord } from "../../engine/routing/config/config-fields.ts";
import { change } from "./change.ts";
import { getDomain } from "./domains/domains.ts";
import { fieldProblem, ServiceProblem } from "./problem.ts";
import type { Service } from "./service.ts";
import type { Entry } from "./validate.ts";

/** The result of the submitted entry at `index`. */
export type EntryResult<Done> =
  | { readonly index: number; readonly ok: true; readonly row: Done }
  | { readonly index: number; readonly ok: false; readonly problem: ServiceProblem };

/** The operation that API v3's bulk performs on its entries. */
export type BulkBehavior = "add" | "update" | "delete";

/** Throws 400 if `entries` is not a list of at most 500; `field` is its name in the API. */
export function readEntries(entries: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(entries)) {
    const fault = entries === undefined ? "missing" : "not an array";
    throw fieldProblem({ [field]: [`\`${field}\` is ${fault}: give the entries as an array`] });
  }
  if (entries.length > LIMITS.batchEntriesMax) {
    const message = `\`${field}\` has ${entries.length} entries: at most ${LIMITS.batchEntriesMax} are allowed in one request`;
    throw fieldProblem({ [field]: [message] });
  }
  return entries;
}

/** The entry as an object; throws 400 for anything else. */
export function readEntry(entry: unknown): Entry {
  if (isRecord(entry)) return entry;
  throw new ServiceProblem(400, "an entry of a batch is an object: give its fields");
}

/** Reads an entry; throws 400 wherever a single request would be refused. */
export type ReadEntry = (entry: unknown) => Entry;

/** Reads an id, which may be a whole number (API v3 shows alias ids as such); throws 400 without one. */
export function readEntryId(id: unknown): string {
  if (typeof id === "string" && id !== "") return id;
  if (Number.isSafeInteger(id)) return String(id);
  throw fieldProblem({ id: ["`id` is missing: give it as a string"] });
}

/** A bad forward gets the message that the API shows (v4 §7); the details stay with the field. */
function entryProblem(problem: ServiceProblem): ServiceProblem {
  const { type, ...others } = problem.errors;
  // About a rule of an unknown type nothing else is known.
  if (type?.[0] !== undefined) {
    return new ServiceProblem(problem.status, type[0], { type, ...others });
  }
  const [field] = Object.keys(problem.errors);
  if (field !== "forward" && field !== "config.forward") return problem;
  return new ServiceProblem(problem.status, "invalid forward address", problem.errors);
}

/** Handles the entries in turn; `once` must change nothing if it throws a `ServiceProblem`. */
export async function eachEntry<Done>(
  entries: readonly unknown[],
  once: (entry: unknown) => Promise<Done>,
): Promise<readonly EntryResult<Done>[]> {
  const results: EntryResult<Done>[] = [];
  for (const [index, entry] of entries.entries()) {
    try {
      results.push({ index, ok: true, row: await once(entry) });
    } catch (thrown) {
      if (!(thrown instanceof ServiceProblem)) throw thrown;
      results.push({ index, ok: false, problem: entryProblem(thrown) });
    }
  }
  return results;
}

/** Handles each of `entries`, all as one change of the domain; `field` is their name in the API. */
export function changeEach<Done>(
  service: Service,
  domain: string,
  resource: "aliases" | "rules",
  [field, entries]: readonly [field: string, entries: unknown],
  once: (entry: unknown) => Promise<Done>,
): Promise<readonly EntryResult<Done>[]> {
  return change(service, domain, resource, async () => {
    const read = readEntries(entries, field);
    await getDomain(service, domain);
    return eachEntry(read, once);
  });
}
