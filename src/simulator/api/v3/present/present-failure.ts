/** How version 3 tells what failed in a batch: by what was sent, not by its index (API v3 §1, §4). */
import { z } from "zod";
import type { EntryResult } from "../../../model/batch.ts";
import type { Fields } from "../../read/read-fields.ts";

type Failure = Extract<EntryResult<unknown>, { ok: false }>;

/** What is wrong with the field to blame, or why the whole entry is refused. */
export function reasonOf({ problem }: Failure): string {
  return Object.values(problem.errors)[0]?.[0] ?? problem.message;
}

function sentField(entry: unknown, name: string): unknown {
  const isThere = typeof entry === "object" && entry !== null && Object.hasOwn(entry, name);
  return isThere ? (entry as Fields)[name] : null;
}

/** The failed entries' fields of these names as they were sent, null where there was none. */
function sentFields(
  entries: readonly unknown[],
  { index }: Failure,
  names: readonly string[],
): Fields {
  return Object.fromEntries(names.map((name) => [name, sentField(entries[index], name)]));
}

/** `{…names, error}` of each entry that failed. */
export function presentFailures(
  entries: readonly unknown[],
  results: readonly EntryResult<unknown>[],
  names: readonly string[],
): readonly Fields[] {
  return results.flatMap((result) =>
    result.ok ? [] : [{ ...sentFields(entries, result, names), error: reasonOf(result) }],
  );
}

export function failureSchema(names: readonly string[]): z.ZodType {
  const sent = Object.fromEntries(names.map((name) => [name, z.unknown()]));
  return z.strictObject({ ...sent, error: z.string() });
}

/** The rows of the entries that succeeded. */
export function done<Row>(results: readonly EntryResult<Row>[]): readonly Row[] {
  return results.flatMap((result) => (result.ok ? [result.row] : []));
}

/** Ids of a batch of deletions as entries with an `id`. */
export function asEntries(ids: readonly unknown[]): readonly { readonly id: unknown }[] {
  return ids.map((id) => ({ id }));
}
