/** Tables whose keys begin with their time are kept in one partition a month, so that old months go at once. */
import { type RawBuilder, sql } from "kysely";
import { hasEnded, monthOf } from "../months.ts";
import type { Row, TableSchema } from "../store.ts";
import { statementOf } from "./database/sql-builder.ts";
import { plain, type SqlSession, type SqlStatement } from "./database/sql-database.ts";
import { tableName } from "./table-definition.ts";

type Named = Pick<TableSchema<Row>, "name">;

/** Of rows whose keys have no time. */
const DEFAULT = "other";

const partitionName = (namespace: string, { name }: Named, part: string): RawBuilder<unknown> =>
  tableName(namespace, { name: `${name} ${part}` });

/** Makes the partitions that the rows go to, unless `made` has them. */
export async function assurePartitions(
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

/** Asks for the partitions of a table; `partsOf` reads the answer. */
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

/** Of the parts, the months that ended at that time or before. */
export const endedMonths = (parts: readonly string[], ms: number): string[] =>
  parts.filter((part) => part !== DEFAULT && hasEnded(part, ms));

/**
 * A partition goes without its rows being read. Whoever reads the table is waited for, but not for long, since new readers
 * queue up behind.
 */
export function dropPartition(namespace: string, schema: Named, part: string): SqlStatement {
  return statementOf(sql`drop table if exists ${partitionName(namespace, schema, part)}`);
}

export const WAIT_FOR_READERS: SqlStatement = plain("set local lock_timeout = '1s'");
export const WAIT_AS_BEFORE: SqlStatement = plain("set local lock_timeout to default");

/** Gives the partitions of a table that was renamed to `to` names that go with it. */
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
