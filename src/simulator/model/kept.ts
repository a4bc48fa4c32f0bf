/**
 * Limits on state that only grows: received mail and the log. Both are counted when they are written, and the oldest entries
 * are dropped first.
 */
import { LIMITS } from "../../base/limits.ts";
import type { Row, TableSchema } from "../store/store.ts";
import { KEPT, type KeptRow, LOGS, RECEIVED, RECEIVED_CONTENTS } from "./records.ts";
import type { Keep, Service } from "./service.ts";

type KeepingService = Pick<Service, "store"> & {
  readonly settings: Pick<Service["settings"], "keep">;
};

export const KEEP: Keep = {
  messages: LIMITS.keptMessages,
  bytes: LIMITS.keptMessageBytes,
  logs: LIMITS.keptLogs,
};

function totalOf({ store }: KeepingService): Promise<KeptRow | undefined> {
  return store.table(KEPT).get("received");
}

/** The oldest rows. */
function oldest<R extends Row>(
  { store }: KeepingService,
  schema: TableSchema<R>,
  limit: number,
): Promise<readonly R[]> {
  const order = { column: "id", direction: "asc" } as const;
  return store.table(schema).find({ where: {}, order, limit });
}

/** Counts a received message, and drops the oldest while there are too many; call it inside the message's transaction. */
export async function keepNewestMessages(keeper: KeepingService, bytes: number): Promise<void> {
  const { messages, bytes: bytesMax } = keeper.settings.keep ?? KEEP;
  const before = await totalOf(keeper);
  let count = (before?.count ?? 0) + 1;
  let all = (before?.bytes ?? 0) + bytes;
  while (count > 1 && (count > messages || all > bytesMax)) {
    const [first] = await oldest(keeper, RECEIVED, 1);
    if (first === undefined) break;
    await keeper.store.table(RECEIVED).delete(first.id);
    await keeper.store.table(RECEIVED_CONTENTS).delete(first.id);
    count--;
    all -= first.bytes;
  }
  const total: KeptRow = { key: "received", count, bytes: all };
  const table = keeper.store.table(KEPT);
  await (before === undefined ? table.insert(total) : table.replace(total));
}

/** Subtracts deleted messages from the total; call it inside the transaction that deletes them. */
export async function forgetMessages(
  keeper: KeepingService,
  count: number,
  bytes: number,
): Promise<void> {
  const before = await totalOf(keeper);
  if (before === undefined || count === 0) return;
  const left = { ...before, count: before.count - count, bytes: before.bytes - bytes };
  await keeper.store.table(KEPT).replace(left);
}

/** Entries added since the log was last trimmed, by service; each process counts its own. */
const addedLogs = new WeakMap<KeepingService["settings"], number>();

/** Sometimes drops the oldest log entries beyond the limit; call it inside the transaction that adds one. */
export async function keepNewestLogs(keeper: KeepingService): Promise<void> {
  const { store, settings } = keeper;
  const { logs } = settings.keep ?? KEEP;
  if (logs === Number.MAX_SAFE_INTEGER) return;
  const added = (addedLogs.get(settings) ?? 0) + 1;
  addedLogs.set(settings, added % LIMITS.keptLogsSlack);
  if (added < LIMITS.keptLogsSlack) return;
  const table = store.table(LOGS);
  const there = await table.count({ where: {} });
  if (there <= logs) return;
  for (const { id } of await oldest(keeper, LOGS, there - logs)) await table.delete(id);
}
