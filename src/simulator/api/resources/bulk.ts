/** Version 3's bulk of aliases, by name, and of rules (API v3 §4). */
import { z } from "zod";
import { bulkAliases } from "../../model/routing/alias-batches.ts";
import { bulkRules } from "../../model/routing/rule-batches.ts";
import { succeeds, success } from "../answers.ts";
import { behavior, entries } from "../read/parameters.ts";
import { type Route, route } from "../route.ts";
import { ALIAS_V3, NEW_ALIAS, SAVED_ALIAS_V3 } from "./aliases.ts";
import { done, failureSchema, presentFailures, reasonOf } from "./present/batch.ts";
import { CHANGED_RULE, NEW_RULE, readNewRule } from "./rule-fields.ts";
import { RULE_V3 } from "./rules.ts";

const TOLD = ["alias", "forward"];
const operation = z.enum(["add", "update", "delete"]);

export const BULK_ALIASES: Route = route({
  method: "POST",
  path: "/domains/:domain/aliases/bulk",
  summary: "Add (paid plans), update or delete many aliases by name",
  body: z.object({ aliases: entries(NEW_ALIAS, "aliases, by name"), behavior }),
  answers: {
    200: z.union([
      succeeds({
        added: z.array(SAVED_ALIAS_V3.schema),
        updated: z.array(SAVED_ALIAS_V3.schema),
        failed: z.array(failureSchema(TOLD)),
      }),
      succeeds({
        deleted: z.array(ALIAS_V3.schema),
        failed: z.array(z.strictObject({ alias: z.unknown() })),
      }),
    ]),
  },
  async handle(service, { params, body: { aliases, behavior: what } }) {
    const results = await bulkAliases(service, params.domain, what, aliases);
    const failures = presentFailures(aliases, results, TOLD);
    const rows = done(results);
    if (what === "delete") {
      const failed = failures.map(({ alias }) => ({ alias }));
      return success({ deleted: rows.map(ALIAS_V3.present), failed });
    }
    const saved = rows.map(SAVED_ALIAS_V3.present);
    const added = what === "add" ? saved : [];
    return success({ added, updated: what === "add" ? [] : saved, failed: failures });
  },
});

// ASSUMPTION(v3-bulk-rules): failures are in `errors` with the rule as it was sent, everything else is in `results`
export const BULK_RULES: Route = route({
  method: "POST",
  path: "/domains/:domain/rules/bulk",
  summary: "Add, update or delete many rules",
  body: z.object({ rules: entries(NEW_RULE.or(CHANGED_RULE), "rules"), behavior }),
  answers: {
    200: succeeds({
      errors: z.array(z.strictObject({ operation, rule: z.unknown(), error: z.string() })),
      results: z.array(
        z.strictObject({ operation, rule: RULE_V3.schema, success: z.literal(true) }),
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
      rule: RULE_V3.present(row),
      success: true,
    }));
    return success({ errors, results });
  },
});
