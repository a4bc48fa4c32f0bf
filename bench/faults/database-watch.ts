/** What a PostgreSQL does while nodes work on it: commits, log records, waits for the disk, and how long the line of writes is taken. */
import pg from "pg";

export interface DatabaseFigures {
  readonly commitsPerSecond: number;
  readonly walBytesPerSecond: number;
  /** Share of the time in which the log was written to the disk (`fsync` included). */
  readonly walShare: number;
  /** Share of samples in which a node held the lock of the line of writes, and in which another waited for it. */
  readonly lockHeld: number;
  readonly lockWaited: number;
}

const SAMPLE_MS = 20;

const SUMS = `select (select xact_commit from pg_stat_database where datname = current_database()) as commits,
  wal_bytes, wal_write_time + wal_sync_time as wal_ms from pg_stat_wal`;
const LOCKS = `select count(*) filter (where granted) as held, count(*) filter (where not granted) as waited
  from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;

/** Watches until it is stopped. The server has to keep `track_wal_io_timing`. */
export async function watchDatabase(url: string): Promise<{ stop(): Promise<DatabaseFigures> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const sums = async (): Promise<Record<"commits" | "wal_bytes" | "wal_ms", number>> => {
    const { rows } = await client.query(SUMS);
    return Object.fromEntries(
      Object.entries(rows[0]).map(([name, sum]) => [name, Number(sum)]),
    ) as never;
  };
  let state: "watching" | "stopped" = "watching";
  let [samples, held, waited] = [0, 0, 0];
  const before = await sums();
  const began = performance.now();
  const sampling = (async () => {
    while (state === "watching") {
      const { rows } = await client.query(LOCKS);
      samples++;
      if (Number(rows[0].held) > 0) held++;
      if (Number(rows[0].waited) > 0) waited++;
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  return {
    async stop() {
      state = "stopped";
      await sampling;
      const seconds = (performance.now() - began) / 1_000;
      const after = await sums();
      await client.end();
      return {
        commitsPerSecond: (after.commits - before.commits - samples) / seconds,
        walBytesPerSecond: (after.wal_bytes - before.wal_bytes) / seconds,
        walShare: (after.wal_ms - before.wal_ms) / 1_000 / seconds,
        lockHeld: held / samples,
        lockWaited: waited / samples,
      };
    },
  };
}
