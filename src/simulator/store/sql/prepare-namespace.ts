/** Creates what the tables of a store need: the namespace, the catalog, and the trigram extension. */
import { sql } from "kysely";
import { statementOf } from "./database/sql-builder.ts";
import type { SqlDatabase } from "./database/sql-database.ts";

/** A lock that serialises processes creating the extension at the same time; any otherwise unused number. */
const EXTENSION_LOCK = 7_204_312;

/** Creates what is missing. Tables are created when they are first named. */
export async function prepareNamespace(database: SqlDatabase, namespace: string): Promise<void> {
  const name = (table: string) => sql.table(`${namespace}.${table}`);
  await database.transaction("write", async (session) => {
    for (const statement of [
      sql`select pg_advisory_xact_lock(${sql.lit(EXTENSION_LOCK)})`,
      sql`create schema if not exists ${sql.id(namespace)}`,
      sql`create extension if not exists pg_trgm`,
      sql`create table if not exists ${name("_table")} (name text primary key, layout text not null)`,
      sql`create table if not exists ${name("_installation")} (one boolean primary key, seed text not null,
        api_key text not null, epoch bigint not null, seeded boolean not null, seeding_since timestamptz)`,
      sql`create table if not exists ${name("_message")} (seq bigint primary key, body json not null)`,
      sql`create table if not exists ${name("_node")} (epoch bigint primary key, seen_at timestamptz not null)`,
      sql`create unlogged table if not exists ${name("_rate")} (key text primary key, start_ms double precision not null,
        requests integer not null)`,
      sql`create table if not exists ${name("_unclaimed")} (name text not null, at bigint not null, "row" json not null)`,
    ]) {
      await session.run(statementOf(statement));
    }
  });
}
