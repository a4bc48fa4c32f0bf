/** Log entries end with the plan's retention: they are not seen from then on, and dropped when somebody looks. */
import { LIMITS } from "../../../base/limits.ts";
import { accountRow } from "../account.ts";
import { LOGS } from "../records.ts";
import type { Service } from "../service.ts";

const DAY_MS = 86_400_000;

/** Drops some of the domain's entries past their retention; entries must be younger than the time it returns. */
// ASSUMPTION(log-retention): an entry is gone once it is older than the account's retention days
export async function dropExpiredLogs(service: Service, domain: string): Promise<number> {
  const { logRetentionDays } = await accountRow(service);
  const cutoffMs = service.clock.nowMs() - logRetentionDays * DAY_MS;
  const table = service.store.table(LOGS);
  const expired = await table.find({
    where: { domain },
    range: { column: "createdMs", below: cutoffMs },
    order: { column: "createdMs", direction: "asc" },
    limit: LIMITS.expiredLogsAtOnce,
  });
  for (const { id } of expired) await table.delete(id);
  return cutoffMs - 1;
}
