/** How an operation changes the service: alone, all or nothing, and with an event for watchers. */
import type { Service } from "./service.ts";

export type Resource = "account" | "domain" | "aliases" | "rules" | "credentials" | "templates";

/**
 * Runs `work` in a transaction. Whatever comes of it, the compiled domain is dropped, for it may have been
 * made of what `work` had written so far; watchers receive events of success only.
 */
export async function change<Result>(
  service: Service,
  domain: string,
  resource: Resource,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await service.store.transaction(work);
    service.notify({ kind: "changed", atMs: service.clock.nowMs(), domain, id: resource });
    return result;
  } finally {
    service.compiled.delete(domain);
  }
}
