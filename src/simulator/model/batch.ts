/** Batches: entries done one by one, in order, of which those that fail leave nothing behind (API v4 §4). */
import { LIMITS } from "../../base/limits.ts";
import { fieldProblem, ServiceProblem } from "./problem.ts";
import type { Entry } from "./validate.ts";

/** What became of the entry at `index` of those submitted. */
export type EntryResult<Done> =
  | { readonly index: number; readonly ok: true; readonly row: Done }
  | { readonly index: number; readonly ok: false; readonly problem: ServiceProblem };

/** What API v3's bulk does with its entries. */
export type BulkBehavior = "add" | "update" | "delete";

/** Throws 400 when `entries` is not a list of at most 500; `field` is what the API calls it. */
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
  if (entry !== null && typeof entry === "object" && !Array.isArray(entry)) return entry as Entry;
  throw new ServiceProblem(400, "an entry of a batch is an object: give its fields");
}

/** Reads an entry before it is done; throws 400 for what a request of its own would be refused for. */
export type ReadEntry = (entry: unknown) => Entry;

/** An id of `entry`, whole numbers welcome (API v3 shows alias ids as such); throws 400 without one. */
export function readEntryId(id: unknown): string {
  if (typeof id === "string" && id !== "") return id;
  if (Number.isSafeInteger(id)) return String(id);
  throw fieldProblem({ id: ["`id` is missing: give it as a string"] });
}

/** A bad forward is named with the words that the API shows (v4 §7); the details stay with the field. */
function entryProblem(problem: ServiceProblem): ServiceProblem {
  const { type, ...others } = problem.errors;
  // Of a rule of no known type nothing else can be said.
  if (type?.[0] !== undefined) {
    return new ServiceProblem(problem.status, type[0], { type, ...others });
  }
  const [field] = Object.keys(problem.errors);
  if (field !== "forward" && field !== "config.forward") return problem;
  return new ServiceProblem(problem.status, "invalid forward address", problem.errors);
}

/** Does each entry in turn; `once` must change nothing when it throws a `ServiceProblem`. */
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
