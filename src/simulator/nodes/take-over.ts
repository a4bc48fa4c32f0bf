/** Makes the deliveries of processes that are gone, those whose task was lost with one, and those that this process could not finish. */
import { LIMITS } from "../../base/limits.ts";
import { settleInterrupted } from "../deliver/deliver.ts";
import { scheduleDelivery } from "../deliver/deliver-admit.ts";
import { HOST_WAITING } from "../deliver/shared-slots.ts";
import { DELIVERIES } from "../model/records.ts";
import type { Service } from "../model/service.ts";
import type { BossQueue } from "../queue/boss-queue.ts";
import type { NodeRegistry } from "./node-registry.ts";

/** What is asked of the queue that nodes share. */
type SharedQueue = Pick<BossQueue, "hasBacklog" | "isRunning" | "release">;

/** Schedules all that a process which is gone had begun; forgets it once nothing of it is left. */
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
 * Deliveries that this process began, and could not finish because it lost the database. Their tasks may have come to another
 * node since, which leaves them to this one as long as it lives.
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

/** Where the last round stopped looking for late deliveries: the next round continues there. */
export interface LateCursor {
  after: string;
}

/** Deliveries that should have been made by now, and that nobody has begun: tasks that were lost, unless they wait for a slot. */
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

/** One look at all of them. */
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
  // With a backlog, deliveries that are late only wait for their turn.
  if (!(await queue.hasBacklog())) await takeLate(service, late);
}

/** Does so every `LIMITS.nodeBeatMs` until it is stopped; a store that is away is asked again. */
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
