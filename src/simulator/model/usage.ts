/** Mail counted against the plan, by UTC day and month. */
import { type Plan, USAGE } from "./records.ts";
import type { Service } from "./service.ts";

export type Direction = "receive" | "send";

interface Period {
  readonly key: string;
  readonly max: number;
}

const DAY_MS = 86_400_000;
/** The last day formatted as a date: nearly always the one needed next. */
let lastDay = { day: Number.NaN, text: "" };

/** `2026-01-31` */
function dateOf(nowMs: number): string {
  const day = Math.floor(nowMs / DAY_MS);
  if (lastDay.day !== day) lastDay = { day, text: new Date(nowMs).toISOString().slice(0, 10) };
  return lastDay.text;
}

// ASSUMPTION(usage-periods): days and months of the plan's limits are calendar ones, in UTC
function periods(direction: Direction, plan: Plan, nowMs: number): readonly Period[] {
  const day = dateOf(nowMs);
  const monthly = plan[`monthly_${direction}_limit`];
  return [
    { key: `${direction}/${day}`, max: plan[`daily_${direction}_limit`] },
    {
      key: `${direction}/${day.slice(0, 7)}`,
      max: monthly === 0 ? Number.POSITIVE_INFINITY : monthly,
    },
  ];
}

/** How many more messages the plan allows in or out now; never negative, perhaps `Infinity`. */
export async function usageLeft(
  service: Service,
  direction: Direction,
  plan: Plan,
): Promise<number> {
  const table = service.store.table(USAGE);
  let left = Number.POSITIVE_INFINITY;
  for (const { key, max } of periods(direction, plan, service.clock.nowMs())) {
    left = Math.min(left, max - ((await table.get(key))?.count ?? 0));
  }
  return Math.max(0, left);
}

/**
 * Counts messages in or out, and returns whether the plan allows them; if not, it counts none. Call it inside the transaction
 * that accepts them.
 */
export async function countUsage(
  service: Service,
  direction: Direction,
  plan: Plan,
  messages: number,
): Promise<boolean> {
  const table = service.store.table(USAGE);
  const counts: { readonly key: string; readonly before: number | undefined }[] = [];
  for (const { key, max } of periods(direction, plan, service.clock.nowMs())) {
    const before = (await table.get(key))?.count;
    if ((before ?? 0) + messages > max) return false;
    counts.push({ key, before });
  }
  for (const { key, before } of counts) {
    if (before === undefined) await table.insert({ key, count: messages });
    else await table.replace({ key, count: before + messages });
  }
  return true;
}

// ASSUMPTION(over-quota): an account is over quota while a limit on receiving or sending is used up
export async function isOverQuota(service: Service, plan: Plan): Promise<boolean> {
  const received = await usageLeft(service, "receive", plan);
  // A plan that allows nothing out has no usage to count.
  const maySend = plan.daily_send_limit > 0;
  return received === 0 || (maySend && (await usageLeft(service, "send", plan)) === 0);
}
