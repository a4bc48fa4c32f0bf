/** A session that remembers a failed statement: on a later commit the database would only report a rollback. */
import { plain, type SqlResult, type SqlSession, type SqlStatement } from "./sql-database.ts";

export type RunStatement = (statement: SqlStatement) => Promise<SqlResult>;

export interface CheckedSession {
  readonly session: SqlSession;
  /** Throws the error of the first failed statement, unless it was undone since. */
  check(): void;
}

/** After a failure the transaction refuses every statement, so the first failure is the one to report. */
export function checkedSession(run: RunStatement): CheckedSession {
  let failure: { readonly error: unknown } | undefined;
  return {
    session: {
      async run(statement) {
        try {
          const result = await run(statement);
          if (statement.sql.startsWith("rollback to savepoint")) failure = undefined;
          return result;
        } catch (error) {
          failure ??= { error };
          throw failure.error;
        }
      },
    },
    check() {
      if (failure !== undefined) throw failure.error;
    },
  };
}

/** Runs `work` between `begin` and `commit`; rolls back and rejects if it rejects or if a failed statement was not undone. */
export async function inTransaction<Result>(
  run: RunStatement,
  begin: readonly SqlStatement[],
  work: (session: SqlSession) => Promise<Result>,
): Promise<Result> {
  const { session, check } = checkedSession(run);
  await Promise.all(begin.map((statement) => run(statement)));
  try {
    const result = await work(session);
    check();
    await run(plain("commit"));
    return result;
  } catch (error) {
    await run(plain("rollback")).catch(() => {});
    throw error;
  }
}
