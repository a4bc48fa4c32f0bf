/** Failed sign-ins that two nodes count together, in their database. */
import { afterAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createSharedSignIns } from "../../../src/simulator/nodes/shared-sign-ins.ts";
import { createSignInGuard } from "../../../src/simulator/smtp/sign-in-guard.ts";
import { plain, type SqlDatabase } from "../../../src/simulator/store/sql/database/sql-database.ts";
import {
  dropNamespaces,
  hasPostgres,
  newNamespace,
  openDatabase,
} from "../../contract/databases.ts";

const namespace = newNamespace();

describe.skipIf(!hasPostgres)("a guesser of passwords at two nodes", () => {
  const databases: SqlDatabase[] = [];
  let nowMs = 1_000_000;
  async function guards() {
    databases.push(await openDatabase(namespace), await openDatabase(namespace));
    return databases.map((database) =>
      createSignInGuard(createSharedSignIns(database, namespace, () => nowMs)),
    );
  }
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await dropNamespaces([namespace]);
  });

  test("has as many tries as at one, and is forgotten after the window", async () => {
    const [one, other] = await guards();
    for (let count = 0; count < LIMITS.signInFailuresMax; count++) {
      const waits = await (count % 2 === 0 ? one : other)!.failed("a");
      if (count < 3) expect(waits).toBe(LIMITS.signInDelayMs * 2 ** count);
    }
    expect(await other!.mayTry("a")).toBe(true);
    expect(await one!.failed("a")).toBe(null);
    expect([await one!.mayTry("a"), await other!.mayTry("a")]).toEqual([false, false]);
    expect(await other!.mayTry("b")).toBe(true);
    nowMs += LIMITS.signInWindowMs + 1;
    expect(await other!.mayTry("a")).toBe(true);
    // The first failure of any address takes away what is old.
    expect(await one!.failed("b")).toBe(LIMITS.signInDelayMs);
    const { rows } = await databases[0]!.run(plain(`select key from "${namespace}"._rate`));
    expect(rows).toEqual([{ key: "sign-in b" }]);
    await other!.succeeded("b");
    expect(await one!.failed("b")).toBe(LIMITS.signInDelayMs);
  });
});
