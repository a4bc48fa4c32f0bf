/** What the queue runs for the service, and how its tasks are made again from what is stored. */
import type { QueuedTask } from "../queue/queue.ts";
import { deliver, type LateAnswer } from "./deliver.ts";
import { scheduleDelivery } from "./deliver-admit.ts";
import { postEvent } from "./deliver-event.ts";
import { DELIVERIES, type DeliveryRow } from "./records.ts";
import type { Service } from "./service.ts";

type Payload =
  | { readonly kind: "deliver"; readonly logId: string; readonly late?: LateAnswer }
  | {
      readonly kind: "event";
      readonly logId: string;
      readonly eventId: string;
      readonly attempt: number;
    };

/** The handler to start the queue with. */
export function runTask(service: Service, task: QueuedTask): Promise<void> {
  const payload = task.payload as unknown as Payload;
  switch (payload.kind) {
    case "deliver":
      return deliver(service, payload.logId, payload.late);
    case "event":
      return postEvent(service, payload);
  }
}

/** Deliveries read at a time. */
const DELIVERIES_AT_ONCE = 1_000;

/**
 * Schedules every delivery that is stored, at its time: for a queue that has forgotten its tasks. How many there
 * were. Events that were still to be POSTed are not made again.
 */
export async function resumeDeliveries(service: Service): Promise<number> {
  const table = service.store.table(DELIVERIES);
  const order = { column: "nextMs", direction: "asc" } as const;
  let count = 0;
  let page: readonly DeliveryRow[];
  do {
    page = await table.find({ where: {}, order, offset: count, limit: DELIVERIES_AT_ONCE });
    for (const { id, nextMs } of page) await scheduleDelivery(service, id, nextMs);
    count += page.length;
  } while (page.length === DELIVERIES_AT_ONCE);
  return count;
}
