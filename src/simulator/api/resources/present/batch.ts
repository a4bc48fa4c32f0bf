/** The result of a batch: version 4 shows failures by index, version 3 by what was sent (API v4 §2, v3 §1 and §4). */
import { z } from "zod";
import type { EntryResult } from "../../../model/batch.ts";
import { field, type Presenter, presenter } from "../../presenter.ts";
import type { SentFields } from "../../read/read-fields.ts";
import { type Answer, ok, type Route } from "../../route.ts";

type Failure = Extract<EntryResult<unknown>, { ok: false }>;
type Verb = "added" | "updated" | "deleted";

export interface BatchStyle {
  /** `told`: the fields of a failed entry that are shown, where the version shows them. */
  answers(verb: Verb, done: z.ZodType, told: readonly string[]): Route["answers"];
  present<Row>(
    verb: Verb,
    sent: readonly unknown[],
    results: readonly EntryResult<Row>[],
    show: (row: Row) => unknown,
    told: readonly string[],
  ): Answer;
}

/** The rows of the entries that succeeded. */
export function done<Row>(results: readonly EntryResult<Row>[]): readonly Row[] {
  return results.flatMap((result) => (result.ok ? [result.row] : []));
}

function failures(results: readonly EntryResult<unknown>[]): readonly Failure[] {
  return results.filter((result) => !result.ok);
}

const FAILURE: Presenter<Failure> = presenter("v4.BatchFailure", {
  index: field(z.int(), ({ index }) => index),
  message: field(z.string(), ({ problem }) => problem.message),
  errors: field(z.record(z.string(), z.array(z.string()).readonly()), ({ problem }) =>
    errorsOf(problem),
  ),
});

/** An entry that is refused as a whole (`invalid forward address`) has no field detail: API v4 §7. */
function errorsOf({ message, errors }: Failure["problem"]): Failure["problem"]["errors"] {
  return Object.values(errors)[0]?.[0] === message ? errors : {};
}

/** The same body for 200 and 207, which it is when any entry failed. */
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

/** What is wrong with the field to blame, or why the whole entry is refused. */
export function reasonOf({ problem }: Failure): string {
  return Object.values(problem.errors)[0]?.[0] ?? problem.message;
}

function sentField(entry: unknown, name: string): unknown {
  const isThere = typeof entry === "object" && entry !== null && Object.hasOwn(entry, name);
  return isThere ? (entry as SentFields)[name] : null;
}

/** `{…told, error}` of each entry that failed: the fields as they were sent, null if they were not. */
export function presentFailures(
  sent: readonly unknown[],
  results: readonly EntryResult<unknown>[],
  told: readonly string[],
): readonly SentFields[] {
  return failures(results).map((failure) => {
    const fields = told.map((name) => [name, sentField(sent[failure.index], name)]);
    return { ...Object.fromEntries(fields), error: reasonOf(failure) };
  });
}

export function failureSchema(told: readonly string[]): z.ZodType {
  const sent = Object.fromEntries(told.map((name) => [name, z.unknown()]));
  return z.strictObject({ ...sent, error: z.string() });
}

export const BATCHES_V3: BatchStyle = {
  answers: (verb, done, told) => ({
    200: z.strictObject({ [verb]: z.array(done), failed: z.array(failureSchema(told)) }),
  }),
  present: (verb, sent, results, show, told) =>
    ok({ [verb]: done(results).map(show), failed: presentFailures(sent, results, told) }),
};
