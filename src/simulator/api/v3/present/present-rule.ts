/** Rules as version 3 shows them: alone and in batches (API v3 §1, §2 Rule). */
import type { RuleRow } from "../../../model/records.ts";
import { field, type Presenter, presenter } from "../../shared/presenter.ts";
import { RULE_FIELDS } from "../../shared/rule-fields.ts";
import { epoch, epochSeconds, isoSeconds, isoTimestamp } from "../../shared/timestamps.ts";

// ASSUMPTION(v3-rule-created): a rule's `created` is in seconds in every answer, as the examples of update and bulk have it
export const RULE: Presenter<RuleRow> = presenter("v3.Rule", {
  ...RULE_FIELDS,
  created: field(epoch, (row) => epochSeconds(row.createdMs)),
});

/** In the answers of batch add and batch update. */
export const BATCH_RULE: Presenter<RuleRow> = presenter("v3.BatchRule", {
  ...RULE_FIELDS,
  created_at: field(isoTimestamp, (row) => isoSeconds(row.createdMs)),
  updated_at: field(isoTimestamp, (row) => isoSeconds(row.updatedMs)),
});
