/** Version 3's SMTP credentials (API v3 §4 SMTP credentials). */
import { z } from "zod";
import {
  createCredential,
  deleteCredential,
  listCredentials,
  updateCredential,
} from "../../model/sending/credentials.ts";
import { limit, page, pageOf } from "../read/parameters.ts";
import { type Route, route } from "../route.ts";
import { CREDENTIAL_CHANGES, NEW_CREDENTIAL } from "../shared/credential-body.ts";
import { CREDENTIAL } from "./present/present-credential.ts";
import { DELETED, DELETED_ANSWERS, succeeds, success } from "./success.ts";

export const CREDENTIAL_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/domains/:domain/credentials",
    summary: "List SMTP credentials",
    query: z.object({ limit: limit(20, 200), page }),
    answers: { 200: succeeds({ credentials: z.array(CREDENTIAL.schema) }) },
    async handle(service, { params, query }) {
      const { rows } = await listCredentials(service, params.domain, pageOf(query));
      return success({ credentials: rows.map(CREDENTIAL.present) });
    },
  }),
  route({
    method: "POST",
    path: "/domains/:domain/credentials",
    summary: "Add an SMTP credential",
    body: NEW_CREDENTIAL,
    answers: {
      200: succeeds({ credential: CREDENTIAL.schema, requires_new_mx_check: z.boolean() }),
    },
    async handle(service, { params, body }) {
      const { row, requiresNewMxCheck } = await createCredential(service, params.domain, body);
      const credential = CREDENTIAL.present(row);
      return success({ credential, requires_new_mx_check: requiresNewMxCheck });
    },
  }),
  route({
    method: "PUT",
    path: "/domains/:domain/credentials/:username",
    summary: "Give an SMTP credential another password",
    body: CREDENTIAL_CHANGES,
    answers: { 200: succeeds({ credential: CREDENTIAL.schema }) },
    async handle(service, { params, body }) {
      const row = await updateCredential(service, params.domain, params.username, body);
      return success({ credential: CREDENTIAL.present(row) });
    },
  }),
  route({
    method: "DELETE",
    path: "/domains/:domain/credentials/:username",
    summary: "Delete an SMTP credential",
    answers: DELETED_ANSWERS,
    async handle(service, { params }) {
      await deleteCredential(service, params.domain, params.username);
      return DELETED;
    },
  }),
];
