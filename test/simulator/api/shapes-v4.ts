/** Field shapes of version 4, transcribed from its text (API v4 §2, §3, §7). */
import * as shape from "./shape.ts";
import {
  boolean,
  filled,
  integer,
  nullable,
  object,
  type Shape,
  string,
  timestamp,
} from "./shape.ts";

export const STATUSES: readonly string[] = [
  "QUEUED",
  "REFUSED",
  "DELIVERED",
  "SOFT-BOUNCE",
  "HARD-BOUNCE",
  "BOUNCED",
];

export const failureV4: Shape = object({ message: filled, errors: shape.map(shape.list(string)) });

const planV4: Shape = object({
  name: string,
  price: shape.number,
  billing_cycle: string,
  domains_limit: integer,
  aliases_limit: integer,
  rules_limit: integer,
  daily_receive_limit: integer,
  daily_send_limit: integer,
  monthly_receive_limit: integer,
  monthly_send_limit: integer,
});

export const accountV4: Shape = object({
  address: string,
  billing_email: nullable(string),
  cancels_at: nullable(timestamp),
  company_vat: nullable(string),
  country: string,
  created_at: timestamp,
  email: string,
  email_log_retention_days: integer,
  lock_reason: nullable(string),
  locked: shape.anything,
  name: string,
  over_quota: boolean,
  plan: planV4,
  privacy_level: integer,
  renews_at: timestamp,
});

export const domainV4: Shape = object({
  domain: filled,
  forwarding_ready: boolean,
  send_ready: boolean,
  banned: boolean,
  notification_email: nullable(string),
  notify_when_spam_blocked: boolean,
  routing_engine: shape.exactly("alias", "rules", null),
  rules_fallback_email: nullable(string),
  strict_mxes: boolean,
  whitelabel: nullable(string),
  created_at: timestamp,
  updated_at: timestamp,
});

const textRecord: Shape = object({ expected: string, valid: boolean, values: nullable(string) });

/** The same in both versions. */
export const records: Shape = object({
  provider: string,
  advanced: boolean,
  dkim1: textRecord,
  dkim2: textRecord,
  dmarc: textRecord,
  mx: object({
    expected: shape.list(string),
    valid: boolean,
    values: nullable(shape.list(string)),
  }),
  spf: textRecord,
  error: nullable(string),
  valid: boolean,
});

export const aliasV4: Shape = object({
  id: filled,
  alias: filled,
  forward: filled,
  created_at: timestamp,
  updated_at: timestamp,
});

/** The same in both versions. */
export const ruleConfig: Shape = shape.either(
  object({ alias: filled, forward: filled }),
  object({
    regex: filled,
    scopes: shape.list(shape.exactly("sender", "recipient", "subject", "body")),
    forward: filled,
  }),
  object({ expression: filled, forward: filled }),
);

export const ruleV4: Shape = object({
  id: shape.uuid,
  type: shape.exactly("alias", "regex", "cel"),
  config: ruleConfig,
  rank: shape.number,
  active: boolean,
  created_at: timestamp,
  updated_at: timestamp,
});

export const eventV4: Shape = object({
  code: integer,
  created_at: timestamp,
  id: filled,
  local: string,
  message: string,
  server: string,
  status: shape.exactly(...STATUSES),
});

export const mailbox: Shape = object({ email: filled, name: nullable(string) });

export const logV4: Shape = object({
  id: filled,
  created_at: timestamp,
  events: shape.list(eventV4),
  forward: nullable(mailbox),
  hostname: string,
  message_id: filled,
  recipient: mailbox,
  sender: mailbox,
  subject: string,
  transport: shape.exactly("mx", "smtp", "api"),
});

/** Has no password: that is write-only. */
export const credentialV4: Shape = object({
  username: filled,
  created_at: timestamp,
  usage: integer,
});

/** What an unset text of a template holds is not stated. */
const templateText: Shape = nullable(string);

export const templateSummaryV4: Shape = object({
  name: filled,
  description: templateText,
  subject: templateText,
  created_at: timestamp,
  updated_at: timestamp,
});

export const templateV4: Shape = object({
  name: filled,
  description: templateText,
  subject: templateText,
  html_body: templateText,
  text_body: templateText,
  created_at: timestamp,
  updated_at: timestamp,
});

/** A failed entry of a batch: exactly these, the item is not echoed. */
export const batchFailureV4: Shape = object({
  index: integer,
  message: filled,
  errors: shape.map(shape.anything),
});
