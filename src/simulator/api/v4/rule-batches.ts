/** Version 4's batches of rules (API v4 §4 Rules). */
import { z } from "zod";
import { addRules, deleteRules, updateRules } from "../../model/routing/rule-batches.ts";
import { entries } from "../read/parameters.ts";
import { type Route, route } from "../route.ts";
import { CHANGED_RULE, NEW_RULE, readNewRule } from "../shared/rule-fields.ts";
import { batchAnswers, presentBatch } from "./present/present-batch.ts";
import { RULE } from "./present/present-rule.ts";

const path = "/domains/:domain/rules/batch";

export const RULE_BATCH_ROUTES: readonly Route[] = [
  route({
    method: "POST",
    path,
    summary: "Add many rules",
    body: z.object({ rules: entries(NEW_RULE, "rules to add") }),
    answers: batchAnswers("added", RULE.schema),
    async handle(service, { params, body }) {
      const results = await addRules(service, params.domain, body.rules, readNewRule);
      return presentBatch("added", results, RULE.present);
    },
  }),
  route({
    method: "PUT",
    path,
    summary: "Change many rules",
    body: z.object({ rules: entries(CHANGED_RULE, "rules to change, by id") }),
    answers: batchAnswers("updated", RULE.schema),
    async handle(service, { params, body }) {
      const results = await updateRules(service, params.domain, body.rules);
      return presentBatch("updated", results, RULE.present);
    },
  }),
  route({
    method: "DELETE",
    path,
    summary: "Delete many rules",
    body: z.object({ ids: entries(z.string(), "ids of the rules to delete") }),
    answers: batchAnswers("deleted", z.string()),
    async handle(service, { params, body }) {
      const results = await deleteRules(service, params.domain, body.ids);
      return presentBatch("deleted", results, ({ id }) => id);
    },
  }),
];
