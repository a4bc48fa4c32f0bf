/** Updates a store to the layout of this version, and copies all rows of another store into it. */

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
import type { Row, TableSchema } from "./store/store.ts";

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

/** Rows read and written at a time. */
const ROWS_AT_ONCE = 500;

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

async function copyTable(
  from: OpenedStore,
  to: OpenedStore,
  schema: TableSchema<Row>,
): Promise<void> {
  const [source, target] = [from.store.table(schema), to.store.table(schema)];
  const order = { column: schema.key, direction: "asc" } as const;
  let after: string | undefined;
  for (;;) {
    const start = after === undefined ? {} : { from: { value: after, key: after } };
    const page = await source.find({ where: {}, order, ...start, limit: ROWS_AT_ONCE });
    const fresh = page.filter((row) => row[schema.key] !== after);
    await to.store.transaction(async () => {
      for (const row of fresh) await target.insert(row);
    });
    if (page.length < ROWS_AT_ONCE) return;
    after = page.at(-1)![schema.key] as string;
  }
}

/**
 * Creates what is missing in the store at `to`, and rebuilds tables with another layout. With `from`, copies every row, the
 * seed of its secrets and its API key; no process may serve either store during this. Resolves to the number of rows of each
 * table. Rejects with a
 * `StoreNotEmptyError` when there is something where the rows shall go.
 */
export async function migrateStore(to: StorePlace, from?: StorePlace): Promise<RowCounts> {
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
      for (const schema of schemas) await copyTable(source, target, schema);
      await copyInstallation(source, target);
    } finally {
      await source.store.close();
    }
    return await countRows(target);
  } finally {
    await target.store.close();
  }
}
