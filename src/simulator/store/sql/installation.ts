/** What a database stores about the service besides its rows: its secrets, and how often it was started. */
import { sql } from "kysely";
import { StoreUnavailableError } from "../store.ts";
import { statementOf } from "./database/sql-builder.ts";
import type { SqlDatabase, SqlSession } from "./database/sql-database.ts";

export interface Installation {
  /** Ids and secrets are derived from it. */
  readonly seed: string;
  readonly apiKey: string;
  /** Grows with every process started on this state; no two processes have the same. */
  readonly epoch: number;
  /** `kept`: there is an earlier state. */
  readonly state: "new" | "kept";
}

export interface InstallationInput {
  readonly seed: string;
  readonly apiKey: string;
  /** A key given by the user replaces the earlier one. */
  readonly apiKeyFrom: "user" | "seed";
  /** Seconds after which a process that was seeding the state counts as gone: 0 where no other process can be. */
  readonly seedSeconds: number;
}

const LOOK_AGAIN_MS = 100;

/** One start; `others`: another process is about to seed the state. */
async function recordStart(
  database: SqlDatabase,
  namespace: string,
  { seed, apiKey, apiKeyFrom, seedSeconds }: InstallationInput,
): Promise<Omit<Installation, "state"> & { readonly state: "new" | "kept" | "others" }> {
  const table = sql.table(`${namespace}._installation`);
  const key = apiKeyFrom === "user" ? sql`excluded.api_key` : sql`it.api_key`;
  return database.transaction("write", async (session) => {
    const { rows } = await session.run(
      statementOf(sql`insert into ${table} as it (one, seed, api_key, epoch, seeded)
        values (true, ${seed}, ${apiKey}, 1, false)
        on conflict (one) do update set epoch = it.epoch + 1, api_key = ${key}
        returning seed, api_key, epoch::double precision as epoch, seeded,
          coalesce(seeding_since > now() - make_interval(secs => ${sql.lit(seedSeconds)}), false) as is_seeding`),
    );
    const row = rows[0] as {
      seed: string;
      api_key: string;
      epoch: number;
      seeded: boolean;
      is_seeding: boolean;
    };
    const start = { seed: row.seed, apiKey: row.api_key, epoch: row.epoch };
    if (row.seeded) return { ...start, state: "kept" };
    if (row.is_seeding) return { ...start, state: "others" };
    await session.run(statementOf(sql`update ${table} set seeding_since = now()`));
    return { ...start, state: "new" };
  });
}

/** Records this start, and returns what earlier starts left; waits while another process seeds the state. */
export async function readInstallation(
  database: SqlDatabase,
  namespace: string,
  input: InstallationInput,
): Promise<Installation> {
  for (;;) {
    const { state, ...start } = await recordStart(database, namespace, input);
    if (state !== "others") return { ...start, state };
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** Records that the state is seeded: later starts continue with the state as it is. */
export async function recordSeeded(database: SqlDatabase, namespace: string): Promise<void> {
  const table = sql.table(`${namespace}._installation`);
  await database.run(statementOf(sql`update ${table} set seeded = true`));
}

interface StatePlace {
  readonly database: SqlSession;
  readonly namespace: string;
}

/** Copies the secrets, so that the other store continues with them. Rejects if no service was ever started on the first. */
export async function copyInstallation(from: StatePlace, to: StatePlace): Promise<void> {
  const tableOf = ({ namespace }: StatePlace) => sql.table(`${namespace}._installation`);
  const { rows } = await from.database.run(
    statementOf(
      sql`select seed, api_key, epoch::double precision as epoch, seeded from ${tableOf(from)}`,
    ),
  );
  const [row] = rows;
  if (row === undefined) {
    throw new StoreUnavailableError("there is nothing to copy: no `serve` has used the store yet");
  }
  await to.database.run(
    statementOf(sql`insert into ${tableOf(to)} (one, seed, api_key, epoch, seeded)
      values (true, ${row.seed}, ${row.api_key}, ${row.epoch}, ${row.seeded})
      on conflict (one) do update set seed = excluded.seed, api_key = excluded.api_key,
        epoch = excluded.epoch, seeded = excluded.seeded`),
  );
}
