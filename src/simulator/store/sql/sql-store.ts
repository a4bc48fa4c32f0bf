/** The store on a database with PostgreSQL's SQL: PGlite in this process, or a PostgreSQL server that nodes share. */
import { sql } from "kysely";
import { compareText } from "../column-order.ts";
import { assertSchema, describeSchema, storableRow } from "../storable-row.ts";
import {
  DuplicateKeyError,
  type Row,
  type Snapshot,
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
import { createSqlTables, rowsOf } from "./sql-tables.ts";
import { tableName } from "./table-definition.ts";
import { createWriteLane } from "./write-lane.ts";

interface NamedTable {
  readonly schema: TableSchema<Row>;
  readonly table: Table<Row>;
}

const ROWS_AT_ONCE = 500;

const keyOf = ({ key }: TableSchema<Row>, row: Row): string => row[key] as string;

export interface SqlStore extends Store {
  /** Sends a message (JSON) to every process on the database (`readMessages`): with the caller's transaction, or by itself. */
  tell(message: string): Promise<void>;
}

/** `database` is open, and has the namespace (`prepareNamespace`); it is closed with the store. */
export function createSqlStore(database: SqlDatabase, namespace: string): SqlStore {
  const tables = createSqlTables(namespace);
  const lane = createWriteLane(database, tables);
  const named = new Map<string, NamedTable>();
  const unclaimed = sql.table(`${namespace}._unclaimed`);
  let state: "open" | "closed" = "open";

  function assertOpen(): void {
    if (state === "closed") throw new Error("the store is closed: open a new one");
  }

  /** Every table there is: those of this process, and those that only others, or earlier ones, have named. */
  async function allTables(session: SqlSession): Promise<readonly TableSchema<Row>[]> {
    const own = [...named.values()].map(({ schema }) => schema);
    return [...own, ...(await tables.all(session)).filter(({ name }) => !named.has(name))];
  }

  async function snapshotIn(session: SqlSession): Promise<Snapshot> {
    const found: [string, readonly Row[]][] = [];
    for (const schema of await allTables(session)) {
      const rows: Row[] = [];
      for await (const page of tables.pages(session, schema)) rows.push(...page);
      found.push([schema.name, rows]);
    }
    const { rows } = await session.run(
      statementOf(
        sql`select name, json_agg("row" order by at) as "row" from ${unclaimed} group by name`,
      ),
    );
    for (const [at, others] of rowsOf({ rows }).entries()) {
      found.push([rows[at]!.name as string, others as unknown as readonly Row[]]);
    }
    return Object.fromEntries(found.sort(([a], [b]) => compareText(a, b)));
  }

  async function clearIn(session: SqlSession, schemas: readonly TableSchema<Row>[]): Promise<void> {
    // Another node may have dropped a month that rows of the snapshot go to.
    tables.forget();
    for (const schema of schemas) {
      if (named.has(schema.name)) await tables.ensure(session, schema);
      await session.run(statementOf(sql`delete from ${tableName(namespace, schema)}`));
    }
    await session.run(statementOf(sql`delete from ${unclaimed}`));
  }

  /** Rows of a table that nobody has named, behind the `before` that are there already. */
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
      // Of rows with the same key, the last is there.
      if (schema !== undefined && (await countIn(session, schema)) !== count) {
        throw new DuplicateKeyError(`\`${table}\` has two rows with one key: give each key once`);
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

  /** Every table is there, so that reading one makes none. */
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
        throw new Error(`\`${given.name}\` has another schema already: name the table differently`);
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
    async tell(message) {
      assertOpen();
      const turn = lane.current();
      if (turn !== undefined) turn.tell(message);
      else await lane.transaction(async (own) => own.tell(message));
    },
    async snapshot() {
      assertOpen();
      await ensureAll();
      return database.transaction("read", snapshotIn);
    },
    async restore(pages) {
      assertOpen();
      if (lane.current() !== undefined) {
        throw new Error("a transaction is open already: restore outside of it");
      }
      await lane.idle();
      return database
        .transaction("write", (session) => restoreIn(session, pages))
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
