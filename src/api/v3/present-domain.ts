/** A domain as version 3 shows it, with its first aliases (API v3 §2 Domain). */
import { domainToUnicode } from "node:url";
import { z } from "zod";
import { LIMITS } from "../../base/limits.ts";
import { listAliases } from "../../service/aliases.ts";
import type { AliasRow, DomainRow } from "../../service/records.ts";
import type { Service } from "../../service/service.ts";
import { field, type Presenter, presenter } from "../presenter.ts";
import { epoch } from "../timestamps.ts";
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
