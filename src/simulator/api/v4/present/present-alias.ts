/** An alias as version 4 shows it (API v4 §2 Alias). */
import { z } from "zod";
import type { AliasRow } from "../../../model/records.ts";
import { field, type Presenter, presenter } from "../../shared/presenter.ts";
import { isoSeconds, isoTimestamp } from "../../shared/timestamps.ts";

export const ALIAS: Presenter<AliasRow> = presenter("v4.Alias", {
  id: field(z.string(), (row) => row.id),
  alias: field(z.string(), (row) => row.alias),
  forward: field(z.string(), (row) => row.forward),
  created_at: field(isoTimestamp, (row) => isoSeconds(row.createdMs)),
  updated_at: field(isoTimestamp, (row) => isoSeconds(row.updatedMs)),
});
