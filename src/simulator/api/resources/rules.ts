/** Rules in both versions: the fields shown, and their routes (API v4 and v3 §4 Rules). */
import { z } from "zod";
import type { RuleRow } from "../../model/records.ts";
import {
  createRule,
  deleteAllRules,
  deleteRule,
  getRule,
  listRules,
  updateRule,
} from "../../model/routing/rules.ts";
import { PLAIN, SUCCEEDING } from "../answers.ts";
import { type Field, field, type Presenter, presenter } from "../presenter.ts";
import { given, limit, page, pageOf, rankOrder, text } from "../read/parameters.ts";
import type { Route } from "../route.ts";
import { epoch, epochSeconds, isoSeconds, isoTimestamp } from "../timestamps.ts";
import { type EntryKind, entryRows } from "./rows/entry-rows.ts";
import { listRow } from "./rows/list-row.ts";
import { NEW_RULE, RULE_CHANGES, RULE_FIELDS } from "./rule-fields.ts";

const DATED: Readonly<Record<string, Field<RuleRow>>> = {
  ...RULE_FIELDS,
  created_at: field(isoTimestamp, (row) => isoSeconds(row.createdMs)),
  updated_at: field(isoTimestamp, (row) => isoSeconds(row.updatedMs)),
};

export const RULE_V4: Presenter<RuleRow> = presenter("v4.Rule", DATED);

// ASSUMPTION(v3-rule-created): a rule's `created` is in seconds in every answer, as the examples of update and bulk have it
export const RULE_V3: Presenter<RuleRow> = presenter("v3.Rule", {
  ...RULE_FIELDS,
  created: field(epoch, (row) => epochSeconds(row.createdMs)),
});

/** In the answers of batch add and batch update. */
export const BATCH_RULE_V3: Presenter<RuleRow> = presenter("v3.BatchRule", DATED);

const KIND: EntryKind<RuleRow> = {
  one: "rule",
  many: "rules",
  fresh: NEW_RULE,
  changes: RULE_CHANGES,
  summaries: {
    get: "Get a rule",
    create: "Add a rule",
    update: "Change a rule",
    delete: "Delete a rule",
    wipe: "Delete all rules of a domain",
  },
  create: createRule,
  update: updateRule,
  remove: deleteRule,
  removeAll: deleteAllRules,
};

const path = "/domains/:domain/rules";
const search = text("substring of the type or the config");

export const RULES_V4: readonly Route[] = [
  listRow({
    style: PLAIN,
    path,
    summary: "List rules",
    query: z.object({ query: search, order: rankOrder, limit: limit(20, 200), page }),
    shown: RULE_V4,
    fields: (rules, counts) => ({ rules, ...counts }),
    find: (service, domain, query) =>
      listRules(service, domain, given({ query: query.query }), query.order, pageOf(query)),
  }),
  ...entryRows(KIND, {
    style: PLAIN,
    shown: RULE_V4,
    saved: RULE_V4,
    single: "wrapped",
    item: "rule",
    find: getRule,
    wiped: path,
  }),
];

export const RULES_V3: readonly Route[] = [
  listRow({
    style: SUCCEEDING,
    path,
    summary: "List rules",
    query: z.object({ search, limit: limit(100, 100), page }),
    shown: RULE_V3,
    fields: (rules, { limit, page, total }) => ({ limit, page, rules, total }),
    find: (service, domain, query) =>
      listRules(service, domain, given({ query: query.search }), "rank_asc", pageOf(query)),
  }),
  ...entryRows(KIND, {
    style: SUCCEEDING,
    shown: RULE_V3,
    saved: RULE_V3,
    single: "unwrapped",
    item: "rule",
    find: getRule,
    wiped: "/domains/:domain/rules-all",
  }),
];
