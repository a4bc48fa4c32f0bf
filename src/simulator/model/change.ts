/** Runs an operation that changes a domain: alone, all or nothing, and with an event for watchers. */
import { canonicalDomain } from "../../engine/facts/address.ts";
import type { Service } from "./service.ts";

export type Resource = "account" | "domain" | "aliases" | "rules" | "credentials" | "templates";

/**
 * Runs `work` in a transaction. Watchers receive an event if it succeeds. The compiled domain is dropped in any case,
 * because it may have been compiled from rows that `work` wrote before it failed.
 */
export async function change<Result>(
  service: Service,
  name: string,
  resource: Resource,
  work: () => Promise<Result>,
): Promise<Result> {
  const domain = canonicalDomain(name);
  try {
    const result = await service.store.transaction(work);
    service.notify({ kind: "changed", atMs: service.clock.nowMs(), domain, id: resource });
    return result;
  } finally {
    service.compiled.delete(domain);
  }
}
