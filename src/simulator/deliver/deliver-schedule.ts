/** What a destination's answer means for a delivery, and when it is tried again. */
import type { DeliveryRow, LogStatus } from "../model/records.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Milliseconds from each attempt to the next, so there is one more attempt than delays. Mailboxes are tried for four days (RFC
 * 5321 §4.5.4.1), a webhook two more times.
 */
// ASSUMPTION(retry-delays): how long retries wait
export const RETRY_DELAYS_MS: Readonly<Record<DeliveryRow["kind"], readonly number[]>> = {
  mailbox: [
    5 * MINUTE_MS,
    15 * MINUTE_MS,
    30 * MINUTE_MS,
    ...[1, 2, 4, 8, 12, 24, 24, 24].map((hours) => hours * HOUR_MS),
  ],
  webhook: [MINUTE_MS, 10 * MINUTE_MS],
};

export interface AttemptOutcome {
  readonly status: LogStatus;
  /** Milliseconds until the next attempt; `null` if there is none. */
  readonly retryMs: number | null;
}

/** The event of a delivery whose attempt number `attempt` was answered with `code`. */
// ASSUMPTION(retries-spent): a destination that still answers 4xx at the last attempt gets the event BOUNCED
export function outcomeOf(
  kind: DeliveryRow["kind"],
  attempt: number,
  code: number,
): AttemptOutcome {
  if (code >= 200 && code < 300) return { status: "DELIVERED", retryMs: null };
  if (code >= 500 && code < 600) return { status: "HARD-BOUNCE", retryMs: null };
  const retryMs = RETRY_DELAYS_MS[kind][attempt - 1] ?? null;
  return { status: retryMs === null ? "BOUNCED" : "SOFT-BOUNCE", retryMs };
}
