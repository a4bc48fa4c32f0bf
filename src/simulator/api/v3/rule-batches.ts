/** Version 3's batches and bulk of rules (API v3 §4 Rules). */
import { z } from "zod";
import { addRules, bulkRules, deleteRules, updateRules } from "../../model/routing/rule-batches.ts";
import { behavior, entries } from "../read/parameters.ts";
import { ok, type Route, route } from "../route.ts";
import { CHANGED_RULE, NEW_RULE, readNewRule } from "../shared/rule-fields.ts";
import {
  asEntries,
  done,
  failureSchema,
  presentFailures,
  reasonOf,
} from "./present/present-failure.ts";
import { BATCH_RULE, RULE } from "./present/present-rule.ts";
import { succeeds, success } from "./success.ts";

const batch = "/domains/:domain/rules/batch";
const ADDED = ["type", "config"];
const UPDATED = ["id", "config"];

const operation = z.enum(["add", "update", "delete"]);

export const RULE_BATCH_ROUTES: readonly Route[] = [
  route({
    method: "POST",
    path: batch,
    summary: "Add many rules",
    body: z.object({ rules: entries(NEW_RULE, "rules to add") }),
    answers: {
      200: z.strictObject({
        added: z.array(BATCH_RULE.schema),
        failed: z.array(failureSchema(ADDED)),
      }),
    },
    async handle(service, { params, body: { rules } }) {
      const results = await addRules(service, params.domain, rules, readNewRule);
      const failed = presentFailures(rules, results, ADDED);
      return ok({ added: done(results).map(BATCH_RULE.present), failed });
    },
  }),
  route({
    method: "PUT",
    path: batch,
    summary: "Change many rules",
    body: z.object({ rules: entries(CHANGED_RULE, "rules to change, by id") }),
    answers: {
      200: z.strictObject({
        updated: z.array(BATCH_RULE.schema),
        failed: z.array(failureSchema(UPDATED)),
      }),
    },
    async handle(service, { params, body: { rules } }) {
      const results = await updateRules(service, params.domain, rules);
      const failed = presentFailures(rules, results, UPDATED);
      return ok({ updated: done(results).map(BATCH_RULE.present), failed });
    },
  }),
  route({
    method: "DELETE",
    path: batch,
    summary: "Delete many rules",
    body: z.object({ ids: entries(z.string(), "ids of the rules to delete") }),
    answers: {
      200: z.strictObject({
        deleted: z.array(z.string()),
        failed: z.array(failureSchema(["id"])),
      }),
    },
    async handle(service, { params, body: { ids } }) {
      const results = await deleteRules(service, params.domain, ids);
      const failed = presentFailures(asEntries(ids), results, ["id"]);
      return ok({ deleted: done(results).map(({ id }) => id), failed });
    },
  }),
  // ASSUMPTION(v3-bulk-rules): what fails stands in `errors` with the rule as it was sent, all else in `results`
  route({
    method: "POST",
    path: "/domains/:domain/rules/bulk",
    summary: "Add, update or delete many rules",
    body: z.object({ rules: entries(NEW_RULE.or(CHANGED_RULE), "rules"), behavior }),
    answers: {
      200: succeeds({
        errors: z.array(z.strictObject({ operation, rule: z.unknown(), error: z.string() })),
        results: z.array(
          z.strictObject({ operation, rule: RULE.schema, success: z.literal(true) }),
        ),
      }),
    },
    async handle(service, { params, body: { rules, behavior: what } }) {
      const all = await bulkRules(service, params.domain, what, rules, readNewRule);
      const errors = all.flatMap((result) =>
        result.ok ? [] : [{ operation: what, rule: rules[result.index], error: reasonOf(result) }],
      );
      const results = done(all).map((row) => ({
        operation: what,
        rule: RULE.present(row),
        success: true,
      }));
      return success({ errors, results });
    },
  }),
];
