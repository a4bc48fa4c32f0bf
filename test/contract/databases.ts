/** The databases that tests run on: PGlite always, PostgreSQL where one is reachable. */
import { randomUUID } from "node:crypto";
import { openPgliteDatabase } from "../../src/simulator/store/sql/database/pglite-database.ts";
import { openPostgresDatabase } from "../../src/simulator/store/sql/database/postgres-database.ts";
import { plain, type SqlDatabase } from "../../src/simulator/store/sql/database/sql-database.ts";
import { prepareNamespace } from "../../src/simulator/store/sql/prepare-namespace.ts";
import { createSqlStore } from "../../src/simulator/store/sql/sql-store.ts";
import type { Store } from "../../src/simulator/store/store.ts";

/** `MAILFLOW_POSTGRES` names the server; `none`: leave it out. */
export const POSTGRES_URL: string =
  process.env.MAILFLOW_POSTGRES ?? "postgres://postgres@127.0.0.1:5432/postgres";

async function isReachable(): Promise<boolean> {
  if (POSTGRES_URL === "none") return false;
  const database = openPostgresDatabase(POSTGRES_URL, "mailflow_probe");
  try {
    await database.run(plain("select 1"));
    return true;
  } catch {
    console.warn(`skipped: no PostgreSQL answers at ${POSTGRES_URL} (set MAILFLOW_POSTGRES)`);
    return false;
  } finally {
    await database.close();
  }
}

export const hasPostgres: boolean = await isReachable();

export interface StoreSource {
  open(): Promise<Store>;
  close(): Promise<void>;
}

async function storeOn(database: SqlDatabase, namespace: string): Promise<Store> {
  await prepareNamespace(database, namespace);
  return createSqlStore(database, namespace);
}

/** Nobody else has it. */
export const newNamespace = (): string => `test_${randomUUID().slice(0, 8)}`;

/** One PGlite in memory for all stores, each with a namespace of its own; it starts when the first is opened. */
export function pgliteStores(): StoreSource {
  let shared: Promise<SqlDatabase> | undefined;
  return {
    async open() {
      shared ??= openPgliteDatabase();
      return storeOn({ ...(await shared), close: async () => {} }, newNamespace());
    },
    async close() {
      await (await shared)?.close();
    },
  };
}

export async function dropNamespaces(namespaces: readonly string[]): Promise<void> {
  const database = openPostgresDatabase(POSTGRES_URL, "mailflow_drop");
  for (const namespace of namespaces) {
    await database.run(plain(`drop schema if exists "${namespace}" cascade`));
  }
  await database.close();
}

/** A database on the server, with the ground of the namespace laid. */
export async function openDatabase(namespace: string): Promise<SqlDatabase> {
  const database = openPostgresDatabase(POSTGRES_URL, namespace);
  await prepareNamespace(database, namespace);
  return database;
}

/** A namespace of its own on the server, dropped when the store closes. */
export async function openPostgresStore(): Promise<Store> {
  const namespace = newNamespace();
  const database = openPostgresDatabase(POSTGRES_URL, namespace);
  const close = async (): Promise<void> => {
    await database.run(plain(`drop schema if exists "${namespace}" cascade`));
    await database.close();
  };
  return storeOn({ ...database, close }, namespace);
}
