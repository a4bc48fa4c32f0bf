/** Makes the deliveries of processes that are gone, and those whose task was lost with one. */
import { LIMITS } from "../../base/limits.ts";
import { scheduleDelivery } from "../deliver/deliver-admit.ts";
import { DELIVERIES } from "../model/records.ts";
import type { Service } from "../model/service.ts";
import type { BossQueue } from "../queue/boss-queue.ts";
import type { NodeRegistry } from "./node-registry.ts";

/** What is asked of the queue that nodes share. */
type SharedQueue = Pick<BossQueue, "hasBacklog" | "release">;

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

/** Deliveries that should have been made by now, and that nobody has begun. */
async function takeLate(service: Service): Promise<void> {
  const nowMs = service.clock.nowMs();
  const late = await service.store.table(DELIVERIES).find({
    where: { startedBy: null },
    range: { column: "nextMs", below: nowMs - LIMITS.nodeSilentMs },
    order: { column: "id", direction: "asc" },
    limit: LIMITS.takenOverAtOnce,
  });
  for (const { id } of late) await scheduleDelivery(service, id, nowMs);
}

async function takeOver(service: Service, nodes: NodeRegistry, queue: SharedQueue): Promise<void> {
  await nodes.beat();
  for (const epoch of await nodes.gone()) {
    await queue.release(epoch);
    await takeFrom(service, nodes, epoch);
  }
  // With a backlog, deliveries that are late only wait for their turn.
  if (!(await queue.hasBacklog())) await takeLate(service);
}

/** Does so every `LIMITS.nodeBeatMs` until it is stopped; a store that is away is asked again. */
export function startTakeOver(
  service: Service,
  nodes: NodeRegistry,
  queue: SharedQueue,
): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const round = (): void => {
    running ??= takeOver(service, nodes, queue)
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
