/** Log entries end with the plan's retention: they are not seen from then on, and dropped when their whole month is past it. */
import { LIMITS } from "../../../base/limits.ts";
import { StoreUnavailableError } from "../../store/store.ts";
import { accountRow } from "../account.ts";
import { LOGS } from "../records.ts";
import type { Service } from "../service.ts";

const DAY_MS = 86_400_000;

async function cutoffMs(service: Service): Promise<number> {
  const { logRetentionDays } = await accountRow(service);
  return service.clock.nowMs() - logRetentionDays * DAY_MS;
}

/** Entries that are seen are younger than this time. */
// ASSUMPTION(log-retention): an entry is gone once it is older than the account's retention days
export async function oldestLogMs(service: Service): Promise<number> {
  return (await cutoffMs(service)) - 1;
}

/** Drops the months of which every entry is past its retention. */
export async function dropExpiredMonths(service: Service): Promise<void> {
  await service.store.table(LOGS).dropMonths(await cutoffMs(service));
}

/**
 * Does so now and every `LIMITS.logRetentionMs` until the clock is closed. Among nodes each looks; the one that has the lock
 * drops, and the others find it done. A store that is away is asked again the next time.
 */
export async function keepRetention(service: Service): Promise<void> {
  await dropExpiredMonths(service).catch((error: unknown) => {
    if (!(error instanceof StoreUnavailableError)) throw error;
  });
  const nextMs = service.clock.nowMs() + LIMITS.logRetentionMs;
  service.clock.at(nextMs, () => keepRetention(service));
}
