/** Version 3, endpoint by endpoint, in the order of its text (API v3 §4). */
import {
  allTrue,
  choice,
  type Endpoint,
  endpoint,
  limit,
  needs,
  page,
  type QueryParameter,
  takes,
  text,
} from "./endpoint.ts";
import { aliasRule, type World } from "./fixtures.ts";
import { anything, boolean, either, filled, integer, list, object, type Shape } from "./shape.ts";
import {
  accountV3,
  aliasV3,
  batchAliasV3,
  batchRuleV3,
  bulkAliasV3,
  credentialV3,
  domainV3,
  logsV3,
  logV3,
  ruleV3,
  success,
  writtenAliasV3,
} from "./shapes-v3.ts";
import { records, STATUSES } from "./shapes-v4.ts";

/** Counted by hand in the text: account 2, domains 6, aliases 10, rules 10, logs 5, credentials 4. */
export const ROWS_V3 = 37;

const done: Shape = object({ success });
const deletedCount: Shape = object({ deleted: integer });

const ACCOUNT: readonly Endpoint[] = [
  endpoint({ method: "GET", path: "/account", answer: object({ account: accountV3, success }) }),
  endpoint({
    method: "GET",
    path: "/account/whitelabels",
    answer: object({ whitelabels: list(object({ name: filled })), success }),
  }),
];

const oneDomain: Shape = object({ domain: domainV3, success });

const DOMAINS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/domains",
    query: [
      text("q", "substring of the name"),
      choice("is_active", ["1", "0"], null, "1 active, 0 inactive"),
      limit(50, 100),
      page(),
    ],
    answer: object({
      domains: list(domainV3),
      total: integer,
      limit: integer,
      page: integer,
      success,
    }),
  }),
  endpoint({ method: "GET", path: "/domains/:domain", answer: oneDomain }),
  endpoint({
    method: "POST",
    path: "/domains",
    body: [
      needs("domain", "string"),
      takes("notification_email", "string"),
      takes("whitelabel", "string"),
    ],
    sent: () => ({
      body: { domain: "new.test", notification_email: "ops@dest.test", whitelabel: "brand.test" },
    }),
    answer: oneDomain,
  }),
  endpoint({
    method: "PUT",
    path: "/domains/:domain",
    body: [
      takes("notification_email", "string"),
      takes("webhook", "string"),
      takes("whitelabel", "string"),
    ],
    sent: () => ({
      body: {
        notification_email: "ops@dest.test",
        webhook: "https://hooks.test/events",
        whitelabel: "brand.test",
      },
    }),
    answer: oneDomain,
  }),
  endpoint({
    method: "GET",
    path: "/domains/:domain/check",
    // `false` when MX is not configured correctly.
    answer: object({ records, success: boolean }),
  }),
  endpoint({ method: "DELETE", path: "/domains/:domain", answer: done }),
];

const writtenAlias: Shape = object({ alias: writtenAliasV3, success });
const newAlias = { alias: "new", forward: "new@dest.test" };
const idFailure: Shape = object({ id: filled, error: filled });

