/** Messages to all processes that share the database, numbered without gaps in the order of their commits. */
import { sql } from "kysely";
import { LIMITS } from "../../../base/limits.ts";
import { statementOf } from "./database/sql-builder.ts";
import type { SqlDatabase, SqlSession } from "./database/sql-database.ts";

const channelOf = (namespace: string): string => `${namespace}_message`;
const tableOf = (namespace: string) => sql.table(`${namespace}._message`);

/** Call it within a transaction that writes alone, so that numbers become visible in order. */
export async function appendMessages(
  session: SqlSession,
  namespace: string,
  messages: readonly string[],
): Promise<void> {
  const table = tableOf(namespace);
  const bodies = `[${messages.join(",")}]`;
  const { rows } = await session.run(
    statementOf(sql`insert into ${table} (seq, body)
      select coalesce((select max(seq) from ${table}), 0) + at, body
      from json_array_elements(${bodies}::json) with ordinality as given (body, at)
      returning seq::double precision as seq`),
  );
  const last = Math.max(...rows.map(({ seq }) => seq as number));
  await session.run(statementOf(sql`select pg_notify(${channelOf(namespace)}, ${String(last)})`));
  // Sometimes deletes messages that no process can need again.
  if (last % LIMITS.eventsKept < messages.length) {
    const oldest = last - 2 * LIMITS.eventsKept;
    await session.run(statementOf(sql`delete from ${table} where seq <= ${oldest}`));
  }
}

export interface SharedMessage {
  readonly seq: number;
  readonly body: unknown;
}

export interface MessageReader {
  stop(): Promise<void>;
}

/**
 * Calls `onMessage` for the last `LIMITS.eventsKept` messages, and then for each new one after its commit: when the database
 * notifies, and at the latest after `LIMITS.messagePollMs`. An unreachable database is tried again.
 */
export async function readMessages(
  database: SqlDatabase,
  namespace: string,
  onMessage: (message: SharedMessage) => void,
): Promise<MessageReader> {
  const table = tableOf(namespace);
  let lastSeq: number | undefined;
  let reading: Promise<void> | undefined;
  let isAskedAgain = false;
  let state: "open" | "stopped" = "open";

  async function startSeq(): Promise<number> {
    const { rows } = await database.run(
      statementOf(sql`select coalesce(max(seq), 0)::double precision as last from ${table}`),
    );
    return Math.max(0, (rows[0]!.last as number) - LIMITS.eventsKept);
  }

  async function readPage(): Promise<number> {
    lastSeq ??= await startSeq();
    const { rows } = await database.run(
      statementOf(sql`select seq::double precision as seq, body from ${table} where seq > ${lastSeq}
        order by seq limit ${LIMITS.messagesAtOnce}`),
    );
    for (const { seq, body } of rows) {
      if (state === "stopped") return 0;
      lastSeq = seq as number;
      onMessage({ seq: lastSeq, body });
    }
    return rows.length;
  }

  async function readAll(): Promise<void> {
    do {
      isAskedAgain = false;
      while ((await readPage()) === LIMITS.messagesAtOnce);
    } while (isAskedAgain && state === "open");
  }

  function look(): Promise<void> {
    isAskedAgain = true;
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  /** If this fails, the next poll reads the messages. */
  const lookQuietly = (): void => {
    if (state === "open") look().catch(() => {});
  };

  await look();
  await database.listen?.(channelOf(namespace), lookQuietly, lookQuietly);
  const timer = setInterval(lookQuietly, LIMITS.messagePollMs);
  timer.unref();
  return {
    async stop() {
      state = "stopped";
      clearInterval(timer);
      await reading?.catch(() => {});
    },
  };
}
