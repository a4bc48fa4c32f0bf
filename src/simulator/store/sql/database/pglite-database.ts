/** PGlite: PostgreSQL in this process, with its files in one directory. It needs no installation and no server. */
import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { StoreUnavailableError } from "../../store.ts";
import { checkedSession } from "./checked-session.ts";
import { plain, type SqlDatabase, type SqlSession } from "./sql-database.ts";

/**
 * PGlite has no autovacuum: without this, the room of deleted messages would never be used again, and the directory would grow with
 * all mail ever received. The tables are those that PostgreSQL's autovacuum takes by default, those of long values among them.
 */
const WORTH_A_VACUUM = `select relid::regclass::text as name from pg_stat_all_tables
  where n_dead_tup > 50 + 0.2 * n_live_tup`;
const COMMITS_BETWEEN_VACUUMS = 100;

/** What was committed before stays so if this fails, as on a full disk; the next round tries again. */
async function vacuum(db: PGlite): Promise<void> {
  try {
    const { rows } = await db.query<{ readonly name: string }>(WORTH_A_VACUUM);
    for (const { name } of rows) await db.exec(`vacuum ${name}`);
  } catch {
    return;
  }
}

/** Stands in a directory once a database was opened there. */
const OPENED = "mailflow.opened";
/** The file by which PGlite knows its directories: where it is missing, it makes a new database over the files that are there. */
const VERSION = "PG_VERSION";

const isThere = (directory: string, name: string): Promise<boolean> =>
  access(join(directory, name)).then(
    () => true,
    () => false,
  );

/** A first start that was killed may have left files, too, but was never opened. */
async function checkVersion(directory: string): Promise<void> {
  if (!(await isThere(directory, OPENED)) || (await isThere(directory, VERSION))) return;
  throw new StoreUnavailableError(
    `the database in \`${directory}\` is damaged: its file ${VERSION} is missing; restore a copy of it, or name another directory`,
  );
}

/** Opens a database in `directory`, which is created if needed; without a directory, in memory. */
export async function openPgliteDatabase(directory?: string): Promise<SqlDatabase> {
  if (directory !== undefined) await checkVersion(directory);
  const db = await PGlite.create({
    ...(directory === undefined ? {} : { dataDir: directory }),
    extensions: { pg_trgm },
  }).catch((error: unknown) => {
    throw directory === undefined ? error : unopened(directory, error);
  });
  // On a full disk the next opening writes it.
  if (directory !== undefined) await writeFile(join(directory, OPENED), "").catch(() => {});

  let commits = 0;

  const runOn =
    (target: Pick<PGlite, "query">): SqlSession["run"] =>
    async ({ sql, parameters }) => {
      try {
        const { rows, affectedRows } = await target.query(sql, [...parameters]);
        return {
          rows: rows as Record<string, unknown>[],
          count: rows.length > 0 ? rows.length : (affectedRows ?? 0),
        };
      } catch (error) {
        throw storeError(error);
      }
    };

  return {
    run: runOn(db),
    async transaction(mode, work) {
      const done = await db.transaction(async (transaction) => {
        const run = runOn(transaction);
        if (mode === "read") await run(plain("set transaction isolation level repeatable read"));
        const { session, check } = checkedSession(run);
        const result = await work(session);
        check();
        return result;
      });
      if (mode === "write" && ++commits % COMMITS_BETWEEN_VACUUMS === 0) await vacuum(db);
      return done;
    },
    close: () => db.close(),
  };
}

/** PGlite says little about what is wrong with files. */
function unopened(directory: string, error: unknown): unknown {
  const known = storeError(error);
  if (known instanceof StoreUnavailableError) return known;
  const { message = "its files cannot be read" } = error as { message?: string };
  return new StoreUnavailableError(
    `the database in \`${directory}\` is damaged, or not one of PGlite (${message}): restore a copy of it, or name another directory`,
    { cause: error },
  );
}

/** A full disk is a temporary failure: the operation can be tried again once there is room. */
function storeError(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  const isFull = code === "53100" || /no space left on device|ENOSPC/i.test(message ?? "");
  return isFull ? new StoreUnavailableError("the disk of the data is full: make room") : error;
}
