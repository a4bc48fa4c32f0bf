/** The line of writes among nodes: one with much to write gives way to the others. */
import { expect, test } from "vitest";
import { createSqlStore } from "../../../src/simulator/store/sql/sql-store.ts";
import type { Row, TableSchema } from "../../../src/simulator/store/store.ts";
import {
  dropNamespaces,
  hasPostgres,
  newNamespace,
  openDatabase,
} from "../../contract/databases.ts";

const THINGS: TableSchema<Row> = { name: "things", key: "id", columns: {}, indexes: [] };

test.skipIf(!hasPostgres)("a node with much to write gives way to another", async () => {
  const namespace = newNamespace();
  const [busy, other] = [
    createSqlStore(await openDatabase(namespace), namespace),
    createSqlStore(await openDatabase(namespace), namespace),
  ];
  await other.table(THINGS).insert({ id: "first" });
  const done: string[] = [];
  const long = Array.from({ length: 100 }, (_, at) =>
    busy
      .transaction(async () => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        await busy.table(THINGS).insert({ id: `busy ${at}` });
      })
      .then(() => done.push(`busy ${at}`)),
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  const short = other
    .table(THINGS)
    .insert({ id: "other" })
    .then(() => done.push("other"));
  await Promise.all([...long, short]);
  expect(done).toHaveLength(101);
  expect(done.at(-1)).not.toBe("other");
  await Promise.all([busy.close(), other.close()]);
  await dropNamespaces([namespace]);
});
