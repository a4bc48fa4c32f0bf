/** What the SQL store needs from a database. PGlite and PostgreSQL both provide it. */

export interface SqlStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface SqlResult {
  readonly rows: readonly Record<string, unknown>[];
  /** Rows that the statement changed or returned. */
  readonly count: number;
}

/** One connection: statements run in the order in which they are handed in. */
export interface SqlSession {
  run(statement: SqlStatement): Promise<SqlResult>;
}

export interface SqlDatabase extends SqlSession {
  /** Runs one statement on any connection, committed at once. */
  run(statement: SqlStatement): Promise<SqlResult>;
  /**
   * Runs `work` between `begin` and `commit`, and rolls back when it rejects. `write`: alone among all processes that
   * share the database and the lock. `read`: every statement sees the state of one moment.
   */
  transaction<Result>(
    mode: "write" | "read",
    work: (session: SqlSession) => Promise<Result>,
  ): Promise<Result>;
  /** Calls `onMessage` for each message on the channel, and `onLost` when messages may have been missed. */
  listen?(channel: string, onMessage: (text: string) => void, onLost: () => void): Promise<void>;
  close(): Promise<void>;
}

/** A statement without parameters. */
export function plain(sql: string): SqlStatement {
  return { sql, parameters: [] };
}
