/** The database port of the SQL store, for PGlite and PostgreSQL. */

export interface SqlStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface SqlResult {
  readonly rows: readonly Record<string, unknown>[];
  /** Rows that the statement changed or returned. */
  readonly count: number;
}

/** One connection: statements run in the order of the calls. */
export interface SqlSession {
  run(statement: SqlStatement): Promise<SqlResult>;
}

export interface SqlDatabase extends SqlSession {
  /** Runs one statement on any connection, and commits it at once. */
  run(statement: SqlStatement): Promise<SqlResult>;
  /**
   * Runs `work` between `begin` and `commit`, and rolls back if it rejects. `write`: no other process with the same database
   * and lock runs a `write` meanwhile. `read`: every statement sees the state of one moment.
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
