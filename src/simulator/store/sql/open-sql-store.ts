/** Opens the stores that outlive the process. What they need is loaded here, when it is asked for. */
import { join } from "node:path";
import { StoreUnavailableError } from "../store.ts";
import { lockDirectory } from "./database/lock-directory.ts";
import type { SqlDatabase } from "./database/sql-database.ts";
import type { SqlStore } from "./sql-store.ts";

/** Where the state is kept: in the files of a directory, or on a PostgreSQL server. */
export type StorePlace = (
  | {
      readonly kind: "pglite";
      /** Made if it is not there; without one, in memory. */
      readonly directory?: string | undefined;
    }
  | { readonly kind: "postgres"; readonly url: string }
) & {
  /** Schema of the database that holds the tables; default `mailflow`. */
  readonly namespace?: string | undefined;
};

export interface OpenedStore {
  readonly store: SqlStore;
  readonly database: SqlDatabase;
  readonly namespace: string;
}

const NAMESPACE = "mailflow";

const PACKAGES = {
  pglite: "@electric-sql/pglite kysely",
  postgres: "pg kysely pg-boss",
} as const;

/** The package that is missing is the reader's to install. */
function absent(error: unknown, kind: StorePlace["kind"]): unknown {
  if ((error as { code?: string }).code !== "ERR_MODULE_NOT_FOUND") return error;
  return new StoreUnavailableError(
    `this store needs packages that are not installed: npm install ${PACKAGES[kind]}`,
  );
}

/** Holds the lock as long as the database is open. */
async function inDirectory(
  directory: string,
  open: (files: string) => Promise<SqlDatabase>,
): Promise<SqlDatabase> {
  const unlock = await lockDirectory(directory);
  try {
    const database = await open(join(directory, "database"));
    const close = (): Promise<void> => database.close().finally(unlock);
    return { ...database, close };
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function openDatabase(place: StorePlace, namespace: string): Promise<SqlDatabase> {
  try {
    if (place.kind === "pglite") {
      const { openPgliteDatabase } = await import("./database/pglite-database.ts");
      if (place.directory === undefined) return await openPgliteDatabase();
      return await inDirectory(place.directory, openPgliteDatabase);
    }
    const { openPostgresDatabase } = await import("./database/postgres-database.ts");
    return openPostgresDatabase(place.url, namespace);
  } catch (error) {
    throw absent(error, place.kind);
  }
}

/** Rejects with a `StoreUnavailableError` when the server does not answer, and with a hint when a package is missing. */
export async function openSqlStore(place: StorePlace): Promise<OpenedStore> {
  const { namespace = NAMESPACE } = place;
  const database = await openDatabase(place, namespace);
  try {
    const { prepareNamespace } = await import("./prepare-namespace.ts");
    const { createSqlStore } = await import("./sql-store.ts");
    await prepareNamespace(database, namespace);
    return { database, namespace, store: createSqlStore(database, namespace) };
  } catch (error) {
    await database.close().catch(() => {});
    throw absent(error, place.kind);
  }
}
