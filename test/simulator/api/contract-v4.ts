/** Version 4, endpoint by endpoint, in the order of its text (API v4 §4). Send and templates stand in a file of their own. */
import { sendV4, templatesV4 } from "./contract-v4-send.ts";
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
import { boolean, integer, list, nullable, object, type Shape, string } from "./shape.ts";
import {
  accountV4,
  aliasV4,
  batchFailureV4,
  credentialV4,
  domainV4,
  logV4,
  records,
  ruleV4,
  STATUSES,
} from "./shapes-v4.ts";

/** Counted by hand in the text: account 1, domains 6, aliases 9, rules 9, logs 4, credentials 4, send 1, templates 5. */
export const ROWS_V4 = 39;

/** The text leaves the status of a create open, and calls 200 the general success code. */
const CREATED: readonly number[] = [200, 201];

const ACCOUNT: readonly Endpoint[] = [
  endpoint({ method: "GET", path: "/account", answer: object({ account: accountV4 }) }),
];

const oneDomain: Shape = object({ domain: domainV4 });
const NAME_OR_CREATED: readonly string[] = ["name_asc", "name_desc", "created_asc", "created_desc"];
const byName = (): QueryParameter => choice("order", NAME_OR_CREATED, "name_asc", "order");

const DOMAINS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/domains",
    query: [
      text("query", "substring of the name"),
      choice("forwarding_ready", ["true", "false"], null, "whose MX resolve to the service"),
      choice("send_ready", ["true", "false"], null, "ready to send"),
      text("whitelabel", "exact brand; `null`: without one"),
      choice("routing_engine", ["alias", "rules", "null"], null, "exact; `null`: disabled"),
      byName(),
      limit(20, 200),
      page(),
    ],
    answer: object({ domains: list(domainV4), total: integer, limit: integer, page: integer }),
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
    status: CREATED,
    answer: oneDomain,
  }),
  endpoint({
    method: "PUT",
    path: "/domains/:domain",
    body: [takes("notification_email", "string"), takes("whitelabel", "string")],
    sent: () => ({ body: { notification_email: "ops@dest.test", whitelabel: "brand.test" } }),
    answer: oneDomain,
  }),
  endpoint({ method: "POST", path: "/domains/:domain/verify", answer: object({ records }) }),
  endpoint({ method: "DELETE", path: "/domains/:domain", status: [204], answer: null }),
];

function batchAnswer(verb: "added" | "updated" | "deleted", of: Shape): Shape {
  return object({
    [verb]: list(of),
    [`${verb}_count`]: integer,
    failed: list(batchFailureV4),
    failed_count: integer,
  });
}

const oneAlias: Shape = object({ alias: aliasV4 });
const newAlias = { alias: "new", forward: "new@dest.test" };
const deletedCount: Shape = object({ deleted: integer });

const ALIASES: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/domains/:domain/aliases",
    query: [text("query", "substring of alias or destination"), byName(), limit(20, 200), page()],
    answer: object({ aliases: list(aliasV4), limit: integer, page: integer, total: integer }),
  }),
  endpoint({
    method: "GET",
    path: "/domains/:domain/aliases/:id",
    child: "aliasId",
    answer: oneAlias,
  }),
  endpoint({
    method: "POST",
    path: "/domains/:domain/aliases",
    body: [needs("alias", "string"), needs("forward", "string")],
    sent: () => ({ body: newAlias }),
    status: CREATED,
    answer: oneAlias,
  }),
  endpoint({
    method: "POST",
    path: "/domains/:domain/aliases/batch",
    body: [needs("aliases", "array")],
    sent: () => ({ body: { aliases: [newAlias] } }),
    answer: batchAnswer("added", aliasV4),
    plan: "paid",
  }),
  endpoint({
    method: "PUT",
    path: "/domains/:domain/aliases/:id",
    child: "aliasId",
    body: [needs("forward", "string")],
    sent: () => ({ body: { forward: "other@dest.test" } }),
    answer: oneAlias,
  }),
  endpoint({
    method: "PUT",
    path: "/domains/:domain/aliases/batch",
    body: [needs("aliases", "array")],
    sent: ({ names }: World) => ({
      body: { aliases: [{ id: names.aliasId, forward: "other@dest.test" }] },
    }),
    answer: batchAnswer("updated", aliasV4),
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/aliases/:id",
    child: "aliasId",
    status: [204],
    answer: null,
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/aliases/batch",
    body: [needs("ids", "array")],
    sent: ({ names }: World) => ({ body: { ids: [names.aliasId] } }),
    answer: batchAnswer("deleted", string),
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/aliases",
    query: [allTrue],
    sent: () => ({ query: { all: "true" } }),
    answer: deletedCount,
  }),
];

const oneRule: Shape = object({ rule: ruleV4 });
const RULE_ID = "6f1c2f0e-4b58-4d0c-9a55-0c9d1c8b7a10";
const RANK_OR_CREATED: readonly string[] = ["rank_asc", "rank_desc", "created_asc", "created_desc"];

