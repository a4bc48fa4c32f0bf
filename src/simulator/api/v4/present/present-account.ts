/** The account as version 4 shows it (API v4 §2 Account). */
import { z } from "zod";
import type { Account } from "../../../model/account.ts";
import type { Plan } from "../../../model/records.ts";
import { field, type Presenter, presenter } from "../../shared/presenter.ts";
import { isoSeconds, isoTimestamp } from "../../shared/timestamps.ts";

const count = z.int().min(0);

const PLAN: Presenter<Plan> = presenter("v4.Plan", {
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

const nullableText = z.string().nullable();

export const ACCOUNT: Presenter<Account> = presenter("v4.Account", {
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
  plan: field(PLAN.schema, ({ row }) => PLAN.present(row.plan)),
  privacy_level: field(z.int(), ({ row }) => row.privacyLevel),
  renews_at: field(isoTimestamp, ({ row }) => isoSeconds(row.renewsMs)),
});

// ASSUMPTION(account-locked): an account with a lock reason shows `locked` as true
function lockedOf(lockReason: string | null): true | null {
  return lockReason === null ? null : true;
}
