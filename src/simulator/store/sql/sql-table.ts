/** One table of the SQL store: reads go to the database directly, writes join a transaction of the lane. */
import type { RawBuilder } from "kysely";
import { assertCount } from "../row-filter.ts";
import { assertMonths, duplicateOf, missingIn, storableRow } from "../storable-row.ts";
import type { Filter, Query, Row, Search, Table, TableSchema } from "../store.ts";
import { storedValue } from "../stored-value.ts";
import { countStatement, deleteStatement, findStatement } from "./build-query.ts";
import { statementOf } from "./database/sql-builder.ts";
import type { SqlDatabase } from "./database/sql-database.ts";
import {
  dropPartition,
  endedMonths,
  listPartitions,
  partsOf,
  WAIT_AS_USUAL,
  WAIT_FOR_READERS,
} from "./month-partitions.ts";
import { type Ask, searchRows } from "./sql-search.ts";
import { rowsOf, type SqlTables } from "./sql-tables.ts";
import type { Turn } from "./write-batch.ts";
import type { WriteLane } from "./write-lane.ts";

export interface SqlTableParts {
  readonly database: SqlDatabase;
  readonly tables: SqlTables;
  readonly lane: WriteLane;
  /** Throws if the store is closed. */
  assertOpen(): void;
}

export function createSqlTable(
  { database, tables, lane, assertOpen }: SqlTableParts,
  schema: TableSchema<Row>,
): Table<Row> {
  const { namespace } = tables;

  /** Runs in the caller's transaction, or in a new one. */
  async function write<Result>(work: (turn: Turn) => Promise<Result>): Promise<Result> {
    assertOpen();
    const turn = lane.current();
    return turn === undefined ? lane.transaction(work) : work(turn);
  }

  /** Sees the writes of the caller's transaction; outside a transaction, what is committed. */
  async function reader(): Promise<Ask> {
    assertOpen();
    const turn = lane.current();
    if (turn !== undefined) return (statement) => turn.ask(schema, statement);
    if (!tables.isCommitted(schema)) await lane.transaction((made) => made.get(schema, ""));
    return async (statement) => (await database.run(statement)).rows;
  }

  const ask = async (raw: RawBuilder<unknown>): Promise<readonly Record<string, unknown>[]> =>
    (await reader())(statementOf(raw));

  // Arguments are copied before the first `await`: the caller may change them meanwhile.
  return {
    async get(key) {
      const wanted = storedValue(key);
      assertOpen();
      const turn = lane.current();
      if (turn !== undefined) return turn.get(schema, wanted);
      await reader();
      return tables.read(database, schema, wanted);
    },
    async insert(row) {
      const stored = storableRow(schema, row);
      const key = stored[schema.key] as string;
      return write(async (turn) => {
        const isTaken = schema.keys !== "fresh" && (await turn.get(schema, key)) !== undefined;
        if (isTaken) throw duplicateOf(schema, key);
        await turn.put(schema, stored);
        return stored;
      });
    },
    async replace(row) {
      const stored = storableRow(schema, row);
      const key = stored[schema.key] as string;
      return write(async (turn) => {
        if ((await turn.get(schema, key)) === undefined) throw missingIn(schema, key);
        await turn.put(schema, stored);
        return stored;
      });
    },
    async delete(key) {
      const wanted = storedValue(key);
      return write(async (turn) => {
        const isThere = (await turn.get(schema, wanted)) !== undefined;
        if (isThere) turn.remove(schema, wanted);
        return isThere;
      });
    },
    async deleteWhere(where) {
      const statement = statementOf(deleteStatement(namespace, schema, storedValue<Row>(where)));
      return write((turn) => turn.change(schema, statement));
    },
    async dropMonths(ms) {
      assertMonths(schema);
      const ended = async (from: Ask): Promise<readonly string[]> =>
        endedMonths(partsOf(schema, await from(listPartitions(namespace, schema))), ms);
      // Queried without the lock first: nearly always there are none.
      if ((await ended(await reader())).length === 0) return;
      await write(async (turn) => {
        const parts = await ended((statement) => turn.ask(schema, statement));
        await turn.change(schema, WAIT_FOR_READERS);
        for (const part of parts) await turn.change(schema, dropPartition(namespace, schema, part));
        await turn.change(schema, WAIT_AS_USUAL);
        tables.forget();
      });
    },
    async find(query) {
      const wanted = storedValue<Query<Row>>(query);
      assertCount("limit", wanted.limit);
      assertCount("offset", wanted.offset ?? 0);
      return rowsOf({ rows: await ask(findStatement(namespace, schema, wanted)) });
    },
    async count(filter) {
      const wanted = storedValue<Filter<Row>>(filter);
      return (await ask(countStatement(namespace, schema, wanted)))[0]!.count as number;
    },
    async search(search) {
      const wanted = storedValue<Search<Row>>(search);
      return searchRows(namespace, schema, wanted, await reader());
    },
  };
}
