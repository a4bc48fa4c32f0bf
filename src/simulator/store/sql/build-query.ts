/** Turns the filters and queries of the store port into SQL that the declared indexes serve. */
import { type RawBuilder, sql } from "kysely";
import { compareText } from "../column-order.ts";
import { foldCase } from "../fold-case.ts";
import { keyAt } from "../months.ts";
import { assertTextColumns } from "../row-filter.ts";
import { servingIndex } from "../serving-index.ts";
import type { ColumnKind, Filter, Query, Row, TableSchema } from "../store.ts";
import { foldedColumn, tableName } from "./table-definition.ts";

type SqlCondition = RawBuilder<unknown>;
type Schema = TableSchema<Row>;

type Range = NonNullable<Filter<Row>["range"]>;

const NEVER: SqlCondition = sql`false`;

const kindOf = (schema: Schema, column: string): ColumnKind | undefined =>
  column === schema.key ? "text" : schema.columns[column];

const isOf = (kind: ColumnKind | undefined, value: unknown): boolean =>
  kind === (typeof value === "string" ? "text" : typeof value);

function equals(schema: Schema, column: string, value: unknown): SqlCondition {
  if (value === null) return sql`${sql.ref(column)} is null`;
  return isOf(kindOf(schema, column), value) ? sql`${sql.ref(column)} = ${value}` : NEVER;
}

const ARRAY_TYPES = { text: "text[]", number: "double precision[]", boolean: "boolean[]" } as const;

function anyOf(schema: Schema, column: string, values: readonly unknown[]): SqlCondition {
  const kind = kindOf(schema, column) as keyof typeof ARRAY_TYPES;
  const fitting = values.filter((value) => isOf(kind, value));
  const among = sql`${sql.ref(column)} = any(${fitting}::${sql.raw(ARRAY_TYPES[kind])})`;
  return values.includes(null) ? sql`(${among} or ${sql.ref(column)} is null)` : among;
}

/** `like` for a part of a text, with its wildcards escaped. */
export function partPattern(folded: string): string {
  return `%${folded.replace(/[\\%_]/g, "\\$&")}%`;
}

function contains(columns: readonly string[], text: string): SqlCondition {
  const pattern = partPattern(foldCase(text));
  const each = columns.map((name) => sql`${sql.ref(foldedColumn(name))} like ${pattern}`);
  return each.length === 0 ? NEVER : sql`(${sql.join(each, sql` or `)})`;
}

/** Keys begin with that time, so whole months can be skipped. */
function keysOf(schema: Schema, { column, above, below }: Range): SqlCondition[] {
  if (schema.partition?.time !== column) return [];
  const key = sql.ref(schema.key);
  const conditions = [];
  if (above !== undefined) conditions.push(sql`${key} >= ${keyAt(above)}`);
  if (below !== undefined) conditions.push(sql`${key} < ${keyAt(below + 1)}`);
  return conditions;
}

function rangeOf({ column, above, below }: Range): SqlCondition[] {
  const name = sql.ref(column);
  const conditions = [];
  if (above !== undefined) conditions.push(sql`${name} > ${above}`);
  if (below !== undefined) conditions.push(sql`${name} < ${below}`);
  return conditions.length === 0 ? [sql`${name} is not null`] : conditions;
}

/** Throws like `servingIndex`, and for text columns that are not declared. */
export function conditionsOf(
  schema: Schema,
  filter: Filter<Row>,
  order?: Query<Row>["order"],
): SqlCondition[] {
  servingIndex(schema, filter.where, { order, ranged: filter.range?.column });
  const conditions = Object.entries(filter.where).map(([column, value]) =>
    equals(schema, column, value ?? null),
  );
  for (const [column, values] of Object.entries(filter.anyOf ?? {})) {
    conditions.push(anyOf(schema, column, values as readonly unknown[]));
  }
  const { overlaps, range } = filter;
  if (overlaps !== undefined) {
    conditions.push(sql`${sql.ref(overlaps.column)} && ${overlaps.values}::text[]`);
  }
  for (const { columns, text } of filter.contains ?? []) {
    assertTextColumns(schema, columns);
    conditions.push(contains(columns, text));
  }
  if (range !== undefined) conditions.push(...rangeOf(range), ...keysOf(schema, range));
  return conditions;
}

const all = (conditions: readonly SqlCondition[]): SqlCondition =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);

/** Null comes last, and so first in the reverse order. */
function orderBy(schema: Schema, { column, direction }: Query<Row>["order"]): SqlCondition {
  const along = direction === "asc" ? sql`asc nulls last` : sql`desc nulls first`;
  const key = sql`${sql.ref(schema.key)} ${sql.raw(direction)}`;
  return column === schema.key ? key : sql.join([sql`${sql.ref(column)} ${along}`, key]);
}

/** At and after the cursor in the order of the key; the cursor's value is then a key as well. */
function keyStart(
  schema: Schema,
  { direction }: Query<Row>["order"],
  { value, key }: NonNullable<Query<Row>["from"]>,
): SqlCondition {
  if (typeof value !== "string") return NEVER;
  const sign = direction === "asc" ? 1 : -1;
  const isIncluded = sign * compareText(value, key) >= 0;
  const comparison = `${sign > 0 ? ">" : "<"}${isIncluded ? "=" : ""}`;
  return sql`${sql.ref(schema.key)} ${sql.raw(comparison)} ${value}`;
}

/**
 * The rows at and after the cursor, as one or two ranges of the index: rows with a value, and rows with null, which a
 * comparison of rows leaves out.
 */
function startsOf(schema: Schema, { order, from }: Query<Row>): SqlCondition[][] {
  if (from === undefined) return [[]];
  const [column, key] = [sql.ref(order.column), sql.ref(schema.key)];
  const isUp = order.direction === "asc";
  const sign = sql.raw(isUp ? ">=" : "<=");
  if (order.column === schema.key) return [[keyStart(schema, order, from)]];
  const isNull = sql`${column} is null`;
  const sameNull = [isNull, sql`${key} ${sign} ${from.key}`];
  if (from.value === null) return isUp ? [sameNull] : [sameNull, [sql`${column} is not null`]];
  const later = [sql`(${column}, ${key}) ${sign} (${from.value}, ${from.key})`];
  return isUp ? [later, [isNull]] : [later];
}

/** The rows of a query, as `row`. */
export function findStatement(
  namespace: string,
  schema: Schema,
  query: Query<Row>,
): RawBuilder<unknown> {
  const conditions = conditionsOf(schema, query, query.order);
  const table = tableName(namespace, schema);
  const order = orderBy(schema, query.order);
  const parts = startsOf(schema, query).map((start) => all([...conditions, ...start]));
  const page = sql`limit ${query.limit} offset ${query.offset ?? 0}`;
  if (parts.length === 1) {
    return sql`select "row" from ${table} where ${parts[0]!} order by ${order} ${page}`;
  }
  const union = sql.join(
    parts.map((part) => sql`select * from ${table} where ${part}`),
    sql` union all `,
  );
  return sql`select "row" from (${union}) as parts order by ${order} ${page}`;
}

export function countStatement(
  namespace: string,
  schema: Schema,
  filter: Filter<Row>,
): RawBuilder<unknown> {
  const where = all(conditionsOf(schema, filter));
  return sql`select count(*)::double precision as count from ${tableName(namespace, schema)} where ${where}`;
}

export function deleteStatement(
  namespace: string,
  schema: Schema,
  where: Row,
): RawBuilder<unknown> {
  const conditions = all(conditionsOf(schema, { where }));
  return sql`delete from ${tableName(namespace, schema)} where ${conditions}`;
}
