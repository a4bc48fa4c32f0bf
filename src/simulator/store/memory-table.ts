/** One table in memory: rows by key, and one sorted list for each index. Everything here is synchronous. */
import { LIMITS } from "../../base/limits.ts";
import { compareColumns, compareText } from "./column-order.ts";
import { assertCount, assertTextColumns, restTest } from "./row-filter.ts";
import { indexesOf, type Serving, servingIndex } from "./serving-index.ts";
import { createSortedRows, type SortedRows } from "./sorted-rows.ts";
import { assertStorable, duplicateOf } from "./storable-row.ts";
import type { Filter, Query, Row, Search, TableSchema } from "./store.ts";
import { likenessTo } from "./word-similarity.ts";

type Schema = TableSchema<Row>;

export interface TableContent {
  readonly rows: Map<string, Row>;
  /** In the order of `indexesOf`; indexes with the same order share a list. */
  readonly sorted: readonly SortedRows<Row>[];
  /** The distinct lists of `sorted`. */
  readonly lists: readonly SortedRows<Row>[];
}

/** Throws `DuplicateKeyError` if two rows have the same key. */
export function contentOf(schema: Schema, given: Iterable<Row>): TableContent {
  const rows = new Map<string, Row>();
  for (const row of given) {
    assertStorable(schema, row);
    const key = row[schema.key] as string;
    if (rows.has(key)) throw duplicateOf(schema, key);
    rows.set(key, row);
  }
  const byOrder = new Map<string, SortedRows<Row>>();
  const sorted = indexesOf(schema).map((columns) => {
    const compared = [...new Set([...columns, schema.key])];
    const shared = byOrder.get(compared.join());
    if (shared !== undefined) return shared;
    const compare = (left: Row, right: Row): number => {
      for (const column of compared) {
        const order = compareColumns(left[column], right[column]);
        if (order !== 0) return order;
      }
      return 0;
    };
    const list = createSortedRows(compare, rows.values());
    byOrder.set(compared.join(), list);
    return list;
  });
  return { rows, sorted, lists: [...byOrder.values()] };
}

/** `row` must be storable. */
export function addRow(schema: Schema, content: TableContent, row: Row): void {
  const key = row[schema.key] as string;
  if (content.rows.has(key)) throw duplicateOf(schema, key);
  content.rows.set(key, row);
  for (const list of content.lists) list.add(row);
}

/** `row` must be the same object that the content holds. */
export function removeRow(schema: Schema, content: TableContent, row: Row): void {
  content.rows.delete(row[schema.key] as string);
  for (const list of content.lists) list.remove(row);
}

/** `before` must be the same object that the content holds; `after` a storable row with its key. */
export function replaceRow(schema: Schema, content: TableContent, before: Row, after: Row): void {
  content.rows.set(after[schema.key] as string, after);
  for (const list of content.lists) list.replace(before, after);
}

/** Rows with consecutive ranks in one sorted list. */
interface RowSpan {
  readonly list: SortedRows<Row>;
  readonly low: number;
  readonly high: number;
}

function spanOf(
  schema: Schema,
  content: TableContent,
  { position, columns, leadCount }: Serving,
  filter: Pick<Query<Row>, "where" | "range" | "from"> & Partial<Pick<Query<Row>, "order">>,
): RowSpan {
  const list = content.sorted[position]!;
  const lead = columns.slice(0, leadCount).map((column) => [column, filter.where[column]] as const);
  /** How many rows come before: by the leading columns, and for equal ones by `isBefore`. */
  const rank = (isBefore: (row: Row) => boolean): number =>
    list.rank((row) => {
      for (const [column, value] of lead) {
        const order = compareColumns(row[column], value);
        if (order !== 0) return order < 0;
      }
      return isBefore(row);
    });

  let [low, high] = [rank(() => false), rank(() => true)];
  const { range, from, order } = filter;
  if (range !== undefined && range.column === columns[leadCount]) {
    const { column, above = Number.NEGATIVE_INFINITY, below = Number.POSITIVE_INFINITY } = range;
    low = rank((row) => compareColumns(row[column], above) <= 0);
    high = rank((row) => compareColumns(row[column], below) < 0);
  }
  if (from !== undefined && order !== undefined) {
    const compare = (row: Row): number =>
      compareColumns(row[order.column], from.value) ||
      compareText(row[schema.key] as string, from.key);
    const isUp = order.direction === "asc";
    const start = rank((row) => (isUp ? compare(row) < 0 : compare(row) <= 0));
    if (isUp) low = Math.max(low, start);
    else high = Math.min(high, start);
  }
  return { list, low, high: Math.max(low, high) };
}

