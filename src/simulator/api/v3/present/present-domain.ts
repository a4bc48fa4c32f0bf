/** A domain as version 3 shows it, with its first aliases (API v3 §2 Domain). */
import { domainToUnicode } from "node:url";
import { z } from "zod";
import { LIMITS } from "../../../../base/limits.ts";
import type { AliasRow, DomainRow } from "../../../model/records.ts";
import { listAliases } from "../../../model/routing/aliases.ts";
import type { Service } from "../../../model/service.ts";
import { field, type Presenter, presenter } from "../../shared/presenter.ts";
import { epoch } from "../../shared/timestamps.ts";
import { ALIAS } from "./present-alias.ts";

interface DomainWithAliases {
  readonly row: DomainRow;
  readonly aliases: readonly AliasRow[];
}

const nullableText = z.string().nullable();

export const DOMAIN: Presenter<DomainWithAliases> = presenter("v3.Domain", {
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
  routing_engine: field(z.enum(["alias", "rules"]).nullable(), ({ row }) => row.routingEngine),
  added: field(epoch, ({ row }) => row.createdMs),
  aliases: field(z.array(ALIAS.schema), ({ aliases }) => aliases.map(ALIAS.present)),
});

// ASSUMPTION(v3-embedded-aliases): of more than 200 aliases a domain shows the first by name
export async function presentDomain(
  service: Service,
  row: DomainRow,
): Promise<ReturnType<typeof DOMAIN.present>> {
  const page = { limit: LIMITS.embeddedAliasesMax, offset: 0 };
  const { rows } = await listAliases(service, row.domain, {}, "name_asc", page);
  return DOMAIN.present({ row, aliases: rows });
}
