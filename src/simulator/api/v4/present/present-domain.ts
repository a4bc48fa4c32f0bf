/** A domain as version 4 shows it (API v4 §2 Domain). */
import { z } from "zod";
import type { DomainRow } from "../../../model/records.ts";
import { field, type Presenter, presenter } from "../../shared/presenter.ts";
import { isoSeconds, isoTimestamp } from "../../shared/timestamps.ts";

export const DOMAIN: Presenter<DomainRow> = presenter("v4.Domain", {
  domain: field(z.string(), (row) => row.domain),
  forwarding_ready: field(z.boolean(), (row) => row.forwardingReady),
  send_ready: field(z.boolean(), (row) => row.sendReady),
  banned: field(z.boolean(), (row) => row.banned),
  notification_email: field(z.string().nullable(), (row) => row.notificationEmail),
  notify_when_spam_blocked: field(z.boolean(), (row) => row.notifyWhenSpamBlocked),
  routing_engine: field(z.enum(["alias", "rules"]).nullable(), (row) => row.routingEngine),
  rules_fallback_email: field(z.string().nullable(), (row) => row.rulesFallbackEmail),
  strict_mxes: field(z.boolean(), (row) => row.strictMxes),
  whitelabel: field(z.string().nullable(), (row) => row.whitelabel),
  created_at: field(isoTimestamp, (row) => isoSeconds(row.createdMs)),
  updated_at: field(isoTimestamp, (row) => isoSeconds(row.updatedMs)),
});
