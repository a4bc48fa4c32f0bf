/** Opens the stores that outlive the process, and loads their packages only then. */
import { join } from "node:path";
import { systemReason } from "../../../mailbox/system-failure.ts";
import { StoreUnavailableError } from "../store.ts";
import { lockDirectory } from "./database/lock-directory.ts";
import type { SqlDatabase } from "./database/sql-database.ts";
import type { SqlStore } from "./sql-store.ts";

/** Where the state is kept: in the files of a directory, or on a PostgreSQL server. */
export type StorePlace = (
  | {
      readonly kind: "pglite";
      /** Created if needed; without a directory, the state is in memory. */
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

/** Turns the error for a missing package into a hint to install it. */
function absent(error: unknown, kind: StorePlace["kind"]): unknown {
  if ((error as { code?: string }).code !== "ERR_MODULE_NOT_FOUND") return error;
  return new StoreUnavailableError(
    `this store needs packages that are not installed: npm install ${PACKAGES[kind]}`,
  );
}

/** A directory that cannot be made or written is the caller's mistake, not a defect. */
function unusable(directory: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const isFile = code === "EEXIST" || code === "ENOTDIR";
  const reason = isFile ? "it is not a directory" : systemReason(error);
  if (reason === undefined) return error;
  return new StoreUnavailableError(`cannot use \`${directory}\`: ${reason}`);
}

/** Holds the directory's lock while the database is open. */
async function inDirectory(
  directory: string,
  open: (files: string) => Promise<SqlDatabase>,
): Promise<SqlDatabase> {
  const unlock = await lockDirectory(directory).catch((error: unknown) => {
    throw unusable(directory, error);
  });
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

/** Rejects with a `StoreUnavailableError` if the server does not answer, and with a hint if a package is missing. */
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
