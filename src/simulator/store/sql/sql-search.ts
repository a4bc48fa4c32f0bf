/** The typo-tolerant search: the database finds rows that may be similar, and the store's own measure decides. */
import { type RawBuilder, sql } from "kysely";
import { LIMITS } from "../../../base/limits.ts";
import { compareColumns, compareText } from "../column-order.ts";
import { assertCount, assertTextColumns } from "../row-filter.ts";
import type { Row, Search, TableSchema } from "../store.ts";
import { likenessTo, necessaryParts } from "../word-similarity.ts";
import { conditionsOf, partPattern } from "./build-query.ts";
import { statementOf } from "./database/sql-builder.ts";
import type { SqlStatement } from "./database/sql-database.ts";
import { rowsOf } from "./sql-tables.ts";
import { foldedColumn, tableName } from "./table-definition.ts";

type Schema = TableSchema<Row>;
export type Ask = (statement: SqlStatement) => Promise<readonly Record<string, unknown>[]>;

/** Candidates read at a time. */
const CANDIDATES_AT_ONCE = 2_000;

/** Rows that may be similar. The trigram index serves parts of three letters and more. */
function candidates(columns: readonly string[], text: string): RawBuilder<unknown> {
  const parts = necessaryParts(text, LIMITS.wordSimilarityMin);
  if (parts.length === 0) return sql`false`;
  const patterns = parts.map((part) => partPattern(part));
  const each = columns.map(
    (name) => sql`${sql.ref(foldedColumn(name))} like any(${patterns}::text[])`,
  );
  return sql`(${sql.join(each, sql` or `)})`;
}

interface Hit {
  readonly key: string;
  readonly score: number;
  /** The row's value in the column of the order. */
  readonly at: unknown;
}

/** All similar rows. */
async function hitsOf(
  namespace: string,
  schema: Schema,
  search: Search<Row>,
  ask: Ask,
): Promise<Hit[]> {
  const { columns, text, order } = search;
  const likeness = likenessTo(text, LIMITS.wordSimilarityMin);
  const key = sql.ref(schema.key);
  const named = [
    ...new Set([schema.key, ...columns, ...(order === undefined ? [] : [order.column])]),
  ];
  const conditions = [...conditionsOf(schema, search, order), candidates(columns, text)];
  const hits: Hit[] = [];
  let after: string | null = null;
  for (;;) {
    const start: RawBuilder<unknown>[] = after === null ? [] : [sql`${key} > ${after}`];
    const found = await ask(
      statementOf(
        sql`select ${sql.join(named.map((name) => sql.ref(name)))} from ${tableName(namespace, schema)}
          where ${sql.join([...conditions, ...start], sql` and `)}
          order by ${key} limit ${CANDIDATES_AT_ONCE}`,
      ),
    );
    for (const row of found) {
      const texts = columns.map((name) => row[name]).filter((held) => typeof held === "string");
      const score = Math.max(0, ...texts.map(likeness));
      if (score < LIMITS.wordSimilarityMin) continue;
      const at = order === undefined ? null : row[order.column];
      hits.push({ key: row[schema.key] as string, score, at });
    }
    if (found.length < CANDIDATES_AT_ONCE) return hits;
    after = found.at(-1)![schema.key] as string;
  }
}

function compareHits(order: Search<Row>["order"]): (a: Hit, b: Hit) => number {
  if (order === undefined) return (a, b) => b.score - a.score || compareText(b.key, a.key);
  const sign = order.direction === "asc" ? 1 : -1;
  return (a, b) => sign * (compareColumns(a.at, b.at) || compareText(a.key, b.key));
}

export async function searchRows(
  namespace: string,
  schema: Schema,
  search: Search<Row>,
  ask: Ask,
): Promise<{ readonly rows: readonly Row[]; readonly total: number }> {
  const { columns, offset, limit, order } = search;
  assertCount("limit", limit);
  assertCount("offset", offset);
  assertTextColumns(schema, columns);
  const hits = (await hitsOf(namespace, schema, search, ask)).sort(compareHits(order));
  const keys = hits.slice(offset, offset + limit).map(({ key }) => key);
  if (keys.length === 0) return { rows: [], total: hits.length };
  const where = sql`${sql.ref(schema.key)} = any(${keys}::text[])`;
  const found = await ask(
    statementOf(sql`select "row" from ${tableName(namespace, schema)} where ${where}`),
  );
  const byKey = new Map(rowsOf({ rows: found }).map((row) => [row[schema.key] as string, row]));
  const rows = keys.map((key) => byKey.get(key)).filter((row) => row !== undefined);
  return { rows, total: hits.length };
}
