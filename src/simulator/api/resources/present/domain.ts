/** A domain as each version shows it; version 3 with its first aliases (API v4 §2 Domain, v3 §2 Domain). */
import { domainToUnicode } from "node:url";
import { z } from "zod";
import { LIMITS } from "../../../../base/limits.ts";
import type { AliasRow, DomainRow } from "../../../model/records.ts";
import { listAliases } from "../../../model/routing/aliases.ts";
import type { Service } from "../../../model/service.ts";
import { field, type Presenter, presenter } from "../../presenter.ts";
import { epoch, isoSeconds, isoTimestamp } from "../../timestamps.ts";
import { ALIAS_V3 } from "../aliases.ts";

const nullableText = z.string().nullable();
const routingEngine = z.enum(["alias", "rules"]).nullable();

export const DOMAIN_V4: Presenter<DomainRow> = presenter("v4.Domain", {
  domain: field(z.string(), (row) => row.domain),
  forwarding_ready: field(z.boolean(), (row) => row.forwardingReady),
  send_ready: field(z.boolean(), (row) => row.sendReady),
  banned: field(z.boolean(), (row) => row.banned),
  notification_email: field(nullableText, (row) => row.notificationEmail),
  notify_when_spam_blocked: field(z.boolean(), (row) => row.notifyWhenSpamBlocked),
  routing_engine: field(routingEngine, (row) => row.routingEngine),
  rules_fallback_email: field(nullableText, (row) => row.rulesFallbackEmail),
  strict_mxes: field(z.boolean(), (row) => row.strictMxes),
  whitelabel: field(nullableText, (row) => row.whitelabel),
  created_at: field(isoTimestamp, (row) => isoSeconds(row.createdMs)),
  updated_at: field(isoTimestamp, (row) => isoSeconds(row.updatedMs)),
});

interface DomainWithAliases {
  readonly row: DomainRow;
  readonly aliases: readonly AliasRow[];
}

export const DOMAIN_V3: Presenter<DomainWithAliases> = presenter("v3.Domain", {
  // ASSUMPTION(v3-active): a domain is active when it is ready to forward
  active: field(z.boolean(), ({ row }) => row.forwardingReady),
  domain: field(z.string(), ({ row }) => row.domain),
  // ASSUMPTION(v3-display): `display` is the domain's name in Unicode
  display: field(z.string(), ({ row }) => domainToUnicode(row.domain)),
  dkim_selector: field(z.string(), ({ row }) => row.dkimSelector),
  notification_email: field(nullableText, ({ row }) => row.notificationEmail),
  webhook: field(nullableText, ({ row }) => row.webhook),
  whitelabel: field(nullableText, ({ row }) => row.whitelabel),
  // ASSUMPTION(v3-routing-engine): version 3 shows `routing_engine` as version 4 does; the aliases are there whatever routes
  routing_engine: field(routingEngine, ({ row }) => row.routingEngine),
  added: field(epoch, ({ row }) => row.createdMs),
  aliases: field(z.array(ALIAS_V3.schema), ({ aliases }) => aliases.map(ALIAS_V3.present)),
});

// ASSUMPTION(v3-embedded-aliases): of more than 200 aliases a domain shows the first by name
export async function withAliases(service: Service, row: DomainRow): Promise<DomainWithAliases> {
  const page = { limit: LIMITS.embeddedAliasesMax, offset: 0 };
  const { rows } = await listAliases(service, row.domain, {}, "name_asc", page);
  return { row, aliases: rows };
}
