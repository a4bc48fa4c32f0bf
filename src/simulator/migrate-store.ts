/** Updates a store to the layout of this version, and copies all rows of another store into it. */

import { access } from "node:fs/promises";
import { join } from "node:path";
import { HOST_SLOTS, HOST_WAITING } from "./deliver/shared-slots.ts";
import {
  ACCOUNTS,
  ALIASES,
  CONTENTS,
  CREDENTIALS,
  DELIVERIES,
  DOMAINS,
  HOSTS,
  KEPT,
  LOGS,
  RECEIVED,
  RECEIVED_CONTENTS,
  RULES,
  TEMPLATES,
  USAGE,
} from "./model/records.ts";
import { FAULTS } from "./outbound/faults.ts";
import { TASKS } from "./queue/stored-queue.ts";
import { type OpenedStore, openSqlStore, type StorePlace } from "./store/sql/open-sql-store.ts";
import {
  type Row,
  StoreUnavailableError,
  type TablePage,
  type TableSchema,
} from "./store/store.ts";

/** Every table of the service. */
const TABLES: readonly TableSchema<never>[] = [
  ACCOUNTS,
  DOMAINS,
  ALIASES,
  RULES,
  CREDENTIALS,
  TEMPLATES,
  LOGS,
  DELIVERIES,
  CONTENTS,
  RECEIVED,
  RECEIVED_CONTENTS,
  HOSTS,
  HOST_SLOTS,
  HOST_WAITING,
  KEPT,
  USAGE,
  FAULTS,
  TASKS,
];

/** The number of rows of each table. */
export type RowCounts = ReadonlyMap<string, number>;

/** Thrown before anything is copied into a store that is in use. */
export class StoreNotEmptyError extends Error {}

const schemas = TABLES as unknown as readonly TableSchema<Row>[];

async function countRows({ store }: OpenedStore): Promise<RowCounts> {
  const counts = new Map<string, number>();
  for (const schema of schemas) {
    counts.set(schema.name, await store.table(schema).count({ where: {} }));
  }
  return counts;
}

/** All rows of a store, read as fast as another one takes them. */
function rowsOf({ store }: OpenedStore): AsyncIterable<TablePage> {
  const { readable, writable } = new TransformStream<TablePage, TablePage>();
  const writer = writable.getWriter();
  // Whoever reads the pages gets the error.
  store
    .readPages((page) => writer.write(page))
    .then(
      () => writer.close(),
      (error) => writer.abort(error),
    )
    .catch(() => {});
  return readable;
}

/** Opening a directory creates it, so a mistyped one would be an empty store. */
async function assertMade(place: StorePlace): Promise<void> {
  if (place.kind === "postgres" || place.directory === undefined) return;
  await access(join(place.directory, "database")).catch(() => {
    throw new StoreUnavailableError(
      `there is no state in \`${place.directory}\`: name the directory of a \`serve --data\``,
    );
  });
}

/**
 * Creates what is missing in the store at `to`, and rebuilds tables with another layout. With `from`, copies every row, the
 * seed of its secrets and its API key, in one transaction; no process may serve either store during this. Resolves to the number
 * of rows of each table. Rejects with a `StoreNotEmptyError` when there is something where the rows shall go, and with a
 * `StoreUnavailableError` when there is nothing to copy.
 */
export async function migrateStore(to: StorePlace, from?: StorePlace): Promise<RowCounts> {
  if (from !== undefined) await assertMade(from);
  const target = await openSqlStore(to);
  try {
    const before = await countRows(target);
    if (from === undefined) return before;
    const used = [...before].find(([, count]) => count > 0);
    if (used !== undefined) {
      throw new StoreNotEmptyError(
        `the store has ${used[1]} rows in \`${used[0]}\`: give an empty one`,
      );
    }
    const source = await openSqlStore(from);
    try {
      const { copyInstallation } = await import("./store/sql/installation.ts");
      const { namespace } = target;
      await target.store.restore(rowsOf(source), (session) =>
        copyInstallation(source, { database: session, namespace }),
      );
    } finally {
      await source.store.close();
    }
    return await countRows(target);
  } finally {
    await target.store.close();
  }
}
