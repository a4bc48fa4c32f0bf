/** A PostgreSQL server: one connection that writes, several that read, and one that listens. */
import pg from "pg";
import { LIMITS } from "../../../../base/limits.ts";
import { StoreUnavailableError } from "../../store.ts";
import { inTransaction } from "./checked-session.ts";
import { plain, type SqlDatabase, type SqlResult, type SqlStatement } from "./sql-database.ts";

/** SQLSTATE classes and codes when the server shuts down, is full, only reads, refuses, or another process holds the lock too long. */
const UNAVAILABLE = /^(?:08...|42501|57P0[1-5]|53...|25006|25P0[34]|55P03|57014|58...)$/;
/** Errors of the socket, and of `pg` when it has lost its socket. */
const LOST =
  /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$|connection|timeout/i;

function unavailable(error: unknown): StoreUnavailableError {
  const { message } = error as Error;
  return new StoreUnavailableError(`PostgreSQL cannot be used now: ${message}`, { cause: error });
}

function storeError(error: unknown): unknown {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  const isLost = UNAVAILABLE.test(code) || LOST.test(code) || (code === "" && LOST.test(message));
  return isLost ? unavailable(error) : error;
}

async function runOn(client: pg.ClientBase, { sql, parameters }: SqlStatement): Promise<SqlResult> {
  try {
    const answer: pg.QueryResult | pg.QueryResult[] = await client.query(sql, [...parameters]);
    // A text with several statements has several answers: the last one counts.
    const { rows, rowCount } = Array.isArray(answer) ? answer.at(-1)! : answer;
    return { rows, count: rowCount ?? 0 };
  } catch (error) {
    throw storeError(error);
  }
}

/** A number of 32 bits. Two stores on one server have the same only if they share a namespace, or by rare chance. */
function lockNumber(namespace: string): number {
  let hash = 0;
  for (const unit of Buffer.from(namespace)) hash = (Math.imul(hash, 31) + unit) | 0;
  return hash;
}

const settings = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: "mailflow",
  keepAlive: true,
  connectionTimeoutMillis: LIMITS.storeConnectMs,
  query_timeout: LIMITS.storeAnswerMs,
  // A node that hangs must not hold the lock for which all others wait.
  idle_in_transaction_session_timeout: LIMITS.storeAnswerMs,
});

/** Connects with the first statement, and again after a connection was lost. */
export function openPostgresDatabase(url: string, namespace: string): SqlDatabase {
  const pool = new pg.Pool({ ...settings(url), max: LIMITS.storeConnectionsMax });
  // Losing an idle connection does not matter: the next statement gets another.
  pool.on("error", () => {});
  // If a connection is lost while in use, its statement fails too. Without a listener, this event would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  const lock = { sql: "select pg_advisory_xact_lock($1)", parameters: [lockNumber(namespace)] };
  let writer: Promise<pg.Client> | undefined;
  let listener: pg.Client | undefined;
  let state: "open" | "closed" = "open";

  async function connect(onLost: () => void): Promise<pg.Client> {
    try {
      const client = new pg.Client({ ...settings(url), pipeline: true } as pg.ClientConfig);
      client.on("error", onLost);
      client.on("end", onLost);
      await client.connect();
      return client;
    } catch (error) {
      throw unavailable(error);
    }
  }

  function openWriter(): Promise<pg.Client> {
    if (writer !== undefined) return writer;
    const opening = connect(() => {
      if (writer === opening) writer = undefined;
    });
    writer = opening;
    opening.catch(() => {
      if (writer === opening) writer = undefined;
    });
    return opening;
  }

  /** A connection that failed is not used again. */
  function dropWriter(client: pg.Client): void {
    writer = undefined;
    client.end().catch(() => {});
  }

  async function pooled<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect().catch((error: unknown) => {
      throw unavailable(error);
    });
    let failure: unknown;
    try {
      return await work(client);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(failure instanceof StoreUnavailableError);
    }
  }

  /** The server may have closed a pooled connection meanwhile: then another is tried, once. */
  async function run(statement: SqlStatement): Promise<SqlResult> {
    try {
      return await pooled((client) => runOn(client, statement));
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || state === "closed") throw error;
      return pooled((client) => runOn(client, statement));
    }
  }

  /** One connection listens for all channels. */
  const heard = new Map<string, { onMessage(text: string): void; onLost(): void }>();

  async function startListening(): Promise<void> {
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      listener = undefined;
      setTimeout(() => {
        if (state === "open") void startListening();
      }, LIMITS.storeListenAgainMs).unref();
    };
    try {
      const client = await connect(over);
      if (state === "closed") return void client.end();
      listener = client;
      client.on("notification", ({ channel, payload }) =>
        heard.get(channel)?.onMessage(payload ?? ""),
      );
      for (const channel of heard.keys())
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      // Messages may have been sent while no connection was listening.
      for (const { onLost } of heard.values()) onLost();
    } catch {
      over();
    }
  }

  async function listen(
    channel: string,
    onMessage: (text: string) => void,
    onLost: () => void,
  ): Promise<void> {
    const isFirst = heard.size === 0;
    heard.set(channel, { onMessage, onLost });
    if (isFirst) await startListening();
    else await listener?.query(`listen ${pg.escapeIdentifier(channel)}`).catch(() => {});
  }

  return {
    run,
    async transaction(mode, work) {
      if (mode === "read") {
        const begin = [plain("begin isolation level repeatable read read only")];
        return pooled((client) => inTransaction((each) => runOn(client, each), begin, work));
      }
      const client = await openWriter();
      try {
        return await inTransaction(
          (statement) => runOn(client, statement),
          [plain("begin"), lock],
          work,
        );
      } catch (error) {
        if (error instanceof StoreUnavailableError) dropWriter(client);
        throw error;
      }
    },
    listen,
    async close() {
      state = "closed";
      const client = await writer?.catch(() => undefined);
      await Promise.all(
        [pool.end(), client?.end(), listener?.end()].map((end) => end?.catch(() => {})),
      );
    },
  };
}
