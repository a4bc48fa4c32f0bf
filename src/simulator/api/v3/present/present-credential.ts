/** An SMTP credential as version 3 shows it; its password is never shown (API v3 §2 Credential). */
import { z } from "zod";
import type { CredentialRow } from "../../../model/records.ts";
import { field, type Presenter, presenter } from "../../shared/presenter.ts";
import { epoch } from "../../shared/timestamps.ts";

export const CREDENTIAL: Presenter<CredentialRow> = presenter("v3.Credential", {
  username: field(z.string(), (row) => row.username),
  created: field(epoch, (row) => row.createdMs),
  usage: field(z.int(), (row) => row.usage),
});
