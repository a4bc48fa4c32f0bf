/** Version 4's SMTP credentials (API v4 §4 SMTP credentials). */
import { z } from "zod";
import {
  createCredential,
  deleteCredential,
  listCredentials,
  updateCredential,
} from "../../model/sending/credentials.ts";
import { limit, page, pageOf } from "../read/parameters.ts";
import { NO_CONTENT, ok, type Route, route } from "../route.ts";
import { CREDENTIAL_CHANGES, NEW_CREDENTIAL } from "../shared/credential-body.ts";
import { CREDENTIAL } from "./present/present-credential.ts";

export const CREDENTIAL_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/domains/:domain/credentials",
    summary: "List SMTP credentials",
    query: z.object({ limit: limit(20, 200), page }),
    answers: {
      200: z.strictObject({
        credentials: z.array(CREDENTIAL.schema),
        limit: z.int(),
        page: z.int(),
        total: z.int(),
      }),
    },
    async handle(service, { params, query }) {
      const { rows, total } = await listCredentials(service, params.domain, pageOf(query));
      const credentials = rows.map(CREDENTIAL.present);
      return ok({ credentials, limit: query.limit, page: query.page, total });
    },
  }),
  route({
    method: "POST",
    path: "/domains/:domain/credentials",
    summary: "Add an SMTP credential",
    body: NEW_CREDENTIAL,
    answers: {
      200: z.strictObject({ credential: CREDENTIAL.schema, requires_new_mx_check: z.boolean() }),
    },
    async handle(service, { params, body }) {
      const { row, requiresNewMxCheck } = await createCredential(service, params.domain, body);
      return ok({ credential: CREDENTIAL.present(row), requires_new_mx_check: requiresNewMxCheck });
    },
  }),
  route({
    method: "PUT",
    path: "/domains/:domain/credentials/:username",
    summary: "Give an SMTP credential another password",
    body: CREDENTIAL_CHANGES,
    answers: { 200: z.strictObject({ credential: CREDENTIAL.schema }) },
    async handle(service, { params, body }) {
      const row = await updateCredential(service, params.domain, params.username, body);
      return ok({ credential: CREDENTIAL.present(row) });
    },
  }),
  route({
    method: "DELETE",
    path: "/domains/:domain/credentials/:username",
    summary: "Delete an SMTP credential",
    answers: { 204: null },
    async handle(service, { params }) {
      await deleteCredential(service, params.domain, params.username);
      return NO_CONTENT;
    },
  }),
];
