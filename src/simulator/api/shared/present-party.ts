/** A mailbox with its display name, as both versions show it in logs (API v4 §2 Email log entry). */
import { z } from "zod";
import type { Party } from "../../model/records.ts";
import { field, type Presenter, presenter } from "./presenter.ts";

export const PARTY: Presenter<Party> = presenter("Party", {
  email: field(z.string(), (party) => party.email),
  name: field(z.string().nullable(), (party) => party.name),
});
