/**
 * Slots of destination hosts, counted for all nodes together: leases in tables, taken and freed in transactions that are needed
 * anyway.
 */
import { LIMITS } from "../../base/limits.ts";
import type { Service } from "../model/service.ts";
import type { QueuedTask } from "../queue/queue.ts";
import type { TableSchema } from "../store/store.ts";

/** Slots of a destination host that tasks of several nodes have taken. The row is deleted when no task has one or waits. */
interface HostSlotsRow {
  readonly [name: string]: unknown;
  readonly host: string;
  /** By task id, with the time at which a slot becomes free if it is not given back. */
  readonly leases: readonly { readonly id: string; readonly untilMs: number }[];
  /** Whether tasks may be waiting for a slot. */
  readonly waiting: "none" | "some";
}

/** A task that waits for a slot of a host. */
interface HostWaitingRow {
  readonly [name: string]: unknown;
  /** The id of the task. */
  readonly id: string;
  readonly host: string;
  readonly sinceMs: number;
  readonly task: QueuedTask;
}

export const HOST_SLOTS: TableSchema<HostSlotsRow> = {
  name: "hostSlots",
  key: "host",
  columns: {},
  indexes: [],
};
export const HOST_WAITING: TableSchema<HostWaitingRow> = {
  name: "hostWaiting",
  key: "id",
  columns: { host: "text", sinceMs: "number" },
  indexes: [["host", "sinceMs"]],
};

/** A task's request for a slot of a host. */
export interface SlotRequest {
  readonly host: string;
  readonly task: QueuedTask;
  readonly slotsMax: number;
}

type SlotPlace = Pick<Service, "store" | "clock">;

/** Leases of other tasks. Leases past their time do not count. */
function othersIn(row: HostSlotsRow | undefined, id: string, nowMs: number) {
  return (row?.leases ?? []).filter((lease) => lease.id !== id && lease.untilMs > nowMs);
}

async function put({ store }: SlotPlace, row: HostSlotsRow, isThere: boolean): Promise<void> {
  const table = store.table(HOST_SLOTS);
  const isEmpty = row.leases.length === 0 && row.waiting === "none";
  if (isThere && isEmpty) await table.delete(row.host);
  else if (isThere) await table.replace(row);
  else if (!isEmpty) await table.insert(row);
}

/** Takes a slot, or records that the task waits for one. Call it inside a transaction. */
export async function takeSlot(
  service: SlotPlace,
  { host, task, slotsMax }: SlotRequest,
): Promise<"taken" | "waits"> {
  const { store, clock } = service;
  const nowMs = clock.nowMs();
  const before = await store.table(HOST_SLOTS).get(host);
  const others = othersIn(before, task.id, nowMs);
  const waiting = store.table(HOST_WAITING);
  if (others.length >= slotsMax) {
    if ((await waiting.get(task.id)) === undefined) {
      await waiting.insert({ id: task.id, host, sinceMs: nowMs, task });
    }
    if (before?.waiting !== "some") {
      await put(service, { host, leases: others, waiting: "some" }, before !== undefined);
    }
    return "waits";
  }
  if (before?.waiting === "some") await waiting.delete(task.id);
  const leases = [...others, { id: task.id, untilMs: nowMs + LIMITS.slotLeaseMs }];
  await put(service, { host, leases, waiting: before?.waiting ?? "none" }, before !== undefined);
  return "taken";
}

/**
 * Gives the task's slot back, if it has one, and returns the tasks that may try now, the longest wait first. Call it inside a
 * transaction, and pass the result to `callUp` after the commit.
 */
export async function freeSlot(
  service: SlotPlace,
  host: string,
  id: string,
): Promise<readonly QueuedTask[]> {
  const { store, clock } = service;
  const before = await store.table(HOST_SLOTS).get(host);
  if (before === undefined || !before.leases.some((lease) => lease.id === id)) return [];
  const leases = othersIn(before, id, clock.nowMs());
  const waiting = store.table(HOST_WAITING);
  const next =
    before.waiting === "none"
      ? []
      : await waiting.find({
          where: { host },
          order: { column: "sinceMs", direction: "asc" },
          // There is more than one free slot if a task called up earlier had nothing left to do.
          limit: Math.max(1, LIMITS.hostSlotsMax - leases.length),
        });
  for (const each of next) await waiting.delete(each.id);
  await put(service, { host, leases, waiting: next.length > 0 ? "some" : "none" }, true);
  return next.map(({ task }) => task);
}

/** Queues the tasks again; any node may run them. */
export async function callUp(
  { queue, clock }: Service,
  tasks: readonly QueuedTask[],
): Promise<void> {
  for (const task of tasks) await queue.schedule({ ...task, atMs: clock.nowMs() });
}

/** The task runs when a slot becomes free; if that call is lost, it tries again at this time. */
export function waitForSlot({ queue, clock }: Service, task: QueuedTask): Promise<void> {
  return queue.schedule({ ...task, atMs: clock.nowMs() + LIMITS.slotRecheckMs });
}
