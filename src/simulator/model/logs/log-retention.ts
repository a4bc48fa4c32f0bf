/** Log entries expire with the plan's retention: they are hidden from then on, and dropped when their whole month has expired. */
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

/** Visible entries are younger than this time. */
// ASSUMPTION(log-retention): an entry is gone once it is older than the account's retention days
export async function oldestLogMs(service: Service): Promise<number> {
  return (await cutoffMs(service)) - 1;
}

/** Drops months in which every entry has expired. */
export async function dropExpiredMonths(service: Service): Promise<void> {
  await service.store.table(LOGS).dropMonths(await cutoffMs(service));
}

/**
 * Drops expired months now and every `LIMITS.logRetentionMs` until the clock is closed. Every node tries; the first to get the
 * lock drops them, and the others find nothing to do. An unavailable store is tried again the next time.
 */
export async function keepRetention(service: Service): Promise<void> {
  await dropExpiredMonths(service).catch((error: unknown) => {
    if (!(error instanceof StoreUnavailableError)) throw error;
  });
  const nextMs = service.clock.nowMs() + LIMITS.logRetentionMs;
  service.clock.at(nextMs, () => keepRetention(service));
}
