/** An SMTP credential as version 4 shows it; its password is never shown (API v4 §2 SMTP credential). */
import { z } from "zod";
import type { CredentialRow } from "../../../model/records.ts";
import { field, type Presenter, presenter } from "../../shared/presenter.ts";
import { isoSeconds, isoTimestamp } from "../../shared/timestamps.ts";

export const CREDENTIAL: Presenter<CredentialRow> = presenter("v4.Credential", {
  username: field(z.string(), (row) => row.username),
  created_at: field(isoTimestamp, (row) => isoSeconds(row.createdMs)),
  usage: field(z.int(), (row) => row.usage),
});
