/** The whole state of a simulator as JSON: stored rows, due tasks, the time, the ids and DNS answers. */
import { z } from "zod";
import { LIMITS } from "../../base/limits.ts";
import { resumeDeliveries, runTask } from "../deliver/deliver-tasks.ts";
import { type DnsZone, RECORD_TYPES, type ZoneEntry } from "../model/domains/dns-zone.ts";
import { ServiceProblem } from "../model/problem.ts";
import type { Service } from "../model/service.ts";
import type { QueuedTask } from "../queue/queue.ts";
import {
  pagesOf,
  type Snapshot,
  type SnapshotPages,
  StoreUnavailableError,
} from "../store/store.ts";
import type { ClockReading, Parts } from "./parts.ts";

const FORMAT = "mailflow-snapshot-1";

/** The whole state of a simulator as plain JSON. */
export interface SimulatorSnapshot {
  readonly format: typeof FORMAT;
  readonly clock: ClockReading;
  /** State of the ids, opaque. */
  readonly ids: string;
  /** Rows by table; faults and inboxes are among them. */
  readonly store: Snapshot;
  /** Tasks that waited or ran. */
  readonly queue: readonly QueuedTask[];
  readonly dns: readonly ZoneEntry[];
}

/** A time that a clock can show. */
export const clockTime: z.ZodNumber = z
  .number()
  .int()
  .min(-LIMITS.clockMsMax)
  .max(LIMITS.clockMsMax);
const record = z.record(z.string(), z.unknown());

const HEAD = z.strictObject({
  format: z.literal(FORMAT),
  clock: z.strictObject({ nowMs: clockTime, frozen: z.boolean() }),
  ids: z.string(),
  queue: z.array(z.strictObject({ id: z.string(), atMs: clockTime, payload: record })),
  dns: z.array(
    z.strictObject({ type: z.enum(RECORD_TYPES), name: z.string(), values: z.array(z.string()) }),
  ),
});

/** Everything but the rows. */
export type SnapshotHead = Omit<SimulatorSnapshot, "store">;

/** The first of a snapshot's lines; `rows`: how many lines follow. */
export const SNAPSHOT_HEAD: z.ZodType<SnapshotHead & { readonly rows?: number | undefined }> =
  HEAD.extend({ rows: z.int().min(0).optional() });
export const SNAPSHOT: z.ZodType<SimulatorSnapshot> = HEAD.extend({
  store: z.record(z.string(), z.array(record)),
});

/** A state to restore; its rows need not be in memory. */
export interface SnapshotSource {
  readonly head: SnapshotHead;
  /** Read once. */
  pages(): SnapshotPages;
}

export function sourceOf({ store, ...head }: SimulatorSnapshot): SnapshotSource {
  return { head, pages: () => pagesOf(store) };
}

/** Everything but the time. Running work is included as work still to be done. */
export async function snapshotOf(
  service: Service,
  zone: DnsZone,
): Promise<Omit<SimulatorSnapshot, "clock">> {
  // Tasks first: a task that ends meanwhile is created again, and finds that its work is done.
  const queue = await service.queue.pending();
  // A table that was only read is empty, and not part of the state.
  const tables = Object.entries(await service.store.snapshot());
  const store = Object.fromEntries(tables.filter(([, rows]) => rows.length > 0));
  return { format: FORMAT, ids: service.ids.state(), store, queue, dns: zone.entries() };
}

export async function takeSnapshot({ service, clock, zone }: Parts): Promise<SimulatorSnapshot> {
  const reading = { nowMs: clock.nowMs(), frozen: clock.frozen };
  return { ...(await snapshotOf(service, zone)), clock: reading };
}

/** All but the rows, which `readRows` reads between the tasks and the ids: these may know of more, but never of less. */
export async function snapshotAround(
  { service, clock, zone }: Parts,
  readRows: () => Promise<void>,
): Promise<SnapshotHead> {
  const reading = { nowMs: clock.nowMs(), frozen: clock.frozen };
  const queue = await service.queue.pending();
  await readRows();
  const ids = service.ids.state();
  return { format: FORMAT, ids, queue, dns: zone.entries(), clock: reading };
}

/** Every error of `work` means that the snapshot is invalid. */
async function reading(field: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (thrown instanceof StoreUnavailableError) throw thrown;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ServiceProblem(400, `\`${field}\` is not of a snapshot: ${reason}`, {
      [field]: [reason],
    });
  }
}

/** Starts the queue of a simulator whose queue is not running. */
export async function startQueue({ service }: Parts): Promise<void> {
  await service.queue.start((task) => runTask(service, task));
}

/** Continues with the stored state. */
export async function resume(parts: Parts): Promise<void> {
  await resumeDeliveries(parts.service);
  await startQueue(parts);
}

/**
 * Replaces the whole state by the snapshot, after running deliveries have ended. An invalid snapshot throws 400 and changes
 * nothing.
 */
export async function restoreSnapshot(
  parts: Parts,
  { head, pages }: SnapshotSource,
): Promise<void> {
  const { service, clock, zone, requests, feed, transcripts, intake } = parts;
  await service.queue.stop();
  try {
    const idsBefore = service.ids.state();
    await reading("ids", () => service.ids.restore(head.ids));
    await reading("store", () => service.store.restore(pages())).catch((problem) => {
      service.ids.restore(idsBefore);
      throw problem;
    });
    await service.queue.clear();
    service.compiled.clear();
    service.slots.clear();
    // The clock is frozen first, so that no real time passes in between.
    clock.freeze();
    clock.set(head.clock.nowMs);
    if (!head.clock.frozen) clock.unfreeze();
    zone.restore(head.dns);
    await resumeDeliveries(service);
    // Tasks know more than the stored deliveries, such as an answer under way, and replace the plain ones.
    for (const task of head.queue) await service.queue.schedule(task);
    requests.clear();
    transcripts.clear();
    intake.clear();
    parts.onRestored();
    feed.restored(clock.nowMs());
  } finally {
    await startQueue(parts);
  }
}
