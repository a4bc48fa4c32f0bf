/** Tables whose keys begin with their time are kept in one partition a month, so that old months go at once. */
import { sql } from "kysely";
import type { Row, TableSchema } from "../store.ts";
import { statementOf } from "./database/sql-builder.ts";
import type { SqlSession } from "./database/sql-database.ts";
import { tableName } from "./table-definition.ts";

/** Hex digits of milliseconds that a key begins with. */
const TIME_DIGITS = 14;

/** Where the months of a table begin, as keys. */
interface Month {
  /** `2026-01` */
  readonly name: string;
  readonly first: string;
  readonly end: string;
}

export const keyAt = (ms: number): string => ms.toString(16).padStart(TIME_DIGITS, "0");

/** The month of a key; undefined for a key without a time that a calendar can show. */
function monthOf(key: string): Month | undefined {
  if (!/^[0-9a-f]{14}/.test(key)) return undefined;
  const date = new Date(Number.parseInt(key.slice(0, TIME_DIGITS), 16));
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9_999) return undefined;
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    name: date.toISOString().slice(0, 7),
    first: keyAt(Date.UTC(year, month)),
    end: keyAt(Date.UTC(year, month + 1)),
  };
}

const DEFAULT = "other";

const partitionName = (namespace: string, schema: { readonly name: string }, name: string) =>
  tableName(namespace, { name: `${schema.name} ${name}` });

/** Makes the partitions that the rows go to, unless `made` has them. */
export async function assurePartitions(
  session: SqlSession,
  namespace: string,
  schema: TableSchema<Row>,
  rows: readonly Row[],
  made: Set<string>,
): Promise<void> {
  if (schema.partition !== "month") return;
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
