/** Messages to every process that shares the database: numbered without gaps, in the order in which they were committed. */
import { sql } from "kysely";
import { LIMITS } from "../../../base/limits.ts";
import { statementOf } from "./database/sql-builder.ts";
import type { SqlDatabase, SqlSession } from "./database/sql-database.ts";

const channelOf = (namespace: string): string => `${namespace}_message`;
const tableOf = (namespace: string) => sql.table(`${namespace}._message`);

/** Within a transaction that writes alone, so that numbers become visible in their order. */
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
  // Now and then, messages that no process can need again are deleted.
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
  /** Resolves when everything that is committed by now has been read. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Calls `onMessage` for the last `LIMITS.eventsKept` messages, and then for each that is committed: when the database
 * says so, and at the latest after `LIMITS.messagePollMs`. A database that cannot be reached is asked again.
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

  /** If this fails, the next look reads the messages. */
  const lookQuietly = (): void => {
    if (state === "open") look().catch(() => {});
  };

  await look();
  await database.listen?.(channelOf(namespace), lookQuietly, lookQuietly);
  const timer = setInterval(lookQuietly, LIMITS.messagePollMs);
  timer.unref();
  return {
    catchUp: look,
    async stop() {
      state = "stopped";
      clearInterval(timer);
      await reading?.catch(() => {});
    },
  };
}
