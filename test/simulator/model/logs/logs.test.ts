/** The queries of email logs, compared with the naive answer over all entries. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../../src/base/limits.ts";
import { addLogEntry } from "../../../../src/simulator/model/logs/log-entry.ts";
import type { LogFilter } from "../../../../src/simulator/model/logs/log-filter.ts";
import { keepRetention } from "../../../../src/simulator/model/logs/log-retention.ts";
import {
  countLogs,
  findLogs,
  getLog,
  type LogCursor,
  listLogs,
  searchLogs,
} from "../../../../src/simulator/model/logs/logs.ts";
import {
  LOG_STATUSES,
  LOGS,
  type LogRow,
  type LogStatus,
} from "../../../../src/simulator/model/records.ts";
import {
  allLogs,
  type MailFixture,
  mailFixture,
  messageOf,
  receiveFor,
} from "../../receive/receive-fixture.ts";
import { problemOf } from "../fixture.ts";

const DAY_MS = 86_400_000;
const DESC = { order: "created_desc", limit: 100 } as const;

interface EntryInput {
  readonly sender: string;
  readonly recipient: string;
  readonly forward: string | null;
  readonly subject: string;
  readonly statuses: readonly LogStatus[];
  readonly transport: LogRow["transport"];
  readonly afterMs: number;
}

async function fill(fixture: MailFixture, inputs: readonly EntryInput[]): Promise<void> {
  const { service, clock } = fixture;
  for (const input of inputs) {
    clock.set(clock.nowMs() + input.afterMs);
    await service.store.transaction(() =>
      addLogEntry(
        service,
        {
          transport: input.transport,
          messageId: "<1@x>",
          subject: input.subject,
          sender: { email: input.sender, name: null },
        },
        {
          domain: "example.com",
          recipient: { email: input.recipient, name: null },
          forward: input.forward === null ? null : { email: input.forward, name: null },
          happenings: input.statuses.map((status) => ({
            code: 250,
            message: "",
            server: "",
            status,
          })),
        },
      ),
    );
  }
}

const someone = fc.constantFrom("Ann@source.example", "bob@source.example", "ann@other.example");
const entry: fc.Arbitrary<EntryInput> = fc.record({
  sender: someone,
  recipient: fc.constantFrom("Sales@example.com", "one@example.com"),
  forward: fc.constantFrom(null, "Ann@mail.example", "https://hooks.example/In"),
  subject: fc.constantFrom("Invoice of May", "invoices", "weather"),
  statuses: fc.uniqueArray(fc.constantFrom(...LOG_STATUSES), { minLength: 1, maxLength: 3 }),
  transport: fc.constantFrom("mx", "smtp", "api"),
  afterMs: fc.constantFrom(0, 0, 500, 1_000),
});

const START_MS = Date.UTC(2026, 0, 31, 12);
const moment = fc.integer({ min: -1, max: 12 }).map((halves) => START_MS + halves * 500);

function optional<T>(name: string, value: fc.Arbitrary<T>): fc.Arbitrary<object> {
  return fc.oneof(
    fc.constant({}),
    value.map((given) => ({ [name]: given })),
  );
}

const filter: fc.Arbitrary<LogFilter> = fc
  .tuple(
    optional("sender", fc.constantFrom("ann@SOURCE.example", "ann")),
    optional("recipient", fc.constantFrom("sales@example.com", "example")),
    optional("forward", fc.constantFrom("ANN@mail.example", "hooks")),
    optional("statuses", fc.uniqueArray(fc.constantFrom(...LOG_STATUSES), { minLength: 1 })),
    optional("transport", fc.constantFrom("mx", "smtp", "api")),
    optional("afterMs", moment),
    optional("beforeMs", moment),
  )
  .map((parts) => Object.assign({}, ...parts));

function passes(row: LogRow, wanted: LogFilter, how: "exact" | "substring"): boolean {
  const fits = (text: string | null, sought: string | undefined): boolean => {
    if (sought === undefined) return true;
    if (text === null) return false;
    const [held, looked] = [text.toLowerCase(), sought.toLowerCase()];
    return how === "exact" ? held === looked : held.includes(looked);
  };
  return (
    fits(row.sender.email, wanted.sender) &&
    fits(row.recipient.email, wanted.recipient) &&
    fits(row.forward?.email ?? null, wanted.forward) &&
    (wanted.statuses?.some((status) => row.statuses.includes(status)) ?? true) &&
    (wanted.transport === undefined || row.transport === wanted.transport) &&
    (wanted.afterMs === undefined || row.createdMs > wanted.afterMs) &&
    (wanted.beforeMs === undefined || row.createdMs < wanted.beforeMs)
  );
}

const idsOf = (rows: readonly LogRow[]): string[] => rows.map(({ id }) => id);
const EMPTY_WORLD = {
  domains: [{ domain: "example.com", aliases: [] }, { domain: "other.example" }],
};

test("list and count give exactly the entries that pass, page by page, in both orders", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 12 }),
      filter,
      fc.constantFrom("created_asc", "created_desc"),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom("from", "after"),
      async (entries, wanted, order, limit, page) => {
        const fixture = await mailFixture(EMPTY_WORLD);
        const { service } = fixture;
        await fill(fixture, entries);
        const expected = idsOf(
          (await allLogs(fixture)).filter((row) => passes(row, wanted, "exact")),
        );
        if (order === "created_desc") expected.reverse();
        expect(await countLogs(service, "example.com", wanted)).toBe(expected.length);
        const found: string[] = [];
        let id: string | null | undefined;
        do {
          const cursor: LogCursor | undefined = id == null ? undefined : { id, page };
          const got = await listLogs(service, "example.com", {
            filter: wanted,
            order,
            limit,
            cursor,
          });
          found.push(...idsOf(got.rows));
          id = page === "from" || got.nextId === null ? got.nextId : got.rows.at(-1)!.id;
        } while (id !== null && found.length <= entries.length);
        expect(found).toEqual(expected);
        fixture.clock.close();
      },
    ),
    { seed: 20261120, numRuns: 150 },
  );
});

test("search filters by substrings, and orders by time where asked to", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 10 }), filter, async (entries, wanted) => {
      const fixture = await mailFixture(EMPTY_WORLD);
      await fill(fixture, entries);
      const expected = (await allLogs(fixture))
        .filter((row) => passes(row, wanted, "substring") && /invoice/i.test(row.subject))
        .map(({ id }) => id)
        .reverse();
      const search = { text: "invoce", filter: wanted, order: "created_desc", limit: 3 } as const;
      const found: string[] = [];
      let offset: number | null = 0;
      while (offset !== null) {
        const page = await searchLogs(fixture.service, "example.com", { ...search, offset });
        expect(page.total).toBe(expected.length);
        found.push(...idsOf(page.rows));
        offset = page.nextOffset;
      }
      expect(found).toEqual(expected);
      fixture.clock.close();
    }),
    { seed: 20261120, numRuns: 100 },
  );
});

describe("on a domain with some mail", () => {
  async function someMail(): Promise<MailFixture> {
    const fixture = await mailFixture();
    for (const [subject, recipient] of [
      ["First invoice", "one@example.com"],
      ["Weather", "sales+x@example.com"],
      ["Second invoice", "gone@example.com"],
      ["Third", "nobody@example.com"],
    ] as const) {
      await receiveFor(fixture, [recipient], messageOf(subject));
      await fixture.clock.advance(1_000);
    }
    return fixture;
  }

  test("search ranks what is most alike first", async () => {
    const { service } = await someMail();
    const search = {
      text: "wether",
      filter: {},
      order: "relevance",
      limit: 20,
      offset: 0,
    } as const;
    const { rows, nextOffset } = await searchLogs(service, "example.com", search);
    expect(new Set(rows.map(({ subject }) => subject))).toEqual(new Set(["Weather"]));
    expect(nextOffset).toBeNull();
  });

  test("logs of one alias are those for its very name", async () => {
    const { service } = await someMail();
    const page = await listLogs(service, "example.com", { ...DESC, alias: "SALES+X" });
    expect(page.rows.map(({ subject }) => subject)).toEqual(["Weather", "Weather"]);
    expect((await listLogs(service, "example.com", { ...DESC, alias: "sales" })).rows).toEqual([]);
  });

  test("v3-search-failure: failures are bounces, and refused recipients are none", async () => {
    const { service } = await someMail();
    const search = { which: "failure", afterSeconds: 0, beforeSeconds: 4e9, limit: 100 } as const;
    const found = await findLogs(service, "example.com", { ...search, order: "created_asc" });
    expect(found.map(({ recipientLocal }) => recipientLocal)).toEqual(["gone"]);
  });

  test("v3-search-second: both seconds are inclusive, and text is a substring of four fields", async () => {
    const fixture = await someMail();
    const start = START_MS / 1_000;
    const find = async (
      text: string,
      afterSeconds: number,
      beforeSeconds: number,
    ): Promise<string[]> =>
      (
        await findLogs(fixture.service, "example.com", {
          text,
          which: "all",
          afterSeconds,
          beforeSeconds,
          order: "created_asc",
          limit: 100,
        })
      ).map(({ subject }) => subject);
    expect(await find("INVOICE", start, start + 2)).toEqual(["First invoice", "Second invoice"]);
    expect(await find("", start + 2, start + 2)).toEqual(["Second invoice"]);
    expect(await find("bounce.test", start, start + 9)).toEqual(["Second invoice"]);
    expect(await find("NOBODY@", start, start + 9)).toEqual([""]);
    expect(await find("author@", start + 1, start + 1)).toEqual(["Weather", "Weather"]);
  });

  test("an entry is found by its domain and id only", async () => {
    const fixture = await someMail();
    const { service } = fixture;
    const [first] = await allLogs(fixture);
    expect(await getLog(service, "EXAMPLE.com", first!.id)).toEqual(first);
    for (const [domain, id] of [
      ["example.com", "0"],
      ["absent.example", first!.id],
    ] as const) {
      expect((await problemOf(service, () => getLog(service, domain, id))).status).toBe(404);
    }
  });

  test("log-cursor: a cursor that is no entry of the domain stands past the last page", async () => {
    const { service } = await someMail();
    for (const page of ["from", "after"] as const) {
      const cursor = { id: "nothing", page };
      expect(await listLogs(service, "example.com", { ...DESC, cursor })).toEqual({
        rows: [],
        nextId: null,
      });
    }
  });

  test("entries of another domain are seen by no query", async () => {
    const fixture = await mailFixture(EMPTY_WORLD);
    const { service } = fixture;
    await receiveFor(fixture, ["nobody@example.com"]);
    const [log] = await allLogs(fixture);
    expect((await listLogs(service, "other.example", DESC)).rows).toEqual([]);
    expect(await countLogs(service, "other.example", {})).toBe(0);
    expect((await problemOf(service, () => getLog(service, "other.example", log!.id))).status).toBe(
      404,
    );
  });
});

describe("log-retention", () => {
  test("entries older than the account keeps them are gone", async () => {
    const fixture = await mailFixture({
      ...EMPTY_WORLD,
      account: { email_log_retention_days: 7 },
    });
    const { service, clock } = fixture;
    await receiveFor(fixture, ["old@example.com"]);
    clock.set(clock.nowMs() + 1);
    await receiveFor(fixture, ["young@example.com"]);
    const [old, young] = await allLogs(fixture);
    clock.set(old!.createdMs + 7 * DAY_MS);
    expect(await countLogs(service, "example.com", {})).toBe(2);
    clock.set(clock.nowMs() + 1);
    expect(await countLogs(service, "example.com", {})).toBe(1);
    await expect(getLog(service, "example.com", old!.id)).rejects.toMatchObject({ status: 404 });
    expect((await listLogs(service, "example.com", DESC)).rows).toEqual([young]);
  });

  test("a month is dropped once all of it is past the retention", async () => {
    const fixture = await mailFixture({
      ...EMPTY_WORLD,
      account: { email_log_retention_days: 7 },
    });
    const { service, clock } = fixture;
    const table = service.store.table(LOGS);
    await receiveFor(fixture, ["january@example.com"]);
    clock.set(Date.UTC(2026, 1, 1));
    await receiveFor(fixture, ["february@example.com"]);
    const [january, february] = await allLogs(fixture);
    await keepRetention(service);
    clock.set(Date.UTC(2026, 1, 8) - 1);
    await clock.advance(0);
    expect(await allLogs(fixture)).toEqual([january, february]);
    await clock.advance(LIMITS.logRetentionMs);
    expect(await allLogs(fixture)).toEqual([february]);
    expect(await table.get(january!.id)).toBeUndefined();
    await clock.advance(31 * DAY_MS);
    expect(await allLogs(fixture)).toEqual([]);
  });
});
