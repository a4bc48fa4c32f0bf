/** Rows, secrets and layout of a store, brought into another one. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { HOST_SLOTS, HOST_WAITING } from "../../../src/simulator/deliver/shared-slots.ts";
import {
  createSimulator,
  migrateStore,
  type SimulatorOptions,
} from "../../../src/simulator/index.ts";
import * as records from "../../../src/simulator/model/records.ts";
import { FAULTS } from "../../../src/simulator/outbound/faults.ts";
import { TASKS } from "../../../src/simulator/queue/stored-queue.ts";
import { plain } from "../../../src/simulator/store/sql/database/sql-database.ts";
import { openSqlStore, type StorePlace } from "../../../src/simulator/store/sql/open-sql-store.ts";
import {
  dropNamespaces,
  hasPostgres,
  newNamespace,
  POSTGRES_URL,
} from "../../contract/databases.ts";
import { json } from "../flow/api.ts";

const namespaces = Array.from({ length: 6 }, newNamespace);
const [FROM, TO, , UNUSED, DAMAGED, INTACT] = namespaces.map((namespace) => ({
  kind: "postgres" as const,
  url: POSTGRES_URL,
  namespace,
}));

const folder = mkdtempSync(join(tmpdir(), "mailflow-migrate-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Takes all out of the rows of the table, so that no store accepts them. */
async function damageRows(table: string, place: StorePlace): Promise<void> {
  const { store, database, namespace } = await openSqlStore(place);
  await database.run(plain(`update ${namespace}.${table} set "row" = '{}'`));
  await store.close();
}

const open = (store: SimulatorOptions["store"]) =>
  createSimulator({
    store,
    world: { domains: [{ domain: "one.test", aliases: [{ alias: "a", forward: "a@b.example" }] }] },
  });

test.skipIf(!hasPostgres)("every table of the service is migrated", async () => {
  const schemas = [...Object.values(records), HOST_SLOTS, HOST_WAITING, FAULTS, TASKS].filter(
    (each) => "indexes" in each,
  );
  const counts = await migrateStore({ ...FROM!, namespace: namespaces[2]! });
  expect([...counts.keys()].sort()).toEqual(schemas.map(({ name }) => name).sort());
});

describe.skipIf(!hasPostgres)("a store that is migrated", () => {
  afterAll(() => dropNamespaces(namespaces));

  test("holds what the other one held, and only an empty one takes it", async () => {
    const before = await open(FROM);
    await before.receive({
      envelope: { sender: "x@y.example", recipients: ["a@one.test"] },
      message: "Subject: kept\n\ntext",
    });
    const kept = await json(before, "/v4/domains/one.test/logs");
    const { store } = await before.control.snapshot();
    await before.close();
    const counts = await migrateStore(TO!, FROM);
    expect(counts.get("log")).toBe(1);
    const after = await open(TO);
    expect((await after.control.snapshot()).store).toEqual(store);
    expect(after.apiKey).toBe(before.apiKey);
    expect(await json(after, "/v4/domains/one.test/logs")).toEqual(kept);
    await after.close();
    await expect(migrateStore(TO!, FROM)).rejects.toThrow("rows in `account`: give an empty one");
  });

  test("is copied as a whole or not at all", async () => {
    const before = await open(DAMAGED);
    await before.receive({
      envelope: { sender: "x@y.example", recipients: ["a@one.test"] },
      message: "Subject: kept\n\ntext",
    });
    await before.close();
    await damageRows("log", DAMAGED!);
    await expect(migrateStore(INTACT!, DAMAGED)).rejects.toThrow("lacks its key");
    expect([...(await migrateStore(INTACT!)).values()].every((count) => count === 0)).toBe(true);
  });

  test("must have been used, and a directory must exist", async () => {
    await migrateStore(UNUSED!);
    await expect(migrateStore(INTACT!, UNUSED)).rejects.toThrow("nothing to copy");
    const missing = { kind: "pglite", directory: join(folder, "missing") } as const;
    await expect(migrateStore(INTACT!, missing)).rejects.toThrow("no state");
    expect(readdirSync(folder)).toEqual([]);
  });
});
