/** PGlite's files: the room of deleted rows is used again. */
import { expect, test } from "vitest";
import { openPgliteDatabase } from "../../../src/simulator/store/sql/database/pglite-database.ts";
import { plain } from "../../../src/simulator/store/sql/database/sql-database.ts";

test("a table whose rows are deleted again does not grow with all that was ever written", async () => {
  const database = await openPgliteDatabase();
  const write = (sql: string, ...parameters: unknown[]) =>
    database.transaction("write", (session) => session.run({ sql, parameters }));
  await write("create table kept (id int primary key, body text)");
  await write("alter table kept alter body set storage external");
  const body = "x".repeat(200_000);
  for (let id = 0; id < 300; id++) {
    await write("insert into kept values ($1, $2)", id, body);
    await write("delete from kept where id = $1", id);
  }
  const { rows } = await database.run(plain("select pg_total_relation_size('kept')::int as size"));
  await database.close();
  expect(rows[0]!.size).toBeLessThan(150 * body.length);
});
