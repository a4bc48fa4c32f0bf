/** Makes deliveries that were begun by processes now gone, whose task was lost, or that this process could not finish. */
import { LIMITS } from "../../base/limits.ts";
import { settleInterrupted } from "../deliver/deliver.ts";
import { scheduleDelivery } from "../deliver/deliver-admit.ts";
import { HOST_WAITING } from "../deliver/shared-slots.ts";
import { DELIVERIES } from "../model/records.ts";
import type { Service } from "../model/service.ts";
import type { BossQueue } from "../queue/boss-queue.ts";
import type { NodeRegistry } from "./node-registry.ts";

/** The queue that nodes share. */
type SharedQueue = Pick<BossQueue, "hasBacklog" | "isRunning" | "release">;

/** Schedules every delivery begun by a process that is gone, and deletes its record when none is left. */
async function takeFrom(service: Service, nodes: NodeRegistry, epoch: number): Promise<void> {
  const begun = await service.store.table(DELIVERIES).find({
    where: { startedBy: epoch },
    order: { column: "id", direction: "asc" },
    limit: LIMITS.takenOverAtOnce,
  });
  for (const { id } of begun) await scheduleDelivery(service, id, service.clock.nowMs());
  if (begun.length === 0) await nodes.forget(epoch);
}

/**
 * Schedules deliveries that this process began and could not finish because it lost the database. Another node may have
 * received their tasks since, but leaves them to this process while it lives.
 */
async function takeOwn(service: Service, own: number, queue: SharedQueue): Promise<void> {
  const nowMs = service.clock.nowMs();
  const begun = await service.store.table(DELIVERIES).find({
    where: { startedBy: own },
    order: { column: "id", direction: "asc" },
    limit: LIMITS.queueRunningMax + LIMITS.takenOverAtOnce,
  });
  for (const row of begun) {
    if (queue.isRunning(row.id) || row.nextMs > nowMs - LIMITS.taskRetryMs) continue;
    await settleInterrupted(service, row);
    await scheduleDelivery(service, row.id, nowMs);
  }
}

/** Where the last search for late deliveries stopped: the next one continues there. */
export interface LateCursor {
  after: string;
}

/** Schedules overdue deliveries that no process has begun: their tasks were lost, unless they wait for a slot. */
async function takeLate({ store, clock, queue }: Service, cursor: LateCursor): Promise<void> {
  const nowMs = clock.nowMs();
  const byId = {
    order: { column: "id", direction: "asc" },
    limit: LIMITS.takenOverAtOnce,
  } as const;
  const late = await store.table(DELIVERIES).find({
    where: { startedBy: null },
    range: { column: "nextMs", below: nowMs - LIMITS.nodeSilentMs },
    from: { value: cursor.after, key: cursor.after },
    ...byId,
  });
  const ids = late.map(({ id }) => id);
  cursor.after = late.length < LIMITS.takenOverAtOnce ? "" : ids.at(-1)!;
  const waiting = await store.table(HOST_WAITING).find({ where: {}, anyOf: { id: ids }, ...byId });
  const known = new Set(waiting.map(({ id }) => id));
  for (const id of ids) if (!known.has(id)) await scheduleDelivery({ queue }, id, nowMs);
}

/** One round over all three kinds. */
export async function takeOver(
  service: Service,
  nodes: NodeRegistry,
  queue: SharedQueue,
  late: LateCursor = { after: "" },
): Promise<void> {
  await nodes.beat();
  for (const epoch of await nodes.gone()) {
    await queue.release(epoch);
    await takeFrom(service, nodes, epoch);
  }
  await takeOwn(service, nodes.epoch, queue);
  // With a backlog, late deliveries are only waiting for their turn.
  if (!(await queue.hasBacklog())) await takeLate(service, late);
}

/** Runs a round every `LIMITS.nodeBeatMs` until stopped; an unavailable store is tried again. */
export function startTakeOver(
  service: Service,
  nodes: NodeRegistry,
  queue: SharedQueue,
): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const late = { after: "" };
  const round = (): void => {
    running ??= takeOver(service, nodes, queue, late)
      .catch(() => {})
      .finally(() => {
        running = undefined;
      });
  };
  round();
  const timer = setInterval(round, LIMITS.nodeBeatMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
