/** A circuit breaker for each destination host: a host that does not answer is left alone for a while, then tried once. */
import { LIMITS } from "../../base/limits.ts";
import { HOSTS, type HostRow } from "../model/records.ts";
import type { Service } from "../model/service.ts";
import type { Table } from "../store/store.ts";

/** `closed`: deliveries are made. `open`: they wait. `half-open`: the next one tests whether the host is back. */
export type BreakerState = "closed" | "open" | "half-open";

export function breakerState({ openUntilMs }: HostRow, nowMs: number): BreakerState {
  if (openUntilMs === null) return "closed";
  return nowMs < openUntilMs ? "open" : "half-open";
}

/** Milliseconds until a host is tried again; doubled after each failed try. */
// ASSUMPTION(breaker-pauses): five attempts in a row without an answer open a host's circuit for a minute, then for two, four, … up to half an hour
function pauseMs(failures: number): number {
  const doublings = failures - LIMITS.breakerFailures;
  return Math.min(LIMITS.breakerPauseMs * 2 ** Math.min(doublings, 30), LIMITS.breakerPauseMaxMs);
}

export async function hostRow({ store }: Service, host: string): Promise<HostRow | undefined> {
  return store.table(HOSTS).get(host);
}

/** Makes room: forgets the host whose pause ends first, or ended first, since a sender can name hosts without end. */
async function forgetOne(table: Table<HostRow>): Promise<void> {
  const order = { column: "openUntilMs", direction: "asc" } as const;
  const [first] = await table.find({ where: {}, order, limit: 1 });
  if (first !== undefined) await table.delete(first.host);
}

/** Records whether a host answered. Any answer closes its circuit. */
export async function noteReach(
  { store, clock }: Service,
  host: string,
  reach: "answered" | "unreached",
  reason: string,
): Promise<void> {
  const table = store.table(HOSTS);
  if (reach === "answered") {
    if ((await table.get(host)) !== undefined) await table.delete(host);
    return;
  }
  await store.transaction(async () => {
    const before = await table.get(host);
    const failures = (before?.failures ?? 0) + 1;
    const isOpen = failures >= LIMITS.breakerFailures;
    const openUntilMs = isOpen ? clock.nowMs() + pauseMs(failures) : null;
    const row = { host, failures, openUntilMs, reason };
    if (before !== undefined) {
      await table.replace(row);
      return;
    }
    if ((await table.count({ where: {} })) >= LIMITS.breakersMax) await forgetOne(table);
    await table.insert(row);
  });
}

/** Hosts that recently did not answer, by name. */
export function listBreakers({ store }: Pick<Service, "store">): Promise<readonly HostRow[]> {
  const order = { column: "host", direction: "asc" } as const;
  return store.table(HOSTS).find({ where: {}, order, limit: LIMITS.breakersMax });
}

/** Closes the circuit of a host; returns whether there was one. */
export function closeBreaker({ store }: Pick<Service, "store">, host: string): Promise<boolean> {
  return store.table(HOSTS).delete(host);
}
