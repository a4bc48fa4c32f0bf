/** Records which processes share a database, and finds those that are gone. */
import { sql } from "kysely";
import { LIMITS } from "../../base/limits.ts";
import type { ServiceNode } from "../model/service.ts";
import { statementOf } from "../store/sql/database/sql-builder.ts";
import type { SqlDatabase } from "../store/sql/database/sql-database.ts";

export interface NodeRegistry extends ServiceNode {
  /** Reports that this process is running. */
  beat(): Promise<void>;
  /** Processes that have been silent for `LIMITS.nodeSilentMs` and are still recorded. */
  gone(): Promise<readonly number[]>;
  /** Reports that this process has ended: others may take over its work at once. */
  leave(): Promise<void>;
  /** Deletes the record of a process with no work left to take over. */
  forget(epoch: number): Promise<void>;
}

export function createNodeRegistry(
  database: SqlDatabase,
  namespace: string,
  epoch: number,
): NodeRegistry {
  const table = sql.table(`${namespace}._node`);
  const silent = sql`seen_at < now() - make_interval(secs => ${sql.lit(LIMITS.nodeSilentMs / 1_000)})`;
  return {
    epoch,
    slots: "shared",
    async beat() {
      await database.run(
        statementOf(sql`insert into ${table} (epoch, seen_at) values (${epoch}, now())
          on conflict (epoch) do update set seen_at = now()`),
      );
    },
    async isAlive(other) {
      const { rows } = await database.run(
        statementOf(sql`select 1 from ${table} where epoch = ${other} and not ${silent}`),
      );
      return rows.length > 0;
    },
    async gone() {
      const { rows } = await database.run(
        statementOf(sql`select epoch::double precision as epoch from ${table} where ${silent}`),
      );
      return rows.map((row) => row.epoch as number).filter((other) => other !== epoch);
    },
    async leave() {
      await database.run(
        statementOf(sql`update ${table} set seen_at = '-infinity' where epoch = ${epoch}`),
      );
    },
    async forget(other) {
      await database.run(statementOf(sql`delete from ${table} where epoch = ${other}`));
    },
  };
}
