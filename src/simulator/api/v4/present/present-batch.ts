/** What became of a batch in version 4: what was done, and what failed by index (API v4 §2 Batch failure entry). */
import { z } from "zod";
import type { EntryResult } from "../../../model/batch.ts";
import type { Answer, Route } from "../../route.ts";
import { field, type Presenter, presenter } from "../../shared/presenter.ts";

type Failure = Extract<EntryResult<unknown>, { ok: false }>;
type Verb = "added" | "updated" | "deleted";

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

/** The same body for both: 207 when any entry failed. */
export function batchAnswers(verb: Verb, done: z.ZodType): Route["answers"] {
  const schema = z.strictObject({
    [verb]: z.array(done),
    [`${verb}_count`]: z.int(),
    failed: z.array(FAILURE.schema),
    failed_count: z.int(),
  });
  return { 200: schema, 207: schema };
}

export function presentBatch<Row>(
  verb: Verb,
  results: readonly EntryResult<Row>[],
  present: (row: Row) => unknown,
): Answer {
  const done = results.flatMap((result) => (result.ok ? [present(result.row)] : []));
  const failed = results.flatMap((result) => (result.ok ? [] : [FAILURE.present(result)]));
  return {
    status: failed.length === 0 ? 200 : 207,
    body: {
      [verb]: done,
      [`${verb}_count`]: done.length,
      failed,
      failed_count: failed.length,
    },
  };
}
