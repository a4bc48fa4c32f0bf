/** The plans of the SQL store's queries: on a full table each of them uses an index. */
import type { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOGS, type LogRow } from "../../../src/simulator/model/records.ts";
import { countStatement, findStatement } from "../../../src/simulator/store/sql/build-query.ts";
import { statementOf } from "../../../src/simulator/store/sql/database/sql-builder.ts";
import { plain, type SqlDatabase } from "../../../src/simulator/store/sql/database/sql-database.ts";
import { createSqlTables } from "../../../src/simulator/store/sql/sql-tables.ts";
import type { Filter, Row, TableSchema } from "../../../src/simulator/store/store.ts";
import { hasPostgres, newNamespace, openDatabase } from "../../contract/databases.ts";

const ROWS = 20_000;
const MONTHS = ["log 2026-01", "log 2026-02"];
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 20);
const schema = LOGS as unknown as TableSchema<Row>;
const namespace = newNamespace();

function row(at: number): LogRow {
  const createdMs = START_MS + at * 60_000;
  const id = createdMs.toString(16).padStart(14, "0") + at.toString(16).padStart(10, "0");
  const domain = `d${at % 50}.test`;
  const party = { email: `person${at}@${domain}`, name: null };
  return {
    id,
    domain,
    createdMs,
    hostname: "mx",
    messageId: "",
    sender: party,
    recipient: party,
    forward: null,
    subject: `invoice number ${at} of ${(at * 7_919) % 10_007}`,
    transport: "mx",
    events: [],
    statuses: [at % 40 === 0 ? "BOUNCED" : "DELIVERED"],
    senderEmail: party.email,
    recipientEmail: party.email,
    forwardEmail: null,
    recipientLocal: `person${at}`,
  };
}

describe.skipIf(!hasPostgres)("queries of the log", () => {
  let database: SqlDatabase;
  beforeAll(async () => {
    database = await openDatabase(namespace);
    const tables = createSqlTables(namespace);
    await database.transaction("write", async (session) => {
      await tables.ensure(session, schema);
      for (let at = 0; at < ROWS; at += 1_000) {
        const page = Array.from({ length: 1_000 }, (_, index) => row(at + index));
        await tables.write(session, schema, new Map(page.map((each) => [each.id, each])));
      }
    });
    await database.run(plain(`analyze "${namespace}".log`));
  });
  afterAll(async () => {
    await database?.run(plain(`drop schema "${namespace}" cascade`));
    await database?.close();
  });

  async function planOf(statement: ReturnType<typeof sql>): Promise<string> {
    const { sql: text, parameters } = statementOf(statement);
    const { rows } = await database.run({ sql: `explain (format json) ${text}`, parameters });
    return JSON.stringify(rows);
  }

  /** Every way in which the plan gets at rows. */
  async function scansOf(statement: ReturnType<typeof sql>): Promise<string[]> {
    const found = (await planOf(statement)).matchAll(/"Node Type":\s*"([^"]*(?:Scan))"/g);
    return [...new Set([...found].map(([, type]) => type!))];
  }

  const domain = "d7.test";
  const order = { column: "createdMs", direction: "desc" } as const;
  const filters: readonly [name: string, filter: Filter<Row>][] = [
    ["a domain", { where: { domain } }],
    ["one alias of it", { where: { domain, recipientLocal: "person7" } }],
    ["a time", { where: { domain }, range: { column: "createdMs", above: START_MS + 5 * DAY_MS } }],
    [
      "a part of a subject",
      { where: { domain }, contains: [{ columns: ["subject"], text: "9007" }] },
    ],
    ["statuses", { where: { domain }, overlaps: { column: "statuses", values: ["BOUNCED"] } }],
  ];

  test.each(filters)("by %s reads no table from end to end", async (_, filter) => {
    const find = await scansOf(findStatement(namespace, schema, { ...filter, order, limit: 20 }));
    const count = await scansOf(countStatement(namespace, schema, filter));
    expect([...find, ...count]).not.toContain("Seq Scan");
  });

  test("a page by its cursor begins at the cursor", async () => {
    const from = { value: START_MS + DAY_MS, key: row(1_440).id };
    const query = { where: { domain }, order, from, limit: 20 };
    const scans = await scansOf(findStatement(namespace, schema, query));
    expect(scans.every((type) => type.startsWith("Index"))).toBe(true);
  });

  test.each([
    ["after", { above: Date.UTC(2026, 1, 1) }, ["log 2026-02"]],
    ["before", { below: Date.UTC(2026, 1, 1) - 1 }, ["log 2026-01"]],
    ["around", { above: Date.UTC(2026, 0, 31), below: Date.UTC(2026, 1, 2) }, MONTHS],
  ])("a time %s passes over other months", async (_, bounds, months) => {
    const filter = { where: { domain }, range: { column: "createdMs", ...bounds } };
    const find = await planOf(findStatement(namespace, schema, { ...filter, order, limit: 20 }));
    const count = await planOf(countStatement(namespace, schema, filter));
    for (const plan of [find, count]) {
      const read = plan.matchAll(/"Relation Name":\s*"([^"]*)"/g);
      expect([...new Set([...read].map(([, name]) => name))].sort()).toEqual(months);
    }
  });

  test("a part of a text that is rare is found by its trigrams", async () => {
    const contains = [{ columns: ["subject"], text: "number 17777 of" }];
    const scans = await scansOf(countStatement(namespace, schema, { where: {}, contains }));
    expect(scans).toContain("Bitmap Index Scan");
  });

  test("each month has a partition of its own", async () => {
    const { rows } = await database.run(
      plain(`select inhrelid::regclass::text as name from pg_inherits
        where inhparent = '"${namespace}".log'::regclass order by 1`),
    );
    expect(rows.map(({ name }) => name)).toEqual([
      `${namespace}."log 2026-01"`,
      `${namespace}."log 2026-02"`,
    ]);
  });
});
