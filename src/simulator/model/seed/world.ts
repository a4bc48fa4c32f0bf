/** A world: the JSON that a service is seeded with, in the API's own field names, read with the paths of its errors. */
import { z } from "zod";
import { fieldErrorsOf } from "../../../base/issues.ts";
import { LIMITS } from "../../../base/limits.ts";
import { isDomainName, parseAddrSpec } from "../../../engine/facts/address.ts";
import { withStoredTexts } from "../../store/stored-value.ts";
import type { DomainInput } from "../domains/create-domain.ts";
import { RECORD_TYPES, type ZoneEntry } from "../domains/dns-zone.ts";
import { fieldProblem } from "../problem.ts";
import type { Plan } from "../records.ts";
import type { AliasInput } from "../routing/aliases.ts";
import type { RuleInput } from "../routing/rules.ts";
import type { CredentialInput } from "../sending/credentials.ts";
import type { TemplateInput } from "../sending/templates.ts";

/** Absent fields are as in the default world. */
export interface WorldAccount {
  readonly email?: string;
  readonly name?: string;
  readonly address?: string;
  readonly country?: string;
  readonly billing_email?: string | null;
  readonly company_name?: string;
  readonly company_details?: string;
  readonly company_vat?: string | null;
  readonly lock_reason?: string | null;
  readonly privacy_level?: number;
  readonly email_log_retention_days?: number;
}

/** The domain's own fields, as for its creation; its contents are checked like requests to the API. */
export interface WorldDomain extends DomainInput {
  /** Default: false; no operation bans a domain. */
  readonly banned?: boolean;
  /** Default: the alias of every new domain. */
  readonly aliases?: readonly AliasInput[];
  readonly rules?: readonly RuleInput[];
  readonly credentials?: readonly CredentialInput[];
  readonly templates?: readonly TemplateInput[];
}

/** The account, domains, aliases, rules, credentials and templates at the start, in the API's own fields. */
export interface World {
  readonly account?: WorldAccount;
  readonly plan?: Partial<Plan>;
  readonly whitelabels?: readonly string[];
  readonly domains?: readonly WorldDomain[];
  /** Answers of the simulated DNS that replace the expected ones. */
  readonly dns?: readonly ZoneEntry[];
}

const text = z.string();
const count = z.int().min(0);
const any = z.unknown();
const domainName = text.refine(isDomainName, "not a domain name: write it as `example.com`");
const mailbox = text.refine(
  (address) => parseAddrSpec(address) !== null,
  "not a mailbox: write `user@domain`",
);

const ACCOUNT = z
  .strictObject({
    email: mailbox,
    name: text,
    address: text,
    country: text,
    billing_email: text.nullable(),
    company_name: text,
    company_details: text,
    company_vat: text.nullable(),
    lock_reason: text.nullable(),
    privacy_level: count,
    email_log_retention_days: count,
  })
  .partial();

const PLAN = z
  .strictObject({
    name: text,
    kind: z.enum(["free", "premium", "enterprise"]),
    price: z.number().min(0),
    billing_cycle: z.enum(["monthly", "yearly"]),
    domains_limit: count,
    // No domain may be larger than the engine compiles.
    aliases_limit: count.max(LIMITS.aliasesMax),
    rules_limit: count.max(LIMITS.rulesMax),
    daily_receive_limit: count,
    daily_send_limit: count,
    monthly_receive_limit: count,
    monthly_send_limit: count,
  })
  .partial();

/** Checks only the names of the fields; the operations check their values. */
const DOMAIN = z.strictObject({
  domain: any,
  notification_email: any,
  whitelabel: any,
  webhook: any,
  routing_engine: any,
  rules_fallback_email: any,
  notify_when_spam_blocked: any,
  strict_mxes: any,
  banned: z.boolean(),
  aliases: z.array(z.strictObject({ alias: any, forward: any }).partial()).optional(),
  rules: z
    .array(z.strictObject({ type: any, config: any, rank: any, active: any, id: any }).partial())
    .optional(),
  credentials: z.array(z.strictObject({ username: any, password: any }).partial()).optional(),
  templates: z
    .array(
      z
        .strictObject({ name: any, description: any, subject: any, html_body: any, text_body: any })
        .partial(),
    )
    .optional(),
});

const WORLD = z
  .strictObject({
    account: ACCOUNT,
    plan: PLAN,
    whitelabels: z.array(domainName),
    domains: z.array(DOMAIN.partial()),
    dns: z.array(
      z.strictObject({
        type: z.enum(RECORD_TYPES),
        name: z.string().min(1),
        values: z.array(text),
      }),
    ),
  })
  .partial();

/** Reads a world; throws 400 with errors under paths such as `domains[0].aliases`. */
export function parseWorld(value: unknown): World {
  const result = WORLD.safeParse(withStoredTexts(value));
  if (result.success) return result.data as World;
  throw fieldProblem(fieldErrorsOf(result.error, "named"));
}
