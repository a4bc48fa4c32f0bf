/** Version 4's rules, one at a time (API v4 §4 Rules). */
import { z } from "zod";
import {
  createRule,
  deleteAllRules,
  deleteRule,
  getRule,
  listRules,
  updateRule,
} from "../../model/routing/rules.ts";
import { allTrue, given, limit, page, pageOf, rankOrder, text } from "../read/parameters.ts";
import { NO_CONTENT, ok, type Route, route } from "../route.ts";
import { SAVING, WARNINGS, warningsIfAsked } from "../save-warnings.ts";
import { NEW_RULE, RULE_CHANGES } from "../shared/rule-fields.ts";
import { RULE } from "./present/present-rule.ts";

const oneRule = z.strictObject({ rule: RULE.schema });
const savedRule = oneRule.extend({ warnings: WARNINGS });

export const RULE_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/domains/:domain/rules",
    summary: "List rules",
    query: z.object({
      query: text("substring of the type or the config"),
      order: rankOrder,
      limit: limit(20, 200),
      page,
    }),
    answers: {
      200: z.strictObject({
        rules: z.array(RULE.schema),
        limit: z.int(),
        page: z.int(),
        total: z.int(),
      }),
    },
    async handle(service, { params, query }) {
      const filter = given({ query: query.query });
      const found = await listRules(service, params.domain, filter, query.order, pageOf(query));
      const rules = found.rows.map(RULE.present);
      return ok({ rules, limit: query.limit, page: query.page, total: found.total });
    },
  }),
  route({
    method: "POST",
    path: "/domains/:domain/rules",
    summary: "Add a rule",
    query: SAVING,
    body: NEW_RULE,
    answers: { 200: savedRule },
    async handle(service, { params, query, body }) {
      const row = await createRule(service, params.domain, body);
      const warnings = await warningsIfAsked(query, service, params.domain, "rules", row.id);
      return ok({ rule: RULE.present(row), ...warnings });
    },
  }),
  route({
    method: "GET",
    path: "/domains/:domain/rules/:rule",
    summary: "Get a rule",
    answers: { 200: oneRule },
    async handle(service, { params }) {
      return ok({ rule: RULE.present(await getRule(service, params.domain, params.rule)) });
    },
  }),
  route({
    method: "PUT",
    path: "/domains/:domain/rules/:rule",
    summary: "Change a rule",
    query: SAVING,
    body: RULE_CHANGES,
    answers: { 200: savedRule },
    async handle(service, { params, query, body }) {
      const row = await updateRule(service, params.domain, params.rule, body);
      const warnings = await warningsIfAsked(query, service, params.domain, "rules", row.id);
      return ok({ rule: RULE.present(row), ...warnings });
    },
  }),
  route({
    method: "DELETE",
    path: "/domains/:domain/rules/:rule",
    summary: "Delete a rule",
    answers: { 204: null },
    async handle(service, { params }) {
      await deleteRule(service, params.domain, params.rule);
      return NO_CONTENT;
    },
  }),
  route({
    method: "DELETE",
    path: "/domains/:domain/rules",
    summary: "Delete all rules of a domain",
    query: z.object({ all: allTrue }),
    answers: { 200: z.strictObject({ deleted: z.int() }) },
    async handle(service, { params }) {
      return ok({ deleted: await deleteAllRules(service, params.domain) });
    },
  }),
];
