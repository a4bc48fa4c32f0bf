/** The time of a change, chosen so that every change is visible in the API's whole seconds. */
import type { Service } from "./service.ts";

const SECOND_MS = 1_000;

/** Now, or the start of the next second if the last change was in this one. */
// ASSUMPTION(updated-later): of changes within one second each moves `updated_at` on by a second
export function laterThan(updatedMs: number, { clock }: Pick<Service, "clock">): number {
  const next = (Math.floor(updatedMs / SECOND_MS) + 1) * SECOND_MS;
  return Math.max(clock.nowMs(), next);
}
