/** Builds SQL with kysely; nothing here runs it. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from "kysely";
import type { SqlStatement } from "./sql-database.ts";

const BUILDER: Kysely<unknown> = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** The text and the parameters of a statement. */
export function statementOf(raw: RawBuilder<unknown>): SqlStatement {
  const { sql, parameters } = raw.compile(BUILDER);
  return { sql, parameters };
}
