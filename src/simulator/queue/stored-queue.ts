/** A queue in memory whose tasks are also kept in the store, for one process that continues after a restart. */
import type { Store, TableSchema } from "../store/store.ts";
import type { Queue, QueuedTask } from "./queue.ts";

interface TaskRow extends QueuedTask {
  readonly [name: string]: unknown;
}

export const TASKS: TableSchema<TaskRow> = {
  name: "task",
  key: "id",
  columns: { atMs: "number" },
  indexes: [["atMs"]],
};

const TASKS_AT_ONCE = 1_000;

/** Writes the current task with this id. */
async function put(store: Store, { id, atMs, payload }: QueuedTask): Promise<void> {
  const table = store.table(TASKS);
  await store.transaction(async () => {
    const isThere = (await table.get(id)) !== undefined;
    await (isThere ? table.replace({ id, atMs, payload }) : table.insert({ id, atMs, payload }));
  });
}

/**
 * `queue` runs the tasks. Tasks for which `isKept` is false are not stored: something else in the store recreates them. The
 * first `start` schedules the stored tasks again.
 */
export function createStoredQueue(
  queue: Queue,
  store: Store,
  isKept: (task: QueuedTask) => boolean,
): Queue {
  const table = store.table(TASKS);
  let isRestored = false;

  async function restore(): Promise<void> {
    isRestored = true;
    const order = { column: "atMs", direction: "asc" } as const;
    for (let offset = 0; ; offset += TASKS_AT_ONCE) {
      const page = await table.find({ where: {}, order, offset, limit: TASKS_AT_ONCE });
      for (const { id, atMs, payload } of page) await queue.schedule({ id, atMs, payload });
      if (page.length < TASKS_AT_ONCE) return;
    }
  }

  /** The task is done, unless it was scheduled again meanwhile. */
  async function drop({ id, atMs, payload }: QueuedTask): Promise<void> {
    await store.transaction(async () => {
      const kept = await table.get(id);
      if (kept === undefined || kept.atMs !== atMs) return;
      if (JSON.stringify(kept.payload) === JSON.stringify(payload)) await table.delete(id);
    });
  }

  return {
    async schedule(task) {
      if (isKept(task)) await put(store, task);
      await queue.schedule(task);
    },
    async cancel(id) {
      await table.delete(id);
      return queue.cancel(id);
    },
    async start(handler) {
      if (!isRestored) await restore();
      await queue.start(async (task) => {
        await handler(task);
        if (isKept(task)) await drop(task);
      });
    },
    pending: () => queue.pending(),
    idle: () => queue.idle(),
    async clear() {
      await table.deleteWhere({});
      await queue.clear();
    },
    stop: () => queue.stop(),
  };
}