const ALIASES: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/domains/:domain/aliases",
    query: [text("q", "substring"), text("alias", "prefix"), limit(20, 100), page()],
    answer: object({
      aliases: list(aliasV3),
      limit: integer,
      page: integer,
      total: integer,
      success,
    }),
  }),
  endpoint({
    method: "GET",
    path: "/domains/:domain/aliases/:alias",
    child: "alias",
    answer: object({ alias: aliasV3, success }),
  }),
  endpoint({
    method: "POST",
    path: "/domains/:domain/aliases",
    body: [needs("alias", "string"), needs("forward", "string")],
    sent: () => ({ body: newAlias }),
    answer: writtenAlias,
  }),
  endpoint({
    method: "POST",
    path: "/domains/:domain/aliases/batch",
    body: [needs("aliases", "array")],
    sent: () => ({ body: { aliases: [newAlias] } }),
    // How a failed entry looks is not shown here.
    answer: object({ added: list(batchAliasV3), failed: list(anything) }),
    plan: "paid",
  }),
  endpoint({
    method: "PUT",
    path: "/domains/:domain/aliases/:alias",
    child: "alias",
    body: [needs("forward", "string")],
    sent: () => ({ body: { forward: "other@dest.test" } }),
    answer: writtenAlias,
  }),
  endpoint({
    method: "POST",
    path: "/domains/:domain/aliases/bulk",
    body: [needs("aliases", "array"), takes("behavior", "string")],
    sent: () => ({ body: { aliases: [newAlias] } }),
    answer: object({
      added: list(bulkAliasV3),
      updated: list(bulkAliasV3),
      failed: list(anything),
      success: boolean,
    }),
    plan: "paid",
    refusals: [
      {
        when: "an unknown behavior",
        status: 400,
        sent: () => ({ body: { aliases: [newAlias], behavior: "replace" } }),
      },
    ],
  }),
  endpoint({
    method: "PUT",
    path: "/domains/:domain/aliases/batch",
    body: [needs("aliases", "array")],
    sent: ({ names }: World) => ({
      body: { aliases: [{ id: names.aliasId, forward: "other@dest.test" }] },
    }),
    answer: object({
      updated: list(batchAliasV3),
      failed: list(object({ id: filled, forward: filled, error: filled })),
    }),
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/aliases/:alias",
    child: "alias",
    answer: done,
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/aliases/batch",
    body: [needs("ids", "array")],
    sent: ({ names }: World) => ({ body: { ids: [names.aliasId] } }),
    answer: object({ deleted: list(filled), failed: list(idFailure) }),
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/aliases/aliases-all",
    query: [allTrue],
    sent: () => ({ query: { all: "true" } }),
    answer: deletedCount,
  }),
];

const bulkResult: Shape = object({ operation: filled, rule: ruleV3, success: boolean });

const RULES: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/domains/:domain/rules",
    query: [text("search", "substring"), limit(100, 100), page()],
    answer: object({ limit: integer, page: integer, rules: list(ruleV3), total: integer, success }),
  }),
  endpoint({
    method: "POST",
    path: "/domains/:domain/rules",
    body: [
      needs("type", "string"),
      needs("config", "object"),
      takes("rank", "number"),
      takes("active", "boolean"),
      takes("id", "string"),
    ],
    sent: () => ({ body: aliasRule("third", { rank: 2.5, active: false }) }),
    answer: object({ rule: ruleV3, success }),
  }),
  endpoint({
    method: "POST",
    path: "/domains/:domain/rules/batch",
    body: [needs("rules", "array")],
    sent: () => ({ body: { rules: [aliasRule("third", { rank: 2.5 })] } }),
    answer: object({
      added: list(batchRuleV3),
      failed: list(object({ type: filled, config: anything, error: filled })),
    }),
  }),
  endpoint({
    method: "GET",
    path: "/domains/:domain/rules/:rule",
    child: "ruleId",
    // Unwrapped, and without `success`.
    answer: ruleV3,
  }),
  endpoint({
    method: "PUT",
    path: "/domains/:domain/rules/:rule",
    child: "ruleId",
    // The text calls `config` required; clients leave it out to keep the rest, so it is taken as optional.
    body: [takes("config", "object"), takes("rank", "number"), takes("active", "boolean")],
    sent: () => ({ body: { config: aliasRule("other").config, rank: 7.25, active: false } }),
    answer: object({ rule: ruleV3, success }),
  }),
  endpoint({
    method: "POST",
    path: "/domains/:domain/rules/bulk",
    body: [needs("rules", "array"), takes("behavior", "string")],
    sent: () => ({ body: { rules: [aliasRule("third")] } }),
    answer: object({ errors: list(anything), results: list(bulkResult), success: boolean }),
    refusals: [
      {
        when: "an unknown behavior",
        status: 400,
        sent: () => ({ body: { rules: [aliasRule("third")], behavior: "replace" } }),
      },
    ],
  }),
  endpoint({
    method: "PUT",
    path: "/domains/:domain/rules/batch",
    body: [needs("rules", "array")],
    sent: ({ names }: World) => ({ body: { rules: [{ id: names.ruleId, rank: 7.25 }] } }),
    answer: object({
      updated: list(batchRuleV3),
      failed: list(object({ id: filled, config: anything, error: filled })),
    }),
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/rules/:rule",
    child: "ruleId",
    answer: done,
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/rules/batch",
    body: [needs("ids", "array")],
    sent: ({ names }: World) => ({ body: { ids: [names.ruleId] } }),
    answer: object({ deleted: list(filled), failed: list(idFailure) }),
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/rules-all",
    query: [allTrue],
    sent: () => ({ query: { all: "true" } }),
    answer: deletedCount,
  }),
];

