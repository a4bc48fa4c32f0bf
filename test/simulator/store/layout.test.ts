/** Tables that another process has made: they belong to a snapshot, and rows are copied where the schema has changed since. */
import { afterAll, describe, expect, test } from "vitest";
import { openPgliteDatabase } from "../../../src/simulator/store/sql/database/pglite-database.ts";
import type { SqlDatabase } from "../../../src/simulator/store/sql/database/sql-database.ts";
import { prepareNamespace } from "../../../src/simulator/store/sql/prepare-namespace.ts";
import { createSqlStore } from "../../../src/simulator/store/sql/sql-store.ts";
import { pagesOf, type Row, type TableSchema } from "../../../src/simulator/store/store.ts";
import { hasPostgres, newNamespace, openDatabase } from "../../contract/databases.ts";

const BEFORE: TableSchema<Row> = {
  name: "dated",
  key: "id",
  columns: { ms: "number" },
  indexes: [["ms"]],
  partition: { by: "month", time: "ms" },
};
const AFTER: TableSchema<Row> = {
  ...BEFORE,
  columns: { ms: "number", word: "text" },
  indexes: [["ms"], ["word"]],
  text: ["word"],
};

const namespace = newNamespace();
const row = (ms: number, word: string): Row => ({
  id: `${ms.toString(16).padStart(14, "0")}${word}`,
  ms,
  word,
});
const ROWS = [
  row(Date.UTC(2026, 0, 5), "january"),
  row(Date.UTC(2026, 1, 5), "february"),
  { id: "no time", ms: 0, word: "never" },
];

describe.each([
  ["PGlite", true, () => openPgliteDatabase()],
  ["PostgreSQL", hasPostgres, () => openDatabase(namespace)],
] as const)("%s", (_, isThere, open) => {
  let database: SqlDatabase | undefined;
  afterAll(async () => {
    await database?.run({ sql: `drop schema "${namespace}" cascade`, parameters: [] });
    await database?.close();
  });

  test.skipIf(!isThere)("lays a table of months out anew, and goes on with it", async () => {
    database = await open();
    await prepareNamespace(database, namespace);
    const before = createSqlStore(database, namespace);
    for (const each of ROWS) await before.table(BEFORE).insert(each);
    // Tables that a process has not named belong to its snapshots, too.
    const stranger = createSqlStore(database, namespace);
    const all = await stranger.snapshot();
    expect(all).toEqual(await before.snapshot());
    expect(all.dated).toHaveLength(ROWS.length);
    await stranger.restore(pagesOf({ dated: ROWS.slice(1) }));
    expect((await before.snapshot()).dated).toHaveLength(ROWS.length - 1);
    await stranger.restore(pagesOf(all));
    const after = createSqlStore(database, namespace);
    const table = after.table(AFTER);
    const contains = [{ columns: ["word"], text: "uary" }];
    expect(await table.count({ where: {}, contains })).toBe(2);
    expect(await table.count({ where: { word: "never" } })).toBe(1);
    await table.insert(row(Date.UTC(2026, 0, 6), "january"));
    await table.insert(row(Date.UTC(2026, 2, 6), "march"));
    await table.dropMonths(Date.UTC(2026, 1, 1));
    expect((await after.snapshot()).dated?.map(({ word }) => word)).toEqual([
      "february",
      "march",
      "never",
    ]);
  });
});
