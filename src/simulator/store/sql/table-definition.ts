/**
 * The layout of a table of the store port in SQL: its key, a typed column for everything that queries name, and the row as
 * JSON.
 */
import { type RawBuilder, sql } from "kysely";
import { foldCase } from "../fold-case.ts";
import type { ColumnKind, Row, TableSchema } from "../store.ts";

/** Numbers are doubles, as in JavaScript; texts are compared by code point. */
const SQL_TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'text collate "C"',
  number: "double precision",
  boolean: "boolean",
  texts: "text[]",
};

/** The row itself; the other columns are computed from it, so they can be computed again. */
const ROW = "row";

export interface SqlColumn {
  readonly name: string;
  readonly type: string;
  /** The SQL value of a stored row. */
  of(row: Row): unknown;
}

/** The column that `contains` and `search` use: text folded here, because databases fold letters differently. */
export const foldedColumn = (name: string): string => `${name} folded`;

/** Null if the row lacks the column or has null in it. */
function valueColumn(name: string, kind: ColumnKind): SqlColumn {
  return {
    name,
    type: SQL_TYPES[kind],
    of(row) {
      const value = row[name] ?? null;
      if (kind !== "texts") return value;
      return Array.isArray(value) ? value.filter((item) => typeof item === "string") : null;
    },
  };
}

/** All columns of the table, with the key first and the row last. */
export function columnsOf(schema: TableSchema<Row>): readonly SqlColumn[] {
  const values = Object.entries(schema.columns)
    .filter(([name]) => name !== schema.key)
    .map(([name, kind]) => valueColumn(name, kind));
  const folded = (schema.text ?? []).map((name) => ({
    name: foldedColumn(name),
    type: SQL_TYPES.text,
    of: (row: Row) => (typeof row[name] === "string" ? foldCase(row[name]) : null),
  }));
  const key = { name: schema.key, type: SQL_TYPES.text, of: (row: Row) => row[schema.key] };
  return [key, ...values, ...folded, { name: ROW, type: "json", of: (row) => row }];
}

/** A table's name with its namespace. */
export function tableName(
  namespace: string,
  schema: { readonly name: string },
): RawBuilder<unknown> {
  return sql.table(`${namespace}.${schema.name}`);
}

function createIndexes(namespace: string, schema: TableSchema<Row>): RawBuilder<unknown>[] {
  const table = tableName(namespace, schema);
  const ordered = schema.indexes
    .map((columns) => [...new Set([...columns, schema.key])])
    .filter((columns) => columns.length > 1)
    .map((columns) => sql`create index on ${table} (${sql.join(columns.map((c) => sql.ref(c)))})`);
  const lists = Object.entries(schema.columns)
    .filter(([, kind]) => kind === "texts")
    .map(([name]) => sql`create index on ${table} using gin (${sql.ref(name)})`);
  const text = (schema.text ?? []).map((name) => sql`${sql.ref(foldedColumn(name))} gin_trgm_ops`);
  const trigrams =
    text.length === 0 ? [] : [sql`create index on ${table} using gin (${sql.join(text)})`];
  return [...ordered, ...lists, ...trigrams];
}

/** The statements that create the table and its indexes. */
export function createStatements(
  namespace: string,
  schema: TableSchema<Row>,
): readonly RawBuilder<unknown>[] {
  const columns = columnsOf(schema).map(({ name, type }) => sql`${sql.ref(name)} ${sql.raw(type)}`);
  const key = sql`primary key (${sql.ref(schema.key)})`;
  const partition =
    schema.partition === undefined ? sql`` : sql`partition by range (${sql.ref(schema.key)})`;
  const table = tableName(namespace, schema);
  return [
    sql`create table ${table} (${sql.join([...columns, key])}) ${partition}`,
    ...createIndexes(namespace, schema),
  ];
}

/** Writes rows: inserts new ones, and replaces those with the same key. */
export function upsertRows(
  namespace: string,
  schema: TableSchema<Row>,
  rows: readonly Row[],
): RawBuilder<unknown> {
  const columns = columnsOf(schema);
  const records = rows.map((row) =>
    Object.fromEntries(columns.map((column, at) => [`c${at}`, column.of(row)])),
  );
  const names = columns.map(({ name }) => sql.ref(name));
  const types = columns.map(({ type }, at) => sql.raw(`c${at} ${type}`));
  const changed = columns
    .slice(1)
    .map(({ name }) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  return sql`insert into ${tableName(namespace, schema)} (${sql.join(names)})
    select * from json_to_recordset(${JSON.stringify(records)}::json) as given (${sql.join(types)})
    on conflict (${sql.ref(schema.key)}) do update set ${sql.join(changed)}`;
}
