/** Stores that cannot be opened: the user's mistake or the place's, never a defect. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { StoreUnavailableError } from "../../../src/simulator/index.ts";
import { openSqlStore, type StorePlace } from "../../../src/simulator/store/sql/open-sql-store.ts";
import { hasPostgres, POSTGRES_URL } from "../../contract/databases.ts";

const folder = mkdtempSync(join(tmpdir(), "mailflow-open-store-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function refusal(place: StorePlace): Promise<Error> {
  const error = await openSqlStore(place).then(
    () => new Error("it opened"),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(StoreUnavailableError);
  return error;
}

async function openAndClose(directory: string): Promise<void> {
  const { store } = await openSqlStore({ kind: "pglite", directory });
  await store.close();
}

test("a directory with the files of another database, or damaged ones", async () => {
  const directory = join(folder, "damaged");
  mkdirSync(join(directory, "database"), { recursive: true });
  writeFileSync(join(directory, "database", "PG_VERSION"), "12\n");
  const { message } = await refusal({ kind: "pglite", directory });
  expect(message).toContain(join(directory, "database"));
  expect(message).toContain("restore a copy of it, or name another directory");
});

test("a directory that has lost the file by which its database is known is refused", async () => {
  const directory = join(folder, "lost-version");
  await openAndClose(directory);
  const [version, aside] = ["PG_VERSION", "aside"].map((name) => join(directory, "database", name));
  renameSync(version!, aside!);
  const { message } = await refusal({ kind: "pglite", directory });
  expect(message).toContain("PG_VERSION is missing");
  renameSync(aside!, version!);
  await openAndClose(directory);
});

test("a first start that was killed before its database was ready starts anew", async () => {
  const directory = join(folder, "killed");
  mkdirSync(join(directory, "database", "base"), { recursive: true });
  await openAndClose(directory);
});

test("a URL that is none", async () => {
  const { message } = await refusal({ kind: "postgres", url: "postgres://u:secret@host:99999/x" });
  expect(message).not.toContain("secret");
});

describe.skipIf(!hasPostgres)("a PostgreSQL", () => {
  test.each([
    [
      "without the database",
      { pathname: "/no_such_database" },
      /"no_such_database" does not exist/,
    ],
    ["without the user", { username: "no_such_user" }, /no_such_user/],
  ])("%s", async (_, change, said) => {
    const url = Object.assign(new URL(POSTGRES_URL), change).href;
    expect((await refusal({ kind: "postgres", url })).message).toMatch(said);
  });
});
