/** One database transaction for many transactions of the port: their writes are sent together when the batch ends. */
import type { Row, TableSchema } from "../store.ts";
import { plain, type SqlSession, type SqlStatement } from "./database/sql-database.ts";
import { appendMessages } from "./message-log.ts";
import type { SqlTables } from "./sql-tables.ts";

type Schema = TableSchema<Row>;

/** Rows by key; null if there is no row. */
type KnownRows = Map<string, Row | null>;

interface TableWrites {
  readonly schema: Schema;
  readonly rows: KnownRows;
}

type Writes = Map<string, TableWrites>;

function rowsIn(writes: Writes, schema: Schema): KnownRows {
  let table = writes.get(schema.name);
  if (table === undefined) {
    table = { schema, rows: new Map() };
    writes.set(schema.name, table);
  }
  return table.rows;
}

/** One transaction of the port, within a batch. */
export interface Turn {
  /** The row as this transaction sees it. */
  get(schema: Schema, key: string): Promise<Row | undefined>;
  put(schema: Schema, row: Row): Promise<void>;
  /** A message for other processes, sent once this is committed; JSON. */
  broadcast(message: string): void;
  remove(schema: Schema, key: string): void;
  /** Queries the database, after sending all writes to the table. */
  ask(schema: Schema, statement: SqlStatement): Promise<readonly Record<string, unknown>[]>;
  /** Changes rows of the table by a statement, and returns their number. */
  change(schema: Schema, statement: SqlStatement): Promise<number>;
  keep(): Promise<void>;
  undo(): Promise<void>;
}

export interface WriteBatch {
  begin(): Turn;
  /** Sends the pending writes and messages. */
  flush(): Promise<void>;
}

const SAVEPOINT = "turn";

export function createWriteBatch(session: SqlSession, tables: SqlTables): WriteBatch {
  const messages: string[] = [];
  /** Writes of kept transactions that are not sent yet. */
  const pending: Writes = new Map();
  /** Rows as the database is known to have them. */
  const known: Writes = new Map();

  async function send(writes: Writes, schema: Schema): Promise<void> {
    const table = writes.get(schema.name);
    if (table === undefined) return;
    writes.delete(schema.name);
    const seen = rowsIn(known, schema);
    for (const [key, row] of table.rows) seen.set(key, row);
    await tables.write(session, schema, table.rows);
  }

  async function flush(): Promise<void> {
    await Promise.all([...pending.values()].map(({ schema }) => send(pending, schema)));
    if (messages.length > 0) await appendMessages(session, tables.namespace, messages.splice(0));
  }

  function begin(): Turn {
    const own: Writes = new Map();
    const ownMessages: string[] = [];
    let savepoint: "none" | "set" = "none";

    /** From here on the transaction can also be undone in the database. */
    async function setSavepoint(): Promise<void> {
      if (savepoint === "set") return;
      await flush();
      await session.run(plain(`savepoint ${SAVEPOINT}`));
      savepoint = "set";
    }

    async function settle(schema: Schema): Promise<void> {
      await tables.ensure(session, schema);
      if (own.has(schema.name)) await setSavepoint();
      await send(pending, schema);
      await send(own, schema);
    }

    return {
      async get(schema, key) {
        for (const writes of [own, pending, known]) {
          const row = writes.get(schema.name)?.rows.get(key);
          if (row !== undefined) return row ?? undefined;
        }
        await tables.ensure(session, schema);
        const row = await tables.read(session, schema, key);
        rowsIn(known, schema).set(key, row ?? null);
        return row;
      },
      async put(schema, row) {
        await tables.ensure(session, schema);
        rowsIn(own, schema).set(row[schema.key] as string, row);
      },
      broadcast: (message) => void ownMessages.push(message),
      remove: (schema, key) => void rowsIn(own, schema).set(key, null),
      async ask(schema, statement) {
        await settle(schema);
        return (await session.run(statement)).rows;
      },
      async change(schema, statement) {
        await setSavepoint();
        await settle(schema);
        known.delete(schema.name);
        return (await session.run(statement)).count;
      },
      async keep() {
        for (const { schema, rows } of own.values()) {
          const kept = rowsIn(pending, schema);
          for (const [key, row] of rows) kept.set(key, row);
        }
        messages.push(...ownMessages);
        if (savepoint === "set") await session.run(plain(`release savepoint ${SAVEPOINT}`));
      },
      async undo() {
        own.clear();
        if (savepoint === "none") return;
        known.clear();
        tables.forget();
        await session.run(plain(`rollback to savepoint ${SAVEPOINT}`));
        await session.run(plain(`release savepoint ${SAVEPOINT}`));
      },
    };
  }

  return { begin, flush };
}
