/** SMTP credentials in both versions: their fields, how they are shown, and their rows (API v4 and v3 §4). */
import { z } from "zod";
import type { CredentialRow } from "../../model/records.ts";
import {
  createCredential,
  deleteCredential,
  listCredentials,
  updateCredential,
} from "../../model/sending/credentials.ts";
import { type AnswerStyle, PLAIN, SUCCEEDING } from "../answers.ts";
import { type Field, field, type Presenter, presenter } from "../presenter.ts";
import { limit, page, pageOf } from "../read/parameters.ts";
import { type Route, route } from "../route.ts";
import { epoch, isoSeconds, isoTimestamp } from "../timestamps.ts";
import { listRow } from "./rows/list-row.ts";

const password = z.string().meta({ description: "never shown again" });

/** Its password is never shown. */
const USERNAME: Field<CredentialRow> = field(z.string(), (row) => row.username);
const USAGE: Field<CredentialRow> = field(z.int(), (row) => row.usage);

const CREDENTIAL_V4: Presenter<CredentialRow> = presenter("v4.Credential", {
  username: USERNAME,
  created_at: field(isoTimestamp, (row) => isoSeconds(row.createdMs)),
  usage: USAGE,
});

const CREDENTIAL_V3: Presenter<CredentialRow> = presenter("v3.Credential", {
  username: USERNAME,
  created: field(epoch, (row) => row.createdMs),
  usage: USAGE,
});

const all = "/domains/:domain/credentials";
const each = "/domains/:domain/credentials/:username";

function credentialRows(
  style: AnswerStyle,
  shown: Presenter<CredentialRow>,
  counts: "counted" | "uncounted",
): readonly Route[] {
  return [
    listRow({
      style,
      path: all,
      summary: "List SMTP credentials",
      query: z.object({ limit: limit(20, 200), page }),
      shown,
      fields: (credentials, numbers) =>
        counts === "counted" ? { credentials, ...numbers } : { credentials },
      find: (service, domain, query) => listCredentials(service, domain, pageOf(query)),
    }),
    route({
      method: "POST",
      path: all,
      summary: "Add an SMTP credential",
      body: z.object({ username: z.string().meta({ description: "name of an alias" }), password }),
      answers: style.answers({ credential: shown.schema, requires_new_mx_check: z.boolean() }),
      async handle(service, { params, body }) {
        const { row, requiresNewMxCheck } = await createCredential(service, params.domain, body);
        const credential = shown.present(row);
        return style.answer({ credential, requires_new_mx_check: requiresNewMxCheck });
      },
    }),
    route({
      method: "PUT",
      path: each,
      summary: "Give an SMTP credential another password",
      // The operation says what is missing, because the API's text does not call the password required.
      body: z.object({ password: password.optional() }),
      answers: style.answers({ credential: shown.schema }),
      async handle(service, { params, body }) {
        const row = await updateCredential(service, params.domain, params.username, body);
        return style.answer({ credential: shown.present(row) });
      },
    }),
    route({
      method: "DELETE",
      path: each,
      summary: "Delete an SMTP credential",
      answers: style.deletedAnswers,
      async handle(service, { params }) {
        await deleteCredential(service, params.domain, params.username);
        return style.deleted;
      },
    }),
  ];
}

export const CREDENTIALS_V4: readonly Route[] = credentialRows(PLAIN, CREDENTIAL_V4, "counted");
export const CREDENTIALS_V3: readonly Route[] = credentialRows(
  SUCCEEDING,
  CREDENTIAL_V3,
  "uncounted",
);
