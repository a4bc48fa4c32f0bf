/** A rule as version 4 shows it (API v4 §2 Rule). */
import type { RuleRow } from "../../../model/records.ts";
import { field, type Presenter, presenter } from "../../shared/presenter.ts";
import { RULE_FIELDS } from "../../shared/rule-fields.ts";
import { isoSeconds, isoTimestamp } from "../../shared/timestamps.ts";

export const RULE: Presenter<RuleRow> = presenter("v4.Rule", {
  ...RULE_FIELDS,
  created_at: field(isoTimestamp, (row) => isoSeconds(row.createdMs)),
  updated_at: field(isoTimestamp, (row) => isoSeconds(row.updatedMs)),
});
