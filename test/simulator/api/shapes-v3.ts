/** Field shapes of version 3, transcribed from its text (API v3 §1, §2, §4, §7). */
import * as shape from "./shape.ts";
import {
  boolean,
  filled,
  integer,
  milliseconds,
  nullable,
  object,
  type Shape,
  string,
  timestamp,
} from "./shape.ts";
import { accountV4, mailbox, ruleConfig, STATUSES } from "./shapes-v4.ts";

export const success: Shape = shape.exactly(true);

/** The text shows `errors` and `success`; clients also read the other two, so they may be there. */
export const failureV3: Shape = object(
  { errors: shape.map(shape.list(string)), success: shape.exactly(false) },
  { error: string, code: integer },
);

const limitsV3: Shape = object({
  aliases: integer,
  daily_quota: integer,
  daily_send: integer,
  domains: integer,
  ratelimit: integer,
  redirections: integer,
  subdomains: integer,
  api: integer,
  credentials: integer,
  destinations: integer,
});

const planV3: Shape = object({
  aliases_limit: integer,
  daily_quota: integer,
  domains_limit: integer,
  price: integer,
  display: string,
  kind: string,
  name: string,
  yearly: boolean,
});

/** The text documents the shape of version 4 for this version too. */
export const accountV3: Shape = shape.either(
  object({
    billing_email: nullable(string),
    cancels_on: shape.anything,
    company_vat: nullable(string),
    lock_reason: nullable(string),
    locked: shape.anything,
    card_brand: string,
    company_details: string,
    company_name: string,
    country: string,
    email: string,
    last4: string,
    created: milliseconds,
    limits: limitsV3,
    password: boolean,
    plan: planV3,
    premium: boolean,
    privacy_level: integer,
    renew_date: integer,
  }),
  accountV4,
);

export const aliasV3: Shape = object({
  id: integer,
  alias: filled,
  forward: filled,
  created: milliseconds,
});

/** In answers to create and update, `created` is absent. */
export const writtenAliasV3: Shape = object({ id: integer, alias: filled, forward: filled });

/** In batch answers ids are strings; which timestamps are there is not shown. */
export const batchAliasV3: Shape = object(
  { id: filled, alias: filled, forward: filled },
  { created: integer, created_at: timestamp, updated_at: timestamp },
);

/** In bulk answers; of which kind its id is, is not shown. */
export const bulkAliasV3: Shape = object({
  alias: filled,
  forward: filled,
  id: shape.either(integer, filled),
});

export const domainV3: Shape = object(
  {
    active: boolean,
    domain: filled,
    display: string,
    dkim_selector: string,
    notification_email: nullable(string),
    webhook: nullable(string),
    whitelabel: nullable(string),
    added: milliseconds,
    aliases: shape.list(aliasV3),
  },
  { daily_quota: integer, routing_engine: nullable(shape.exactly("alias", "rules")) },
);

function rule(created: Readonly<Record<string, Shape>>): Shape {
  return object({
    id: shape.uuid,
    type: shape.exactly("alias", "regex", "cel"),
    config: ruleConfig,
    rank: shape.number,
    active: boolean,
    ...created,
  });
}

/** The examples of update and bulk carry seconds; clients read one field. */
export const ruleV3: Shape = rule({ created: shape.seconds });
/** The answers of batch add and batch update carry the timestamps of version 4. */
export const batchRuleV3: Shape = rule({ created_at: timestamp, updated_at: timestamp });

export const eventV3: Shape = object({
  code: integer,
  created: milliseconds,
  id: filled,
  local: string,
  message: string,
  server: string,
  status: shape.exactly(...STATUSES),
});

export const logV3: Shape = object({
  created: milliseconds,
  created_raw: milliseconds,
  events: shape.list(eventV3),
  forward: nullable(mailbox),
  hostname: string,
  id: filled,
  messageId: filled,
  recipient: mailbox,
  sender: mailbox,
  subject: string,
  transport: shape.exactly("mx", "smtp", "api"),
});

/** The text shows no `next_cursor` in the answer, though it says to pass on "the value from the previous response". */
export const logsV3: Shape = object(
  { logs: shape.list(logV3), success },
  { next_cursor: nullable(filled) },
);

export const credentialV3: Shape = object({
  username: filled,
  created: milliseconds,
  usage: integer,
});
