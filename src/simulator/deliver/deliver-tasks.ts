/** Runs the tasks of the queue, each in its turn at the destination's host; creates tasks again from stored deliveries. */
import { LIMITS } from "../../base/limits.ts";
import { DELIVERIES, type DeliveryRow, DOMAINS, LOGS } from "../model/records.ts";
import type { Service } from "../model/service.ts";
import type { QueuedTask } from "../queue/queue.ts";
import { breakerState, hostRow } from "./breakers.ts";
import { deliver, type LateAnswer, postpone } from "./deliver.ts";
import { scheduleDelivery } from "./deliver-admit.ts";
import { postEvent } from "./deliver-event.ts";
import { hostOf } from "./host.ts";
import type { SlotRequest } from "./shared-slots.ts";

type Payload =
  | { readonly kind: "deliver"; readonly logId: string; readonly late?: LateAnswer }
  | {
      readonly kind: "event";
      readonly logId: string;
      readonly eventId: string;
      readonly attempt: number;
    };

/** The destination of a task: the row of a delivery has it. */
type Errand =
  | DeliveryRow
  | { readonly kind: "event"; readonly destination: string; readonly bytes: number };

async function errandOf({ store }: Service, payload: Payload): Promise<Errand | undefined> {
  if (payload.kind === "deliver") {
    // The answer is already here, so no host is involved.
    if (payload.late !== undefined) return undefined;
    return store.table(DELIVERIES).get(payload.logId);
  }
  const log = await store.table(LOGS).get(payload.logId);
  const domain = log === undefined ? undefined : await store.table(DOMAINS).get(log.domain);
  const destination = domain?.webhook ?? null;
  return destination === null ? undefined : { kind: "event", destination, bytes: 0 };
}

function runNow(
  service: Service,
  payload: Payload,
  errand?: Errand,
  slot?: SlotRequest,
): Promise<void> {
  switch (payload.kind) {
    case "deliver": {
      const row = errand?.kind === "event" ? undefined : errand;
      return deliver(service, payload.logId, { late: payload.late, slot, row });
    }
    case "event":
      return postEvent(service, payload, slot);
  }
}

/** Puts a task off. For a delivery its row is updated too, since tasks are created again from rows. */
async function putOff(service: Service, task: QueuedTask, atMs: number): Promise<void> {
  const payload = task.payload as unknown as Payload;
  if (payload.kind === "deliver") await postpone(service, payload.logId, atMs);
  await service.queue.schedule({ ...task, atMs });
}

/**
 * The handler with which to start the queue. Mail for a busy host waits for a slot; mail for a host that does not answer waits
 * until its circuit closes.
 */
export async function runTask(service: Service, task: QueuedTask): Promise<void> {
  const payload = task.payload as unknown as Payload;
  const errand = await errandOf(service, payload);
  if (errand === undefined) return runNow(service, payload);
  const host = hostOf(service, errand);
  const { slots, clock, queue, node } = service;
  const row = await hostRow(service, host);
  const state = row === undefined ? "closed" : breakerState(row, clock.nowMs());
  if (state === "open") return putOff(service, task, row!.openUntilMs!);
  if (service.outbound.isInstant?.(errand.kind) === true) {
    return runNow(service, payload, errand);
  }
  const slotsMax = state === "closed" ? LIMITS.hostSlotsMax : LIMITS.hostProbesMax;
  const { bytes } = errand;
  const isShared = node?.slots === "shared";
  // With several nodes this asks only for room in this process. A task without room waits in the queue for any node.
  const room = isShared
    ? slots.take(host, null, Number.POSITIVE_INFINITY, bytes)
    : slots.take(host, task, slotsMax, bytes);
  if (!room) {
    const afterMs = isShared ? LIMITS.taskRetryMs : LIMITS.slotRecheckMs;
    return queue.schedule({ ...task, atMs: clock.nowMs() + afterMs });
  }
  try {
    await runNow(service, payload, errand, isShared ? { host, task, slotsMax } : undefined);
  } finally {
    for (const next of slots.giveBack(host, bytes)) {
      await queue.schedule({ ...next, atMs: clock.nowMs() });
    }
  }
}

/** Deliveries read at a time. */
const DELIVERIES_AT_ONCE = 1_000;

/**
 * Schedules every stored delivery at its time, for a queue that has lost its tasks. Returns their number. Events still to be
 * POSTed are lost.
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