const RULES: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/domains/:domain/rules",
    query: [
      text("query", "substring"),
      choice("order", RANK_OR_CREATED, "rank_asc", "order"),
      limit(20, 200),
      page(),
    ],
    answer: object({ rules: list(ruleV4), limit: integer, page: integer, total: integer }),
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
    sent: () => ({ body: aliasRule("third", { rank: 2.5, active: false, id: RULE_ID }) }),
    status: CREATED,
    answer: oneRule,
  }),
  endpoint({
    method: "POST",
    path: "/domains/:domain/rules/batch",
    body: [needs("rules", "array")],
    sent: () => ({ body: { rules: [aliasRule("third", { rank: 2.5, active: false })] } }),
    answer: batchAnswer("added", ruleV4),
  }),
  endpoint({
    method: "GET",
    path: "/domains/:domain/rules/:rule",
    child: "ruleId",
    answer: oneRule,
  }),
  endpoint({
    method: "PUT",
    path: "/domains/:domain/rules/:rule",
    child: "ruleId",
    // The text calls `config` required; clients leave it out to keep the rest, so it is taken as optional.
    body: [takes("config", "object"), takes("rank", "number"), takes("active", "boolean")],
    sent: () => ({ body: { config: aliasRule("other").config, rank: 7.25, active: false } }),
    answer: oneRule,
  }),
  endpoint({
    method: "PUT",
    path: "/domains/:domain/rules/batch",
    body: [needs("rules", "array")],
    sent: ({ names }: World) => ({ body: { rules: [{ id: names.ruleId, rank: 7.25 }] } }),
    answer: batchAnswer("updated", ruleV4),
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/rules/:rule",
    child: "ruleId",
    status: [204],
    answer: null,
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/rules/batch",
    body: [needs("ids", "array")],
    sent: ({ names }: World) => ({ body: { ids: [names.ruleId] } }),
    answer: batchAnswer("deleted", string),
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/rules",
    query: [allTrue],
    sent: () => ({ query: { all: "true" } }),
    answer: deletedCount,
  }),
];

const TRANSPORTS: readonly string[] = ["mx", "smtp", "api"];

function logFilters(match: string): readonly QueryParameter[] {
  return [
    ...["sender", "recipient", "forward"].map((name) => text(name, `${match}, case-insensitive`)),
    { kind: "choices", name: "status", values: STATUSES, effect: "has an event of one of these" },
    choice("transport", TRANSPORTS, null, "how it came in"),
    { kind: "time", name: "after", effect: "received after" },
    { kind: "time", name: "before", effect: "received before" },
  ];
}

const LOGS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/domains/:domain/logs",
    query: [
      ...logFilters("exact"),
      choice("order", ["created_desc", "created_asc"], "created_desc", "order"),
      limit(100, 200),
      text("cursor", "log id to start from"),
    ],
    answer: object({
      logs: list(logV4),
      limit: integer,
      cursor: nullable(string),
      next_cursor: nullable(string),
    }),
  }),
  endpoint({
    method: "GET",
    path: "/domains/:domain/logs/count",
    query: logFilters("exact"),
    answer: object({ total: integer }),
  }),
  endpoint({
    method: "GET",
    path: "/domains/:domain/logs/:id",
    child: "logId",
    answer: logV4,
  }),
  endpoint({
    method: "GET",
    path: "/domains/:domain/logs/search",
    query: [
      text("query", "required; typo-tolerant over subject, sender, recipient, forward"),
      ...logFilters("substring"),
      choice("order", ["relevance", "created_desc", "created_asc"], "relevance", "order"),
      limit(20, 200),
      { kind: "integer", name: "offset", standard: 0, max: null, effect: "entries to pass over" },
    ],
    sent: () => ({ query: { query: "message" } }),
    answer: object({
      logs: list(logV4),
      limit: integer,
      offset: integer,
      total: integer,
      next_offset: nullable(integer),
    }),
    refusals: [{ when: "query missing", status: 400, sent: () => ({}) }],
  }),
];

const CREDENTIALS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/domains/:domain/credentials",
    query: [limit(20, 200), page()],
    answer: object({
      credentials: list(credentialV4),
      limit: integer,
      page: integer,
      total: integer,
    }),
  }),
  endpoint({
    method: "POST",
    path: "/domains/:domain/credentials",
    body: [needs("username", "string"), needs("password", "string")],
    sent: () => ({ body: { username: "sales", password: "s3cret-enough" } }),
    status: CREATED,
    answer: object({ credential: credentialV4, requires_new_mx_check: boolean }),
  }),
  endpoint({
    method: "PUT",
    path: "/domains/:domain/credentials/:username",
    child: "username",
    // The text does not say whether the password may be left out.
    body: [takes("password", "string")],
    sent: () => ({ body: { password: "another-s3cret" } }),
    answer: object({ credential: credentialV4 }),
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/credentials/:username",
    child: "username",
    status: [204],
    answer: null,
  }),
];

export const CONTRACT_V4: readonly Endpoint[] = [
  ...ACCOUNT,
  ...DOMAINS,
  ...ALIASES,
  ...RULES,
  ...LOGS,
  ...CREDENTIALS,
  ...sendV4,
  ...templatesV4,
];

/** Rows beyond the text. */
export const EXTENSIONS_V4: readonly Endpoint[] = [];
