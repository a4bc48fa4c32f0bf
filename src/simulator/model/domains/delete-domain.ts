/** Deletes a domain with everything that belongs to it. */
import { change } from "../change.ts";
import {
  ALIASES,
  CONTENTS,
  CREDENTIALS,
  DELIVERIES,
  type DeliveryRow,
  DOMAINS,
  LOGS,
  RULES,
  TEMPLATES,
} from "../records.ts";
import type { Service } from "../service.ts";
import { getDomain } from "./domains.ts";

/** Deliveries read at a time. */
const DELIVERIES_AT_ONCE = 1_000;

/** Drops waiting deliveries, and the messages that no other delivery needs. */
async function dropDeliveries({ store }: Service, domain: string): Promise<readonly string[]> {
  const deliveries = store.table(DELIVERIES);
  const contents = store.table(CONTENTS);
  const order = { column: "id", direction: "asc" } as const;
  const ids: string[] = [];
  let page: readonly DeliveryRow[];
  do {
    page = await deliveries.find({ where: { domain }, order, limit: DELIVERIES_AT_ONCE });
    for (const { id, contentId } of page) {
      await deliveries.delete(id);
      ids.push(id);
      const content = await contents.get(contentId);
      if (content === undefined) continue;
      if (content.uses > 1) await contents.replace({ ...content, uses: content.uses - 1 });
      else await contents.delete(contentId);
    }
  } while (page.length > 0);
  return ids;
}

/** Also deletes its aliases, rules, credentials, templates and logs, and drops mail not yet delivered. */
export async function deleteDomain(service: Service, domain: string): Promise<void> {
  const { store } = service;
  const dropped = await change(service, domain, "domain", async () => {
    const { domain: name } = await getDomain(service, domain);
    const where = { domain: name };
    await store.table(DOMAINS).delete(name);
    await store.table(ALIASES).deleteWhere(where);
    await store.table(RULES).deleteWhere(where);
    await store.table(CREDENTIALS).deleteWhere(where);
    await store.table(TEMPLATES).deleteWhere(where);
    await store.table(LOGS).deleteWhere(where);
    return dropDeliveries(service, name);
  });
  for (const id of dropped) await service.queue.cancel(id);
}
