/** The tables of a namespace: created when first needed, and rebuilt after a change of schema. */
import { type RawBuilder, sql } from "kysely";
import type { Row, TableSchema } from "../store.ts";
import { freezeDeep } from "../stored-value.ts";
import { statementOf } from "./database/sql-builder.ts";
import type { SqlResult, SqlSession } from "./database/sql-database.ts";
import { ensurePartitions, renamePartitions } from "./month-partitions.ts";
import { createStatements, tableName, upsertRows } from "./table-definition.ts";

type Schema = TableSchema<Row>;

/** Rows read at a time, and octets of them: a row may be a message of many megabytes. */
const ROWS_AT_ONCE = 1_000;
const PAGE_OCTETS = 4_194_304;

export interface SqlTables {
  readonly namespace: string;
  /** Creates the table if it does not exist. */
  ensure(session: SqlSession, schema: Schema): Promise<void>;
  /** All existing tables with their current layout, whichever process created them. */
  all(session: SqlSession): Promise<readonly Schema[]>;
  /** Whether other connections also see the table. */
  isCommitted(schema: Schema): boolean;
  /** Call it after the commit: the created tables are now visible to all connections. */
  commit(): void;
  /** Forgets which tables were created: a rollback may have removed them. */
  forget(): void;
  read(session: SqlSession, schema: Schema, key: string): Promise<Row | undefined>;
  write(session: SqlSession, schema: Schema, rows: ReadonlyMap<string, Row | null>): Promise<void>;
  /** All rows by key, a page at a time. */
  pages(session: SqlSession, schema: Schema): AsyncGenerator<readonly Row[]>;
  /** The same for tables that nobody has named yet: their names in the order in which they came, and the rows of one. */
  unclaimedNames(session: SqlSession): Promise<readonly string[]>;
  unclaimedPages(session: SqlSession, name: string): AsyncGenerator<readonly Row[]>;
}

/** The part of a schema that decides the layout, as text. */
export function layoutOf({ key, columns, indexes, text, partition }: Schema): string {
  const sorted = Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ key, columns: sorted, indexes, text: text ?? [], partition });
}

/** The schema from which `layout` was made. */
function schemaOf(name: string, layout: string): Schema {
  const { columns, partition, ...rest } = JSON.parse(layout);
  const months = partition === undefined ? {} : { partition };
  return { ...rest, ...months, name, columns: Object.fromEntries(columns) };
}

export const rowsOf = ({ rows }: Pick<SqlResult, "rows">): Row[] =>
  rows.map(({ row }) => freezeDeep(row as Row));

/** Pages of a query for rows and their places `at`, in the order of the places. A page has at most `PAGE_OCTETS`, but at least one row. */
async function* pagesBy(
  session: SqlSession,
  before: string | number,
  query: (after: unknown) => RawBuilder<unknown>,
): AsyncGenerator<readonly Row[]> {
  let after: unknown = before;
  for (;;) {
    const next = sql`${query(after)} order by at limit ${ROWS_AT_ONCE}`;
    const counted = sql`select next.*, sum(octet_length("row"::text)) over (order by at) as octets,
      row_number() over (order by at) as nth from (${next}) as next`;
    const { rows } = await session.run(
      statementOf(
        sql`select "row", at from (${counted}) as counted where nth = 1 or octets <= ${PAGE_OCTETS} order by at`,
      ),
    );
    if (rows.length === 0) return;
    after = rows.at(-1)!.at;
    yield rowsOf({ rows });
  }
}

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

  /** All other columns are computed from the row, so every change of schema is a copy. */
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
    await ensurePartitions(session, namespace, schema, kept, partitions);
    const work = [];
    if (gone.length > 0) {
      const key = sql.ref(schema.key);
      const table = tableName(namespace, schema);
      work.push(run(session, sql`delete from ${table} where ${key} = any(${gone}::text[])`));
    }
    if (kept.length > 0) work.push(run(session, upsertRows(namespace, schema, kept)));
    await Promise.all(work);
  }

  function pages(session: SqlSession, schema: Schema): AsyncGenerator<readonly Row[]> {
    const [table, key] = [tableName(namespace, schema), sql.ref(schema.key)];
    return pagesBy(
      session,
      "",
      (after) => sql`
      select "row", ${key} as at from ${table} where ${key} > ${after}::text`,
    );
  }

  function unclaimedPages(session: SqlSession, name: string): AsyncGenerator<readonly Row[]> {
    return pagesBy(
      session,
      0,
      (after) => sql`
      select "row", at from ${unclaimed} where name = ${name} and at > ${after}::bigint`,
    );
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
    async unclaimedNames(session) {
      const { rows } = await run(session, sql`select distinct name from ${unclaimed}`);
      return rows.map(({ name }) => name as string);
    },
    unclaimedPages,
  };
}
