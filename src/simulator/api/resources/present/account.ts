/** The account as each version shows it (API v4 §2 Account, v3 §2 Account). */
import { z } from "zod";
import { LIMITS } from "../../../../base/limits.ts";
import { type Account, isPaid } from "../../../model/account.ts";
import type { Plan } from "../../../model/records.ts";
import { field, type Presenter, presenter } from "../../presenter.ts";
import { epoch, isoSeconds, isoTimestamp } from "../../timestamps.ts";

const count = z.int().min(0);
const text = z.string();
const nullableText = text.nullable();

const PLAN_V4: Presenter<Plan> = presenter("v4.Plan", {
  name: field(z.string(), (plan) => plan.name),
  price: field(z.number(), (plan) => plan.price),
  billing_cycle: field(z.string(), (plan) => plan.billing_cycle),
  domains_limit: field(count, (plan) => plan.domains_limit),
  aliases_limit: field(count, (plan) => plan.aliases_limit),
  rules_limit: field(count, (plan) => plan.rules_limit),
  daily_receive_limit: field(count, (plan) => plan.daily_receive_limit),
  daily_send_limit: field(count, (plan) => plan.daily_send_limit),
  monthly_receive_limit: field(count, (plan) => plan.monthly_receive_limit),
  monthly_send_limit: field(count, (plan) => plan.monthly_send_limit),
});

export const ACCOUNT_V4: Presenter<Account> = presenter("v4.Account", {
  address: field(z.string(), ({ row }) => row.address),
  billing_email: field(nullableText, ({ row }) => row.billingEmail),
  cancels_at: field(isoTimestamp.nullable(), ({ row }) =>
    row.cancelsMs === null ? null : isoSeconds(row.cancelsMs),
  ),
  company_vat: field(nullableText, ({ row }) => row.companyVat),
  country: field(z.string(), ({ row }) => row.country),
  created_at: field(isoTimestamp, ({ row }) => isoSeconds(row.createdMs)),
  email: field(z.string(), ({ row }) => row.email),
  email_log_retention_days: field(count, ({ row }) => row.logRetentionDays),
  lock_reason: field(nullableText, ({ row }) => row.lockReason),
  locked: field(z.literal(true).nullable(), ({ row }) => lockedOf(row.lockReason)),
  name: field(z.string(), ({ row }) => row.name),
  over_quota: field(z.boolean(), ({ overQuota }) => overQuota),
  plan: field(PLAN_V4.schema, ({ row }) => PLAN_V4.present(row.plan)),
  privacy_level: field(z.int(), ({ row }) => row.privacyLevel),
  renews_at: field(isoTimestamp, ({ row }) => isoSeconds(row.renewsMs)),
});

// ASSUMPTION(account-locked): an account with a lock reason shows `locked` as true
function lockedOf(lockReason: string | null): true | null {
  return lockReason === null ? null : true;
}

// ASSUMPTION(v3-account-limits): limits that version 4's plan lacks are the service's own: requests, destinations, domains, aliases
const BOUNDS: Presenter<Plan> = presenter("v3.Limits", {
  aliases: field(count, (plan) => plan.aliases_limit),
  daily_quota: field(count, (plan) => plan.daily_receive_limit),
  daily_send: field(count, (plan) => plan.daily_send_limit),
  domains: field(count, (plan) => plan.domains_limit),
  ratelimit: field(count, requestsMax),
  redirections: field(count, () => LIMITS.destinationsMax),
  subdomains: field(count, (plan) => plan.domains_limit),
  api: field(count, requestsMax),
  credentials: field(count, (plan) => plan.aliases_limit),
  destinations: field(count, () => LIMITS.destinationsMax),
});

function requestsMax(plan: Plan): number {
  return isPaid(plan) ? LIMITS.paidRequestsMax : LIMITS.freeRequestsMax;
}

const PLAN_V3: Presenter<Plan> = presenter("v3.Plan", {
  aliases_limit: field(count, (plan) => plan.aliases_limit),
  daily_quota: field(count, (plan) => plan.daily_receive_limit),
  domains_limit: field(count, (plan) => plan.domains_limit),
  // ASSUMPTION(v3-price): a price with a fraction is rounded, because version 3 has an integer
  price: field(count, (plan) => Math.round(plan.price)),
  display: field(z.string(), (plan) => plan.name),
  kind: field(z.string(), (plan) => plan.kind),
  name: field(z.string(), (plan) => plan.name),
  yearly: field(z.boolean(), (plan) => plan.billing_cycle === "yearly"),
});

// ASSUMPTION(v3-account-fields): `renew_date` and `cancels_on` are milliseconds, and every account has a password
export const ACCOUNT_V3: Presenter<Account> = presenter("v3.Account", {
  billing_email: field(nullableText, ({ row }) => row.billingEmail),
  cancels_on: field(epoch.nullable(), ({ row }) => row.cancelsMs),
  card_brand: field(text, ({ row }) => row.cardBrand),
  company_details: field(text, ({ row }) => row.companyDetails),
  company_name: field(text, ({ row }) => row.companyName),
  company_vat: field(nullableText, ({ row }) => row.companyVat),
  country: field(text, ({ row }) => row.country),
  created: field(epoch, ({ row }) => row.createdMs),
  email: field(text, ({ row }) => row.email),
  last4: field(text, ({ row }) => row.last4),
  limits: field(BOUNDS.schema, ({ row }) => BOUNDS.present(row.plan)),
  lock_reason: field(nullableText, ({ row }) => row.lockReason),
  locked: field(z.literal(true).nullable(), ({ row }) => lockedOf(row.lockReason)),
  password: field(z.boolean(), () => true),
  plan: field(PLAN_V3.schema, ({ row }) => PLAN_V3.present(row.plan)),
  premium: field(z.boolean(), ({ row }) => isPaid(row.plan)),
  privacy_level: field(z.int(), ({ row }) => row.privacyLevel),
  renew_date: field(epoch, ({ row }) => row.renewsMs),
});
