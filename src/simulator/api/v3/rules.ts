/** Version 3's rules, one at a time (API v3 §4 Rules). */
import { z } from "zod";
import {
  createRule,
  deleteAllRules,
  deleteRule,
  getRule,
  listRules,
  updateRule,
} from "../../model/routing/rules.ts";
import { allTrue, given, limit, page, pageOf, text } from "../read/parameters.ts";
import { ok, type Route, route } from "../route.ts";
import { SAVING, WARNINGS, warningsIfAsked } from "../save-warnings.ts";
import { NEW_RULE, RULE_CHANGES } from "../shared/rule-fields.ts";
import { RULE } from "./present/present-rule.ts";
import { COUNT_ANSWERS, DELETED, DELETED_ANSWERS, succeeds, success } from "./success.ts";

export const RULE_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/domains/:domain/rules",
    summary: "List rules",
    query: z.object({
      search: text("substring of the type or the config"),
      limit: limit(100, 100),
      page,
    }),
    answers: {
      200: succeeds({
        limit: z.int(),
        page: z.int(),
        rules: z.array(RULE.schema),
        total: z.int(),
      }),
    },
    async handle(service, { params, query }) {
      const filter = given({ query: query.search });
      const found = await listRules(service, params.domain, filter, "rank_asc", pageOf(query));
      const rules = found.rows.map(RULE.present);
      return success({ limit: query.limit, page: query.page, rules, total: found.total });
    },
  }),
  route({
    method: "POST",
    path: "/domains/:domain/rules",
    summary: "Add a rule",
    query: SAVING,
    body: NEW_RULE,
    answers: { 200: succeeds({ rule: RULE.schema, warnings: WARNINGS }) },
    async handle(service, { params, query, body }) {
      const row = await createRule(service, params.domain, body);
      const warnings = await warningsIfAsked(query, service, params.domain, "rules", row.id);
      return success({ rule: RULE.present(row), ...warnings });
    },
  }),
  route({
    method: "GET",
    path: "/domains/:domain/rules/:rule",
    summary: "Get a rule, unwrapped",
    answers: { 200: RULE.schema },
    async handle(service, { params }) {
      return ok(RULE.present(await getRule(service, params.domain, params.rule)));
    },
  }),
  route({
    method: "PUT",
    path: "/domains/:domain/rules/:rule",
    summary: "Change a rule",
    query: SAVING,
    body: RULE_CHANGES,
    answers: { 200: succeeds({ rule: RULE.schema, warnings: WARNINGS }) },
    async handle(service, { params, query, body }) {
      const row = await updateRule(service, params.domain, params.rule, body);
      const warnings = await warningsIfAsked(query, service, params.domain, "rules", row.id);
      return success({ rule: RULE.present(row), ...warnings });
    },
  }),
  route({
    method: "DELETE",
    path: "/domains/:domain/rules/:rule",
    summary: "Delete a rule",
    answers: DELETED_ANSWERS,
    async handle(service, { params }) {
      await deleteRule(service, params.domain, params.rule);
      return DELETED;
    },
  }),
  route({
    method: "DELETE",
    path: "/domains/:domain/rules-all",
    summary: "Delete all rules of a domain",
    query: z.object({ all: allTrue }),
    answers: COUNT_ANSWERS,
    async handle(service, { params }) {
      return ok({ deleted: await deleteAllRules(service, params.domain) });
    },
  }),
];
