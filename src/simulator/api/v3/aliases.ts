/** Version 3's aliases, one at a time, by name or id (API v3 §4 Aliases). */
import { z } from "zod";
import {
  createAlias,
  deleteAlias,
  deleteAllAliases,
  getAliasByNameOrId,
  listAliases,
  updateAlias,
} from "../../model/routing/aliases.ts";
import { allTrue, given, limit, page, pageOf, text } from "../read/parameters.ts";
import { ok, type Route, route } from "../route.ts";
import { SAVING, WARNINGS, warningsIfAsked } from "../save-warnings.ts";
import { ALIAS_CHANGES, NEW_ALIAS } from "../shared/alias-body.ts";
import { ALIAS, WRITTEN_ALIAS } from "./present/present-alias.ts";
import { COUNT_ANSWERS, DELETED, DELETED_ANSWERS, succeeds, success } from "./success.ts";

const writtenAlias = succeeds({ alias: WRITTEN_ALIAS.schema, warnings: WARNINGS });

export const ALIAS_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/domains/:domain/aliases",
    summary: "List aliases",
    query: z.object({
      q: text("substring of the alias or its destinations"),
      alias: text("beginning of the alias"),
      limit: limit(20, 100),
      page,
    }),
    answers: {
      200: succeeds({
        aliases: z.array(ALIAS.schema),
        limit: z.int(),
        page: z.int(),
        total: z.int(),
      }),
    },
    async handle(service, { params, query }) {
      const filter = given({ query: query.q, prefix: query.alias });
      const { domain } = params;
      const found = await listAliases(service, domain, filter, "name_asc", pageOf(query));
      const aliases = found.rows.map(ALIAS.present);
      return success({ aliases, limit: query.limit, page: query.page, total: found.total });
    },
  }),
  route({
    method: "GET",
    path: "/domains/:domain/aliases/:alias",
    summary: "Get an alias",
    answers: { 200: succeeds({ alias: ALIAS.schema }) },
    async handle(service, { params }) {
      const row = await getAliasByNameOrId(service, params.domain, params.alias);
      return success({ alias: ALIAS.present(row) });
    },
  }),
  route({
    method: "POST",
    path: "/domains/:domain/aliases",
    summary: "Add an alias",
    query: SAVING,
    body: NEW_ALIAS,
    answers: { 200: writtenAlias },
    async handle(service, { params, query, body }) {
      const row = await createAlias(service, params.domain, body);
      const warnings = await warningsIfAsked(query, service, params.domain, "aliases", row.id);
      return success({ alias: WRITTEN_ALIAS.present(row), ...warnings });
    },
  }),
  route({
    method: "PUT",
    path: "/domains/:domain/aliases/:alias",
    summary: "Give an alias other destinations",
    query: SAVING,
    body: ALIAS_CHANGES,
    answers: { 200: writtenAlias },
    async handle(service, { params, query, body }) {
      const { id } = await getAliasByNameOrId(service, params.domain, params.alias);
      const row = await updateAlias(service, params.domain, id, body);
      const warnings = await warningsIfAsked(query, service, params.domain, "aliases", id);
      return success({ alias: WRITTEN_ALIAS.present(row), ...warnings });
    },
  }),
  route({
    method: "DELETE",
    path: "/domains/:domain/aliases/:alias",
    summary: "Delete an alias",
    answers: DELETED_ANSWERS,
    async handle(service, { params }) {
      const { id } = await getAliasByNameOrId(service, params.domain, params.alias);
      await deleteAlias(service, params.domain, id);
      return DELETED;
    },
  }),
  route({
    method: "DELETE",
    path: "/domains/:domain/aliases/aliases-all",
    summary: "Delete all aliases of a domain",
    query: z.object({ all: allTrue }),
    answers: COUNT_ANSWERS,
    async handle(service, { params }) {
      return ok({ deleted: await deleteAllAliases(service, params.domain) });
    },
  }),
];
