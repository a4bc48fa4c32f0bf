/** The result of a batch: version 4 shows failures by index, version 3 by what was sent (API v4 §2, v3 §1 and §4). */
import { z } from "zod";
import type { EntryResult } from "../../../model/batch.ts";
import { field, type Presenter, presenter } from "../../presenter.ts";
import type { SentFields } from "../../read/read-fields.ts";
import { type Answer, ok, type Route } from "../../route.ts";

type EntryFailure = Extract<EntryResult<unknown>, { ok: false }>;
type Verb = "added" | "updated" | "deleted";

export interface BatchStyle {
  /** `failedFields`: the fields of a failed entry to show, if the version shows them. */
  answers(verb: Verb, done: z.ZodType, failedFields: readonly string[]): Route["answers"];
  present<Row>(
    verb: Verb,
    sent: readonly unknown[],
    results: readonly EntryResult<Row>[],
    show: (row: Row) => unknown,
    failedFields: readonly string[],
  ): Answer;
}

/** The rows of the entries that succeeded. */
export function done<Row>(results: readonly EntryResult<Row>[]): readonly Row[] {
  return results.flatMap((result) => (result.ok ? [result.row] : []));
}

function failures(results: readonly EntryResult<unknown>[]): readonly EntryFailure[] {
  return results.filter((result) => !result.ok);
}

const FAILURE: Presenter<EntryFailure> = presenter("v4.BatchFailure", {
  index: field(z.int(), ({ index }) => index),
  message: field(z.string(), ({ problem }) => problem.message),
  errors: field(z.record(z.string(), z.array(z.string()).readonly()), ({ problem }) =>
    errorsOf(problem),
  ),
});

/** An entry that is refused as a whole (`invalid forward address`) has no field detail: API v4 §7. */
function errorsOf({ message, errors }: EntryFailure["problem"]): EntryFailure["problem"]["errors"] {
  return Object.values(errors)[0]?.[0] === message ? errors : {};
}

/** The same body for 200 and for 207, the status if any entry failed. */
export const BATCHES_V4: BatchStyle = {
  answers(verb, done) {
    const schema = z.strictObject({
      [verb]: z.array(done),
      [`${verb}_count`]: z.int(),
      failed: z.array(FAILURE.schema),
      failed_count: z.int(),
    });
    return { 200: schema, 207: schema };
  },
  present(verb, _sent, results, show) {
    const shown = done(results).map(show);
    const failed = failures(results).map(FAILURE.present);
    return {
      status: failed.length === 0 ? 200 : 207,
      body: {
        [verb]: shown,
        [`${verb}_count`]: shown.length,
        failed,
        failed_count: failed.length,
      },
    };
  },
};

/** The error of the first wrong field, or why the whole entry is refused. */
export function reasonOf({ problem }: EntryFailure): string {
  return Object.values(problem.errors)[0]?.[0] ?? problem.message;
}

function sentField(entry: unknown, name: string): unknown {
  const isThere = typeof entry === "object" && entry !== null && Object.hasOwn(entry, name);
  return isThere ? (entry as SentFields)[name] : null;
}

/** `{…failedFields, error}` of each failed entry: the fields as sent, null if absent. */
export function presentFailures(
  sent: readonly unknown[],
  results: readonly EntryResult<unknown>[],
  failedFields: readonly string[],
): readonly SentFields[] {
  return failures(results).map((failure) => {
    const fields = failedFields.map((name) => [name, sentField(sent[failure.index], name)]);
    return { ...Object.fromEntries(fields), error: reasonOf(failure) };
  });
}

export function failureSchema(failedFields: readonly string[]): z.ZodType {
  const sent = Object.fromEntries(failedFields.map((name) => [name, z.unknown()]));
  return z.strictObject({ ...sent, error: z.string() });
}

export const BATCHES_V3: BatchStyle = {
  answers: (verb, done, failedFields) => ({
    200: z.strictObject({ [verb]: z.array(done), failed: z.array(failureSchema(failedFields)) }),
  }),
  present: (verb, sent, results, show, failedFields) =>
    ok({ [verb]: done(results).map(show), failed: presentFailures(sent, results, failedFields) }),
};
