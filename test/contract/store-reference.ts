/** A store as plain as can be: an array for each table, filtered and sorted anew for every question. */
import {
  DuplicateKeyError,
  type Filter,
  MissingRowError,
  type Query,
  type Row,
  type Search,
  type TableSchema,
} from "../../src/simulator/store/store.ts";
import { likenessTo } from "../../src/simulator/store/word-similarity.ts";

type Kind = "boolean" | "number" | "string" | "null";
const KINDS: readonly Kind[] = ["boolean", "number", "string", "null"];

function kindOf(value: unknown): Kind {
  return value === null || value === undefined ? "null" : (typeof value as Kind);
}

function compareCodePoints(left: string, right: string): number {
  const [a, b] = [left, right].map((text) => [...text].map((letter) => letter.codePointAt(0)!));
  for (let at = 0; at < a!.length && at < b!.length; at++) {
    if (a![at] !== b![at]) return a![at]! - b![at]!;
  }
  return a!.length - b!.length;
}

export function compareValues(left: unknown, right: unknown): number {
  const kinds = KINDS.indexOf(kindOf(left)) - KINDS.indexOf(kindOf(right));
  if (kinds !== 0) return kinds;
  if (typeof left === "string") return compareCodePoints(left, right as string);
  return kindOf(left) === "null" ? 0 : Number(left) - Number(right);
}

const isSame = (left: unknown, right: unknown): boolean => compareValues(left, right) === 0;
const lower = (text: string): string =>
  [...text]
    .map((letter) => (letter === "İ" ? "i" : letter.toLowerCase()))
    .join("")
    .replace(/ς/g, "σ");

export function passes(row: Row, filter: Filter<Row>): boolean {
  const { where, anyOf = {}, overlaps, contains = [], range } = filter;
  if (!Object.entries(where).every(([name, value]) => isSame(row[name], value))) return false;
  for (const [name, values] of Object.entries(anyOf)) {
    if (!(values as readonly unknown[]).some((value) => isSame(row[name], value))) return false;
  }
  if (overlaps !== undefined) {
    const held = (row[overlaps.column] ?? []) as readonly string[];
    if (!overlaps.values.some((value) => held.includes(value))) return false;
  }
  for (const { columns, text } of contains) {
    const texts = columns.map((name) => row[name]).filter((held) => typeof held === "string");
    if (!texts.some((held) => lower(held).includes(lower(text)))) return false;
  }
  if (range !== undefined) {
    const held = row[range.column];
    if (typeof held !== "number") return false;
    if (range.above !== undefined && held <= range.above) return false;
    if (range.below !== undefined && held >= range.below) return false;
  }
  return true;
}

export interface ReferenceTable {
  rows: Row[];
  readonly schema: TableSchema<Row>;
}

export function createReferenceTable(schema: TableSchema<Row>): ReferenceTable {
  return { rows: [], schema };
}

/** Sorted by the order's column, then by key. */
function ordered({ rows, schema }: ReferenceTable, order: Query<Row>["order"]): Row[] {
  const sign = order.direction === "asc" ? 1 : -1;
  return rows.toSorted(
    (a, b) =>
      sign *
      (compareValues(a[order.column], b[order.column]) ||
        compareValues(a[schema.key], b[schema.key])),
  );
}

export function find(table: ReferenceTable, query: Query<Row>): Row[] {
  const { order, from, offset = 0, limit } = query;
  const sign = order.direction === "asc" ? 1 : -1;
  const isReached = (row: Row): boolean => {
    if (from === undefined) return true;
    const byValue = sign * compareValues(row[order.column], from.value);
    return (
      byValue > 0 || (byValue === 0 && sign * compareValues(row[table.schema.key], from.key) >= 0)
    );
  };
  const all = ordered(table, order).filter((row) => passes(row, query) && isReached(row));
  return all.slice(offset, offset + limit);
}

export function search(table: ReferenceTable, query: Search<Row>): { rows: Row[]; total: number } {
  const { columns, text, order, offset, limit } = query;
  const likeness = likenessTo(text, 0);
  const score = (row: Row): number =>
    Math.max(...columns.map((name) => (typeof row[name] === "string" ? likeness(row[name]) : 0)));
  const key = { column: table.schema.key, direction: "desc" } as const;
  const hits = ordered(table, order ?? key).filter(
    (row) => passes(row, query) && score(row) >= 0.4,
  );
  if (order === undefined) hits.sort((a, b) => score(b) - score(a));
  return { rows: hits.slice(offset, offset + limit), total: hits.length };
}

export function insert(table: ReferenceTable, row: Row): Row {
  const { key } = table.schema;
  if (table.rows.some((other) => other[key] === row[key])) throw new DuplicateKeyError();
  table.rows = [...table.rows, row];
  return row;
}

export function replace(table: ReferenceTable, row: Row): Row {
  const { key } = table.schema;
  if (!table.rows.some((other) => other[key] === row[key])) throw new MissingRowError();
  table.rows = table.rows.map((other) => (other[key] === row[key] ? row : other));
  return row;
}

/** How many rows went. */
export function removeWhere(table: ReferenceTable, where: Row): number {
  const before = table.rows.length;
  table.rows = table.rows.filter((row) => !passes(row, { where }));
  return before - table.rows.length;
}
