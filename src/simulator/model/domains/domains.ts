/** Domains: list, get, update (API v4 §4 Domains); `create-domain.ts` and `delete-domain.ts` have the rest. */
import { canonicalDomain } from "../../../engine/facts/address.ts";
import { change } from "../change.ts";
import { containing, type Listed, listRows, type Page } from "../list.ts";
import { found } from "../problem.ts";
import { DOMAINS, type DomainRow } from "../records.ts";
import type { Service } from "../service.ts";
import { laterThan } from "../updated-at.ts";
import { type DomainChanges, withChanges } from "./domain-fields.ts";

export type NameOrder = "name_asc" | "name_desc" | "created_asc" | "created_desc";

export interface DomainFilter {
  /** Substring of the name. */
  readonly query?: string;
  readonly forwardingReady?: boolean;
  readonly sendReady?: boolean;
  /** Exactly this brand; null means domains without one. */
  readonly whitelabel?: string | null;
  /** null means domains with routing disabled. */
  readonly routingEngine?: "alias" | "rules" | null;
}

export function listDomains(
  service: Service,
  filter: DomainFilter,
  order: NameOrder,
  page: Page,
): Promise<Listed<DomainRow>> {
  const { forwardingReady, sendReady, whitelabel, routingEngine } = filter;
  const [by, direction] = order.split("_") as ["name" | "created", "asc" | "desc"];
  return listRows(
    service.store.table(DOMAINS),
    {
      where: {},
      anyOf: {
        ...(forwardingReady === undefined ? {} : { forwardingReady: [forwardingReady] }),
        ...(sendReady === undefined ? {} : { sendReady: [sendReady] }),
        ...(whitelabel === undefined ? {} : { whitelabel: [whitelabel] }),
        ...(routingEngine === undefined ? {} : { routingEngine: [routingEngine] }),
      },
      ...containing<DomainRow>(["domain"], filter.query && canonicalDomain(filter.query)),
    },
    { column: by === "name" ? "domain" : "createdMs", direction },
    page,
  );
}

/** Throws 404 if it is not in the account. */
export async function getDomain(service: Service, domain: string): Promise<DomainRow> {
  return found(await service.store.table(DOMAINS).get(canonicalDomain(domain)), "domain");
}

export function updateDomain(
  service: Service,
  domain: string,
  changes: DomainChanges,
): Promise<DomainRow> {
  return change(service, domain, "domain", async () => {
    const row = await getDomain(service, domain);
    const changed = withChanges(row, changes);
    const updated = { ...changed, updatedMs: laterThan(row.updatedMs, service) };
    await service.store.table(DOMAINS).replace(updated);
    return updated;
  });
}
