/** Counts requests in the database, so that limits apply to all nodes together (API v4 §8). */
import { sql } from "kysely";
import { LIMITS } from "../../base/limits.ts";
import { type RateLimits, rateState } from "../api/read/rate-limits.ts";
import { statementOf } from "../store/sql/database/sql-builder.ts";
import type { SqlDatabase } from "../store/sql/database/sql-database.ts";

/** One statement per request: a window that is over starts again, and a full one stays full. */
export function createSharedRates(
  database: SqlDatabase,
  namespace: string,
  nowMs: () => number,
): RateLimits {
  const table = sql.table(`${namespace}._rate`);
  return {
    async count(key, requestsMax) {
      const now = nowMs();
      const isOpen = sql`${now} >= it.start_ms and ${now} < it.start_ms + ${sql.lit(LIMITS.rateWindowMs)}`;
      // A count of one more than the limit means that a request was refused.
      const { rows } = await database.run(
        statementOf(sql`insert into ${table} as it (key, start_ms, requests) values (${key}, ${now}, 1)
          on conflict (key) do update set
            start_ms = case when ${isOpen} then it.start_ms else excluded.start_ms end,
            requests = case when ${isOpen} then least(it.requests + 1, ${requestsMax}::int + 1) else 1 end
          returning start_ms, requests`),
      );
      const { start_ms: startMs, requests } = rows[0] as { start_ms: number; requests: number };
      const verdict = requests <= requestsMax ? "allowed" : "refused";
      return rateState(
        { startMs, requests: Math.min(requests, requestsMax), verdict },
        requestsMax,
        now,
      );
    },
  };
}