/** The rows that pass a filter, in order. */
interface Selection {
  readonly span: RowSpan;
  /** The test for rows of the span; undefined if all pass. */
  readonly test: ((row: Row) => boolean) | undefined;
  rows(): Iterable<Row>;
}

function select(
  schema: Schema,
  content: TableContent,
  filter: Filter<Row> & Partial<Pick<Query<Row>, "order" | "from">>,
): Selection {
  const ranged = filter.range?.column;
  const serving = servingIndex(schema, filter.where, { order: filter.order, ranged });
  const answered = serving.columns[serving.leadCount];
  const test = restTest(schema, filter, answered);
  const span = spanOf(schema, content, serving, filter);
  const direction = filter.order?.direction ?? "asc";
  function* rows(): Generator<Row> {
    for (const row of span.list.walk(span.low, span.high, direction)) {
      if (test === undefined || test(row)) yield row;
    }
  }
  return { span, test, rows };
}

export function findRows(schema: Schema, content: TableContent, query: Query<Row>): Row[] {
  const { limit, offset = 0, order } = query;
  assertCount("limit", limit);
  assertCount("offset", offset);
  const { span, test, rows } = select(schema, content, query);
  if (test === undefined) {
    const { list, low, high } = span;
    return order.direction === "asc"
      ? [...list.walk(low + offset, Math.min(high, low + offset + limit), "asc")]
      : [...list.walk(Math.max(low, high - offset - limit), high - offset, "desc")];
  }
  const found: Row[] = [];
  if (limit === 0) return found;
  let skipped = 0;
  for (const row of rows()) {
    if (skipped++ < offset) continue;
    if (found.push(row) === limit) break;
  }
  return found;
}

/** Whether a filter lets every row pass. */
function isWhole(filter: Filter<Row>): boolean {
  return Object.keys(filter).length === 1 && Object.keys(filter.where).length === 0;
}

export function countRows(schema: Schema, content: TableContent, filter: Filter<Row>): number {
  if (isWhole(filter)) return content.rows.size;
  const { span, test, rows } = select(schema, content, filter);
  if (test === undefined) return span.high - span.low;
  let count = 0;
  for (const _ of rows()) count++;
  return count;
}

/** All rows with the values of `where`. */
export function rowsWhere(schema: Schema, content: TableContent, where: Row): Row[] {
  return [...select(schema, content, { where }).rows()];
}

export function searchRows(
  schema: Schema,
  content: TableContent,
  search: Search<Row>,
): { readonly rows: readonly Row[]; readonly total: number } {
  const { columns, text, offset, limit, order } = search;
  assertCount("limit", limit);
  assertCount("offset", offset);
  assertTextColumns(schema, columns);
  const likeness = likenessTo(text, LIMITS.wordSimilarityMin);
  const hits: { readonly row: Row; readonly score: number }[] = [];
  for (const row of select(schema, content, search).rows()) {
    let score = 0;
    for (const column of columns) {
      const held = row[column];
      if (typeof held === "string") score = Math.max(score, likeness(held));
    }
    if (score >= LIMITS.wordSimilarityMin) hits.push({ row, score });
  }
  if (order === undefined) {
    const key = (row: Row): string => row[schema.key] as string;
    hits.sort((a, b) => b.score - a.score || compareText(key(b.row), key(a.row)));
  }
  const rows = hits.slice(offset, offset + limit).map(({ row }) => row);
  return { rows, total: hits.length };
}
