/** The log on stores that outlive the process: old entries are not seen, and old months go. */
import { afterAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { assemble } from "../../../src/simulator/assemble.ts";
import { listLogs } from "../../../src/simulator/model/logs/logs.ts";
import { LOGS, type LogRow } from "../../../src/simulator/model/records.ts";
import { readOptions, type StoreOption } from "../../../src/simulator/options.ts";
import { receive } from "../../../src/simulator/receive/receive.ts";
import { createSqlStore } from "../../../src/simulator/store/sql/sql-store.ts";
import { pagesOf } from "../../../src/simulator/store/store.ts";
import {
  dropNamespaces,
  hasPostgres,
  newNamespace,
  openDatabase,
  POSTGRES_URL,
} from "../../contract/databases.ts";

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;
const namespaces = [newNamespace(), newNamespace()] as const;

const STORES: readonly [name: string, isThere: boolean, store: StoreOption][] = [
  ["PGlite", true, { kind: "pglite" }],
  ["PostgreSQL", hasPostgres, { kind: "postgres", url: POSTGRES_URL, namespace: namespaces[0] }],
];

afterAll(() => (hasPostgres ? dropNamespaces(namespaces) : undefined));

describe.each(STORES)("%s", (_, isThere, store) => {
  test.skipIf(!isThere)("keeps what the plan says, and drops whole months behind it", async () => {
    const { parts, leave } = await assemble(
      readOptions({
        store,
        nowMs: Date.UTC(2026, 0, 10),
        world: {
          account: { email_log_retention_days: RETENTION_DAYS },
          domains: [{ domain: "one.test", aliases: [{ alias: "*", forward: "a@b.example" }] }],
        },
      }),
    );
    const { service, clock } = parts;
    const mail = async (): Promise<void> => {
      await receive(service, {
        envelope: { sender: "x@y.example", recipients: ["a@one.test"] },
        message: Buffer.from(
          `Subject: ${new Date(clock.nowMs()).toISOString().slice(0, 10)}\r\n\r\nx`,
        ),
      });
      await clock.advance(0);
    };
    const day = ({ subject }: LogRow): string => subject.slice(5);
    const seen = async (): Promise<string[]> => {
      const { rows } = await listLogs(service, "one.test", { order: "created_asc", limit: 100 });
      return rows.map(day);
    };
    const kept = async (): Promise<string[]> => {
      const order = { column: "id", direction: "asc" } as const;
      return (await service.store.table(LOGS).find({ where: {}, order, limit: 100 })).map(day);
    };
    // 10 and 25 January, 9 and 24 February.
    for (let turn = 0; turn < 4; turn++) {
      await mail();
      if (turn < 3) await clock.advance(15 * DAY_MS);
    }
    expect(await seen()).toEqual(["01-25", "02-09", "02-24"]);
    expect(await kept()).toEqual(["01-10", "01-25", "02-09", "02-24"]);
    await clock.advance(6 * DAY_MS);
    expect(await seen()).toEqual(["02-09", "02-24"]);
    // 2 March: all of January is 30 days old, and the next look is within a day.
    await clock.advance(LIMITS.logRetentionMs);
    expect(await kept()).toEqual(["02-09", "02-24"]);
    await mail();
    await clock.advance(40 * DAY_MS);
    expect(await seen()).toEqual([]);
    expect(await kept()).toEqual(["03-03"]);
    await service.queue.stop();
    clock.close();
    await leave();
    await service.store.close();
  });
});

test.skipIf(!hasPostgres)(
  "nodes that drop at the same time, and write meanwhile, agree",
  async () => {
    const databases = await Promise.all([openDatabase(namespaces[1]), openDatabase(namespaces[1])]);
    const stores = databases.map((database) => createSqlStore(database, namespaces[1]));
    const tables = stores.map((store) => store.table(LOGS));
    const entry = (ms: number, at: number): LogRow => ({
      id: ms.toString(16).padStart(14, "0") + at.toString(16).padStart(10, "0"),
      domain: "one.test",
      createdMs: ms,
      hostname: "mx",
      messageId: "",
      sender: { email: "", name: null },
      recipient: { email: "", name: null },
      forward: null,
      subject: "",
      transport: "mx",
      events: [],
      statuses: [],
      senderEmail: "",
      recipientEmail: "",
      forwardEmail: null,
      recipientLocal: "",
    });
    const months = [0, 1, 2, 3].map((month) => Date.UTC(2026, month, 3));
    for (const [at, table] of [...tables, ...tables].entries()) {
      for (const ms of months) await table.insert(entry(ms, at));
    }
    const work = tables.flatMap((table, node) => [
      table.dropMonths(Date.UTC(2026, 1, 1)),
      table.dropMonths(Date.UTC(2026, 3, 1)),
      ...Array.from({ length: 20 }, (_, at) =>
        table.insert(entry(months[3]!, 100 * (node + 1) + at)),
      ),
    ]);
    await Promise.all(work);
    expect(await tables[0]!.count({ where: {} })).toBe(4 + 40);
    // A month that one node has dropped can be written to by a restore on another.
    const [first, second] = stores;
    const old = { log: [entry(months[0]!, 1)] };
    await second!.restore(pagesOf(old));
    await tables[0]!.dropMonths(Date.UTC(2026, 1, 1));
    await second!.restore(pagesOf(old));
    expect((await first!.snapshot()).log).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
  },
);
