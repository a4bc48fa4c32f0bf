/** The store on a PostgreSQL database: PGlite in this process, or a server that nodes share. */
import { sql } from "kysely";
import { compareText } from "../column-order.ts";
import { assertSchema, describeSchema, storableRow } from "../storable-row.ts";
import {
  DuplicateKeyError,
  type Row,
  type SnapshotPages,
  type Store,
  type Table,
  type TablePage,
  type TableSchema,
} from "../store.ts";
import { storedValue } from "../stored-value.ts";
import { statementOf } from "./database/sql-builder.ts";
import type { SqlDatabase, SqlSession } from "./database/sql-database.ts";
import { createSqlTable } from "./sql-table.ts";
import { createSqlTables } from "./sql-tables.ts";
import { tableName } from "./table-definition.ts";
import { createWriteLane } from "./write-lane.ts";

interface NamedTable {
  readonly schema: TableSchema<Row>;
  readonly table: Table<Row>;
}

const ROWS_AT_ONCE = 500;

const keyOf = ({ key }: TableSchema<Row>, row: Row): string => row[key] as string;

export interface SqlStore extends Store {
  /** `also` runs within the same transaction, after the rows. */
  restore(pages: SnapshotPages, also?: (session: SqlSession) => Promise<void>): Promise<void>;
  /** Sends a message (JSON) to all processes on the database (`readMessages`), within the caller's transaction or on its own. */
  broadcast(message: string): Promise<void>;
}

