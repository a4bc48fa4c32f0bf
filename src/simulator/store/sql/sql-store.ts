/** The store on a database with PostgreSQL's SQL: PGlite in this process, or a PostgreSQL server that nodes share. */
import { sql } from "kysely";
import { compareText } from "../column-order.ts";
import { assertSchema, describeSchema, duplicateOf, storableRow } from "../storable-row.ts";
import type { Row, Snapshot, Store, Table, TableSchema } from "../store.ts";
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

/** Checks every row before one is written. */
function contentsOf(
  schemas: readonly TableSchema<Row>[],
  snapshot: Snapshot,
): Map<string, ReadonlyMap<string, Row>> {
  const contents = new Map<string, ReadonlyMap<string, Row>>();
  for (const schema of schemas) {
    const rows = new Map<string, Row>();
    for (const given of snapshot[schema.name] ?? []) {
      const row = storableRow(schema, given);
      const key = row[schema.key] as string;
      if (rows.has(key)) throw duplicateOf(schema, key);
      rows.set(key, row);
    }
    contents.set(schema.name, rows);
  }
  return contents;
}

export interface SqlStore extends Store {
  /** Has every process on the database told, by `readMessages`: with the caller's transaction, or by itself. JSON. */
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

  async function restoreIn(session: SqlSession, snapshot: Snapshot): Promise<void> {
    const schemas = await allTables(session);
    const contents = contentsOf(schemas, snapshot);
    const run = (raw: ReturnType<typeof sql>) => session.run(statementOf(raw));
    // Another node may have dropped a month that rows of the snapshot go to.
    tables.forget();
    for (const schema of schemas) {
      if (named.has(schema.name)) await tables.ensure(session, schema);
      await run(sql`delete from ${tableName(namespace, schema)}`);
      const rows = [...contents.get(schema.name)!];
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
        await tables.write(session, schema, new Map(rows.slice(at, at + ROWS_AT_ONCE)));
      }
    }
    await run(sql`delete from ${unclaimed}`);
    for (const [name, rows] of Object.entries(snapshot)) {
      if (contents.has(name)) continue;
      const records = JSON.stringify(rows);
      await run(sql`insert into ${unclaimed} (name, at, "row")
        select ${name}, at, "row" from json_array_elements(${records}::json) with ordinality as given ("row", at)`);
    }
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

  return {
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
    async restore(snapshot) {
      assertOpen();
      const stored = storedValue(snapshot);
      if (lane.current() !== undefined) {
        throw new Error("a transaction is open already: restore outside of it");
      }
      await lane.idle();
      return database
        .transaction("write", (session) => restoreIn(session, stored))
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
}
