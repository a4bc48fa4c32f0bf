/** A session that remembers that a statement failed: a database that is asked to commit then only says it has rolled back. */
import { plain, type SqlResult, type SqlSession, type SqlStatement } from "./sql-database.ts";

export type RunStatement = (statement: SqlStatement) => Promise<SqlResult>;

/** Runs `work` between `begin` and `commit`; rolls back and rejects when it rejects, or when a statement's failure was not undone. */
export async function inTransaction<Result>(
  run: RunStatement,
  begin: readonly SqlStatement[],
  work: (session: SqlSession) => Promise<Result>,
): Promise<Result> {
  let failure: { readonly error: unknown } | undefined;
  const session: SqlSession = {
    async run(statement) {
      try {
        const result = await run(statement);
        if (statement.sql.startsWith("rollback to savepoint")) failure = undefined;
        return result;
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    },
  };
  await Promise.all(begin.map((statement) => run(statement)));
  try {
    const result = await work(session);
    if (failure !== undefined) throw failure.error;
    await run(plain("commit"));
    return result;
  } catch (error) {
    await run(plain("rollback")).catch(() => {});
    throw error;
  }
}