const cursor: QueryParameter = text("next_cursor", "log id to load after");

const LOGS: readonly Endpoint[] = [
  endpoint({ method: "GET", path: "/domains/:domain/logs", query: [cursor], answer: logsV3 }),
  endpoint({
    method: "GET",
    path: "/domains/:domain/logs/count",
    query: [
      ...["sender", "recipient", "forward"].map((name) => text(name, "exact, case-insensitive")),
      { kind: "choices", name: "status", values: STATUSES, effect: "has an event of one of these" },
      choice("transport", ["mx", "smtp", "api"], null, "how it came in"),
      { kind: "time", name: "after", effect: "received after" },
      { kind: "time", name: "before", effect: "received before" },
    ],
    // The body is not shown; version 4 has `total`, and most answers here carry `success`.
    answer: object({ total: integer }, { success }),
  }),
  endpoint({
    method: "GET",
    path: "/domains/:domain/logs/:id",
    child: "logId",
    // The body is not shown: unwrapped as in version 4, or wrapped as most answers here are.
    answer: either(logV3, object({ log: logV3, success })),
  }),
  endpoint({
    method: "GET",
    path: "/domains/:domain/logs/:alias",
    child: "alias",
    query: [cursor],
    answer: logsV3,
  }),
  endpoint({
    method: "GET",
    path: "/domains/:domain/logs/search",
    query: [
      choice("filter", ["all", "failure"], "all", "`failure`: bounces only"),
      text("text", "case-insensitive match on subject, sender, recipient, destination"),
      choice("order", ["desc", "asc"], "desc", "newest first, or oldest"),
      { kind: "seconds", name: "after", effect: "required; received at or after" },
      { kind: "seconds", name: "before", effect: "required; received at or before" },
    ],
    sent: () => ({ query: { after: "1", before: "4000000000" } }),
    answer: logsV3,
    refusals: [
      { when: "after missing", status: 400, sent: () => ({ query: { before: "4000000000" } }) },
      { when: "before missing", status: 400, sent: () => ({ query: { after: "1" } }) },
    ],
  }),
];

const CREDENTIALS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/domains/:domain/credentials",
    query: [limit(20, 200), page()],
    // Paged, yet the text shows neither `limit`, `page` nor `total` in the answer.
    answer: object({ credentials: list(credentialV3), success }),
  }),
  endpoint({
    method: "POST",
    path: "/domains/:domain/credentials",
    body: [needs("username", "string"), needs("password", "string")],
    sent: () => ({ body: { username: "sales", password: "s3cret-enough" } }),
    answer: object({ credential: credentialV3, requires_new_mx_check: boolean, success }),
  }),
  endpoint({
    method: "PUT",
    path: "/domains/:domain/credentials/:username",
    child: "username",
    body: [takes("password", "string")],
    sent: () => ({ body: { password: "another-s3cret" } }),
    answer: object({ credential: credentialV3, success }),
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/credentials/:username",
    child: "username",
    answer: done,
  }),
];

export const CONTRACT_V3: readonly Endpoint[] = [
  ...ACCOUNT,
  ...DOMAINS,
  ...ALIASES,
  ...RULES,
  ...LOGS,
  ...CREDENTIALS,
];

/** Rows beyond the text. */
export const EXTENSIONS_V3: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/account/generate-login-link",
    answer: object({ link: filled, success }),
  }),
];
