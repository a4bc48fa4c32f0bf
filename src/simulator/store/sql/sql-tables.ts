/** The tables of a namespace: made when they are first needed, and rebuilt when their schema has changed. */
import { type RawBuilder, sql } from "kysely";
import type { Row, TableSchema } from "../store.ts";
import { freezeDeep } from "../stored-value.ts";
import { statementOf } from "./database/sql-builder.ts";
import type { SqlResult, SqlSession } from "./database/sql-database.ts";
import { assurePartitions, renamePartitions } from "./month-partitions.ts";
import { createStatements, tableName, upsertRows } from "./table-definition.ts";

type Schema = TableSchema<Row>;

/** Rows copied at a time when a table is rebuilt. */
const ROWS_AT_ONCE = 1_000;

export interface SqlTables {
  readonly namespace: string;
  /** Makes the table if it is not there. */
  ensure(session: SqlSession, schema: Schema): Promise<void>;
  /** All tables that were ever made, as they are laid out now, whoever made them. */
  all(session: SqlSession): Promise<readonly Schema[]>;
  /** Whether other connections see the table, too. */
  isCommitted(schema: Schema): boolean;
  /** What was made is committed. */
  commit(): void;
  /** Forgets which tables were made: a rollback may have taken them back. */
  forget(): void;
  read(session: SqlSession, schema: Schema, key: string): Promise<Row | undefined>;
  write(session: SqlSession, schema: Schema, rows: ReadonlyMap<string, Row | null>): Promise<void>;
  /** All rows by key, a page at a time. */
  pages(session: SqlSession, schema: Schema): AsyncGenerator<readonly Row[]>;
}

/** What decides the layout. */
export function layoutOf({ key, columns, indexes, text, partition }: Schema): string {
  const sorted = Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ key, columns: sorted, indexes, text: text ?? [], partition });
}

/** The schema that `layout` was written of. */
function schemaOf(name: string, layout: string): Schema {
  const { columns, partition, ...rest } = JSON.parse(layout);
  const months = partition === undefined ? {} : { partition };
  return { ...rest, ...months, name, columns: Object.fromEntries(columns) };
}

export const rowsOf = ({ rows }: Pick<SqlResult, "rows">): Row[] =>
  rows.map(({ row }) => freezeDeep(row as Row));

export function createSqlTables(namespace: string): SqlTables {
  const made = new Set<string>();
  const committed = new Set<string>();
  const partitions = new Set<string>();
  const catalog = sql.table(`${namespace}._table`);
  const unclaimed = sql.table(`${namespace}._unclaimed`);

  const run = (session: SqlSession, raw: RawBuilder<unknown>): Promise<SqlResult> =>
    session.run(statementOf(raw));

  async function create(session: SqlSession, schema: Schema): Promise<void> {
    for (const statement of createStatements(namespace, schema)) await run(session, statement);
    const layout = layoutOf(schema);
    await run(
      session,
      sql`insert into ${catalog} (name, layout) values (${schema.name}, ${layout})
        on conflict (name) do update set layout = excluded.layout`,
    );
  }

  /** Every other column is made of the row, so any change of schema is a copy. */
  async function layOutAnew(session: SqlSession, schema: Schema, before: Schema): Promise<void> {
    const old: Schema = { ...before, name: `_old ${schema.name}` };
    const [from, to] = [tableName(namespace, schema), sql.ref(old.name)];
    await run(session, sql`alter table ${from} rename to ${to}`);
    await renamePartitions(session, namespace, schema, old);
    partitions.clear();
    await create(session, schema);
    for await (const page of pages(session, old)) {
      await write(session, schema, new Map(page.map((row) => [row[schema.key] as string, row])));
    }
    await run(session, sql`drop table ${tableName(namespace, old)}`);
  }

  async function claim(session: SqlSession, schema: Schema): Promise<void> {
    const { name, key } = schema;
    const { rows } = await run(
      session,
      sql`delete from ${unclaimed} where name = ${name} returning "row"`,
    );
    if (rows.length === 0) return;
    await write(session, schema, new Map(rowsOf({ rows }).map((row) => [row[key] as string, row])));
  }

  async function ensure(session: SqlSession, schema: Schema): Promise<void> {
    if (made.has(schema.name)) return;
    const { rows } = await run(
      session,
      sql`select layout from ${catalog} where name = ${schema.name}`,
    );
    const layout = rows[0]?.layout as string | undefined;
    if (layout === undefined) await create(session, schema);
    else if (layout !== layoutOf(schema)) {
      await layOutAnew(session, schema, schemaOf(schema.name, layout));
    }
    made.add(schema.name);
    await claim(session, schema);
  }

  async function write(
    session: SqlSession,
    schema: Schema,
    rows: ReadonlyMap<string, Row | null>,
  ): Promise<void> {
    const kept = [...rows.values()].filter((row) => row !== null);
    const gone = [...rows].filter(([, row]) => row === null).map(([key]) => key);
    await assurePartitions(session, namespace, schema, kept, partitions);
    const work = [];
    if (gone.length > 0) {
      const key = sql.ref(schema.key);
      const table = tableName(namespace, schema);
      work.push(run(session, sql`delete from ${table} where ${key} = any(${gone}::text[])`));
    }
    if (kept.length > 0) work.push(run(session, upsertRows(namespace, schema, kept)));
    await Promise.all(work);
  }

  async function* pages(session: SqlSession, schema: Schema): AsyncGenerator<readonly Row[]> {
    const [table, key] = [tableName(namespace, schema), sql.ref(schema.key)];
    let after = "";
    for (;;) {
      const page = rowsOf(
        await run(
          session,
          sql`select "row" from ${table} where ${key} > ${after} order by ${key} limit ${ROWS_AT_ONCE}`,
        ),
      );
      if (page.length > 0) yield page;
      if (page.length < ROWS_AT_ONCE) return;
      after = page.at(-1)![schema.key] as string;
    }
  }

  return {
    namespace,
    ensure,
    async all(session) {
      const { rows } = await run(session, sql`select name, layout from ${catalog} order by name`);
      return rows.map(({ name, layout }) => schemaOf(name as string, layout as string));
    },
    isCommitted: ({ name }) => committed.has(name),
    commit() {
      for (const name of made) committed.add(name);
    },
    forget() {
      made.clear();
      partitions.clear();
    },
    async read(session, schema, key) {
      const table = tableName(namespace, schema);
      const where = sql`${sql.ref(schema.key)} = ${key}`;
      return rowsOf(await run(session, sql`select "row" from ${table} where ${where}`))[0];
    },
    write,
    pages,
  };
}
