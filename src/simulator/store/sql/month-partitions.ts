/** Tables whose keys begin with a time have one partition per month, so that old months are deleted at once. */
import { type RawBuilder, sql } from "kysely";
import { hasEnded, monthOf } from "../months.ts";
import type { Row, TableSchema } from "../store.ts";
import { statementOf } from "./database/sql-builder.ts";
import { plain, type SqlSession, type SqlStatement } from "./database/sql-database.ts";
import { tableName } from "./table-definition.ts";

type Named = Pick<TableSchema<Row>, "name">;

/** The partition of rows whose keys have no time. */
const DEFAULT = "other";

const partitionName = (namespace: string, { name }: Named, part: string): RawBuilder<unknown> =>
  tableName(namespace, { name: `${name} ${part}` });

/** Creates the partitions for the rows, unless they are in `made`. */
export async function ensurePartitions(
  session: SqlSession,
  namespace: string,
  schema: TableSchema<Row>,
  rows: readonly Row[],
  made: Set<string>,
): Promise<void> {
  if (schema.partition === undefined) return;
  const table = tableName(namespace, schema);
  for (const row of rows) {
    const month = monthOf(row[schema.key] as string);
    const name = month?.name ?? DEFAULT;
    const entry = `${schema.name} ${name}`;
    if (made.has(entry)) continue;
    const values =
      month === undefined
        ? sql`default`
        : sql`for values from (${sql.lit(month.first)}) to (${sql.lit(month.end)})`;
    const partition = partitionName(namespace, schema, name);
    await session.run(
      statementOf(sql`create table if not exists ${partition} partition of ${table} ${values}`),
    );
    made.add(entry);
  }
}

/** Queries the partitions of a table; `partsOf` reads the answer. */
export function listPartitions(namespace: string, { name }: Named): SqlStatement {
  return statementOf(sql`select part.relname as name from pg_inherits
    join pg_class part on part.oid = inhrelid
    join pg_class parent on parent.oid = inhparent
    join pg_namespace space on space.oid = parent.relnamespace
    where space.nspname = ${namespace} and parent.relname = ${name} order by 1`);
}

/** `2026-01`, or `other`. */
export function partsOf({ name }: Named, rows: readonly Record<string, unknown>[]): string[] {
  return rows.map((row) => (row.name as string).slice(name.length + 1));
}

/** The months among the parts that ended at that time or before. */
export const endedMonths = (parts: readonly string[], ms: number): string[] =>
  parts.filter((part) => part !== DEFAULT && hasEnded(part, ms));

/**
 * Dropping a partition reads none of its rows. It waits for readers of the table, but not for long, because new readers wait
 * behind it.
 */
export function dropPartition(namespace: string, schema: Named, part: string): SqlStatement {
  return statementOf(sql`drop table if exists ${partitionName(namespace, schema, part)}`);
}

export const WAIT_FOR_READERS: SqlStatement = plain("set local lock_timeout = '1s'");
export const WAIT_AS_USUAL: SqlStatement = plain("set local lock_timeout to default");

/** Renames the partitions of a table that was renamed to `to`. */
export async function renamePartitions(
  session: SqlSession,
  namespace: string,
  from: Named,
  to: Named,
): Promise<void> {
  const { rows } = await session.run(listPartitions(namespace, to));
  for (const part of partsOf(from, rows)) {
    const name = sql.ref(`${to.name} ${part}`);
    const partition = partitionName(namespace, from, part);
    await session.run(statementOf(sql`alter table ${partition} rename to ${name}`));
  }
}
