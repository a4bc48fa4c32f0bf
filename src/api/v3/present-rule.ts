/** Rules as version 3 shows them, with three kinds of timestamps (API v3 §1, §2 Rule). */
import type { RuleRow } from "../../service/records.ts";
import { field, type Presenter, presenter } from "../presenter.ts";
import { RULE_FIELDS } from "../rule-fields.ts";
import { epoch, epochSeconds, isoSeconds, isoTimestamp } from "../timestamps.ts";

export const RULE: Presenter<RuleRow> = presenter("v3.Rule", {
  ...RULE_FIELDS,
  created: field(epoch, (row) => row.createdMs),
});

/** In the answers of update and bulk. */
export const RULE_IN_SECONDS: Presenter<RuleRow> = presenter("v3.RuleInSeconds", {
  ...RULE_FIELDS,
  created: field(epoch, (row) => epochSeconds(row.createdMs)),
});

/** In the answers of batch add and batch update. */
export const BATCH_RULE: Presenter<RuleRow> = presenter("v3.BatchRule", {
  ...RULE_FIELDS,
  created_at: field(isoTimestamp, (row) => isoSeconds(row.createdMs)),
  updated_at: field(isoTimestamp, (row) => isoSeconds(row.updatedMs)),
});