/** `database` must be open and have the namespace (`prepareNamespace`); closing the store closes it. */
export function createSqlStore(database: SqlDatabase, namespace: string): SqlStore {
  const tables = createSqlTables(namespace);
  const lane = createWriteLane(database, tables);
  const named = new Map<string, NamedTable>();
  const unclaimed = sql.table(`${namespace}._unclaimed`);
  let state: "open" | "closed" = "open";

  function assertOpen(): void {
    if (state === "closed") throw new Error("the store is closed: open a new one");
  }

  /** All tables: those of this process, and those named only by other or earlier processes. */
  async function allTables(session: SqlSession): Promise<readonly TableSchema<Row>[]> {
    const own = [...named.values()].map(({ schema }) => schema);
    return [...own, ...(await tables.all(session)).filter(({ name }) => !named.has(name))];
  }

  async function readPagesIn(
    session: SqlSession,
    take: (page: TablePage) => Promise<void>,
  ): Promise<void> {
    const sources = [
      ...(await allTables(session)).map((schema) => ({
        table: schema.name,
        pages: tables.pages(session, schema),
      })),
      ...(await tables.unclaimedNames(session)).map((name) => ({
        table: name,
        pages: tables.unclaimedPages(session, name),
      })),
    ];
    for (const { table, pages } of sources.sort((a, b) => compareText(a.table, b.table))) {
      let count = 0;
      for await (const rows of pages) {
        count += rows.length;
        await take({ table, rows });
      }
      if (count === 0) await take({ table, rows: [] });
    }
  }

  async function clearIn(session: SqlSession, schemas: readonly TableSchema<Row>[]): Promise<void> {
    // Another node may have dropped a month to which rows of the snapshot belong.
    tables.forget();
    for (const schema of schemas) {
      if (named.has(schema.name)) await tables.ensure(session, schema);
      await session.run(statementOf(sql`delete from ${tableName(namespace, schema)}`));
    }
    await session.run(statementOf(sql`delete from ${unclaimed}`));
  }

  /** Keeps rows of a table that is not in use yet, after the `before` rows that are already kept. */
  async function keepUnclaimed(
    session: SqlSession,
    { table, rows }: TablePage,
    before: number,
  ): Promise<void> {
    const records = JSON.stringify(storedValue(rows));
    await session.run(
      statementOf(sql`insert into ${unclaimed} (name, at, "row")
        select ${table}, ${before}::bigint + at, "row"
        from json_array_elements(${records}::json) with ordinality as given ("row", at)`),
    );
  }

  async function restoreIn(session: SqlSession, pages: SnapshotPages): Promise<void> {
    const schemas = new Map((await allTables(session)).map((schema) => [schema.name, schema]));
    await clearIn(session, [...schemas.values()]);
    const counts = new Map<string, number>();
    for await (const page of pages) {
      const { table, rows } = page;
      const before = counts.get(table) ?? 0;
      counts.set(table, before + rows.length);
      const schema = schemas.get(table);
      if (schema === undefined) await keepUnclaimed(session, page, before);
      else await writeRows(session, schema, rows);
    }
    for (const [table, count] of counts) {
      const schema = schemas.get(table);
      // If two rows have the same key, the last one is in the table.
      if (schema !== undefined && (await countIn(session, schema)) !== count) {
        throw new DuplicateKeyError(
          `\`${table}\` has two rows with the same key: give each key once`,
        );
      }
    }
  }

  async function writeRows(
    session: SqlSession,
    schema: TableSchema<Row>,
    rows: readonly Row[],
  ): Promise<void> {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      const some = rows.slice(at, at + ROWS_AT_ONCE).map((row) => storableRow(schema, row));
      await tables.write(session, schema, new Map(some.map((row) => [keyOf(schema, row), row])));
    }
  }

  async function countIn(session: SqlSession, schema: TableSchema<Row>): Promise<number> {
    const counted = sql`select count(*)::int as count from ${tableName(namespace, schema)}`;
    return (await session.run(statementOf(counted))).rows[0]!.count as number;
  }

  function makeTable(schema: TableSchema<Row>): NamedTable {
    assertSchema(schema);
    const table = createSqlTable({ database, tables, lane, assertOpen }, schema);
    const made = { schema, table };
    named.set(schema.name, made);
    return made;
  }

  /** Creates every table, so that reading one creates none. */
  const ensureAll = (): Promise<void> =>
    lane.transaction(async (turn) => {
      for (const { schema } of named.values()) {
        if (!tables.isCommitted(schema)) await turn.get(schema, "");
      }
    });

  const store: SqlStore = {
    table<R extends Row>(schema: TableSchema<R>): Table<R> {
      const given = storedValue(schema) as unknown as TableSchema<Row>;
      const known = named.get(given.name) ?? makeTable(given);
      if (describeSchema(known.schema) !== describeSchema(given)) {
        throw new Error(`\`${given.name}\` already has another schema: name the table differently`);
      }
      return known.table as unknown as Table<R>;
    },
    async transaction(work) {
      assertOpen();
      return lane.transaction(async () => {
        assertOpen();
        return work();
      });
    },
    transactionOn: (work) => store.transaction(() => work(store)),
    async read(work) {
      assertOpen();
      return lane.current() === undefined ? lane.transaction(work) : work();
    },
    async broadcast(message) {
      assertOpen();
      const turn = lane.current();
      if (turn !== undefined) turn.broadcast(message);
      else await lane.transaction(async (own) => own.broadcast(message));
    },
    async snapshot() {
      const found: Record<string, Row[]> = {};
      await store.readPages(async ({ table, rows }) => {
        found[table] ??= [];
        found[table].push(...rows);
      });
      return found;
    },
    async readPages(take) {
      assertOpen();
      await ensureAll();
      await database.transaction("read", (session) => readPagesIn(session, take));
    },
    async restore(pages, also = async () => {}) {
      assertOpen();
      if (lane.current() !== undefined) {
        throw new Error("a transaction is already open: restore outside it");
      }
      await lane.idle();
      return database
        .transaction("write", async (session) => {
          await restoreIn(session, pages);
          await also(session);
        })
        .catch((error) => {
          tables.forget();
          throw error;
        });
    },
    async close() {
      if (state === "closed") return;
      await lane.idle();
      state = "closed";
      await database.close();
    },
  };
  return store;
}
