/** Version 4's aliases, one at a time (API v4 §4 Aliases). */
import { z } from "zod";
import {
  createAlias,
  deleteAlias,
  deleteAllAliases,
  getAlias,
  listAliases,
  updateAlias,
} from "../../model/routing/aliases.ts";
import { allTrue, given, limit, nameOrder, page, pageOf, text } from "../read/parameters.ts";
import { NO_CONTENT, ok, type Route, route } from "../route.ts";
import { SAVING, WARNINGS, warningsIfAsked } from "../save-warnings.ts";
import { ALIAS_CHANGES, NEW_ALIAS } from "../shared/alias-body.ts";
import { ALIAS } from "./present/present-alias.ts";

const oneAlias = z.strictObject({ alias: ALIAS.schema });
const savedAlias = oneAlias.extend({ warnings: WARNINGS });

export const ALIAS_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/domains/:domain/aliases",
    summary: "List aliases",
    query: z.object({
      query: text("substring of the alias or its destinations"),
      order: nameOrder,
      limit: limit(20, 200),
      page,
    }),
    answers: {
      200: z.strictObject({
        aliases: z.array(ALIAS.schema),
        limit: z.int(),
        page: z.int(),
        total: z.int(),
      }),
    },
    async handle(service, { params, query }) {
      const filter = given({ query: query.query });
      const { domain } = params;
      const found = await listAliases(service, domain, filter, query.order, pageOf(query));
      const aliases = found.rows.map(ALIAS.present);
      return ok({ aliases, limit: query.limit, page: query.page, total: found.total });
    },
  }),
  route({
    method: "GET",
    path: "/domains/:domain/aliases/:id",
    summary: "Get an alias",
    answers: { 200: oneAlias },
    async handle(service, { params }) {
      return ok({ alias: ALIAS.present(await getAlias(service, params.domain, params.id)) });
    },
  }),
  route({
    method: "POST",
    path: "/domains/:domain/aliases",
    summary: "Add an alias",
    query: SAVING,
    body: NEW_ALIAS,
    answers: { 200: savedAlias },
    async handle(service, { params, query, body }) {
      const row = await createAlias(service, params.domain, body);
      const warnings = await warningsIfAsked(query, service, params.domain, "aliases", row.id);
      return ok({ alias: ALIAS.present(row), ...warnings });
    },
  }),
  route({
    method: "PUT",
    path: "/domains/:domain/aliases/:id",
    summary: "Give an alias other destinations",
    query: SAVING,
    body: ALIAS_CHANGES,
    answers: { 200: savedAlias },
    async handle(service, { params, query, body }) {
      const row = await updateAlias(service, params.domain, params.id, body);
      const warnings = await warningsIfAsked(query, service, params.domain, "aliases", row.id);
      return ok({ alias: ALIAS.present(row), ...warnings });
    },
  }),
  route({
    method: "DELETE",
    path: "/domains/:domain/aliases/:id",
    summary: "Delete an alias",
    answers: { 204: null },
    async handle(service, { params }) {
      await deleteAlias(service, params.domain, params.id);
      return NO_CONTENT;
    },
  }),
  route({
    method: "DELETE",
    path: "/domains/:domain/aliases",
    summary: "Delete all aliases of a domain",
    query: z.object({ all: allTrue }),
    answers: { 200: z.strictObject({ deleted: z.int() }) },
    async handle(service, { params }) {
      return ok({ deleted: await deleteAllAliases(service, params.domain) });
    },
  }),
];
