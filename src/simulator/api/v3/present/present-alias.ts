/** Aliases as version 3 shows them: whole, just written, and in batches (API v3 §2 Alias). */
import { z } from "zod";
import type { AliasRow } from "../../../model/records.ts";
import { field, type Presenter, presenter } from "../../shared/presenter.ts";
import { epoch } from "../../shared/timestamps.ts";

const id = field(z.int(), (row: AliasRow) => Number(row.id));
const alias = field(z.string(), (row: AliasRow) => row.alias);
const forward = field(z.string(), (row: AliasRow) => row.forward);

export const ALIAS: Presenter<AliasRow> = presenter("v3.Alias", {
  id,
  alias,
  forward,
  created: field(epoch, (row) => row.createdMs),
});

/** After a create or an update, and in bulk answers. */
// ASSUMPTION(v3-bulk-alias): bulk answers have integer ids, as all but batches
export const WRITTEN_ALIAS: Presenter<AliasRow> = presenter("v3.WrittenAlias", {
  alias,
  forward,
  id,
});

// ASSUMPTION(v3-batch-alias): an alias of a batch has no timestamps, like one that is created or updated alone
export const BATCH_ALIAS: Presenter<AliasRow> = presenter("v3.BatchAlias", {
  alias,
  forward,
  id: field(z.string(), (row) => row.id),
});
