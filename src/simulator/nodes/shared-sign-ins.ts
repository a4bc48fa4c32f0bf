/** Counts failed sign-ins in the database, so that guessing passwords on several nodes gains nothing. */
import { sql } from "kysely";
import { LIMITS } from "../../base/limits.ts";
import type { SignInFailures } from "../model/service.ts";
import { statementOf } from "../store/sql/database/sql-builder.ts";
import type { SqlDatabase } from "../store/sql/database/sql-database.ts";

/** Distinguishes these keys from those of request windows, which begin with a method. */
const PREFIX = "sign-in ";

export function createSharedSignIns(
  database: SqlDatabase,
  namespace: string,
  nowMs: () => number,
): SignInFailures {
  const table = sql.table(`${namespace}._rate`);
  const keyOf = (address: string): string => PREFIX + address;
  const recent = () => sql`it.start_ms >= ${nowMs() - LIMITS.signInWindowMs}`;

  /** Deletes addresses whose last failure is long ago. */
  async function forgetOld(): Promise<void> {
    await database.run(
      statementOf(
        sql`delete from ${table} as it where starts_with(key, ${PREFIX}) and not ${recent()}`,
      ),
    );
  }

  return {
    async countOf(address) {
      const { rows } = await database.run(
        statementOf(
          sql`select requests from ${table} as it where key = ${keyOf(address)} and ${recent()}`,
        ),
      );
      return (rows[0]?.requests as number | undefined) ?? 0;
    },
    async add(address) {
      const { rows } = await database.run(
        statementOf(sql`insert into ${table} as it (key, start_ms, requests) values (${keyOf(address)}, ${nowMs()}, 1)
          on conflict (key) do update set start_ms = excluded.start_ms,
            requests = case when ${recent()} then it.requests + 1 else 1 end
          returning requests`),
      );
      const count = rows[0]!.requests as number;
      if (count === 1) await forgetOld();
      return count;
    },
    async clear(address) {
      await database.run(statementOf(sql`delete from ${table} where key = ${keyOf(address)}`));
    },
  };
}
