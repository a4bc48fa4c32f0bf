/** Email logs of both versions: pages, filters, search, events (API v4 §3, §4, §6; v3 §4). */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  addDomain,
  type Client,
  client,
  receive,
  succeeded,
  WINDOW_MS,
  withQuery,
} from "./fixtures.ts";
import { absence, openSimulator, type Simulator } from "./simulator-port.ts";

const WHY = absence === null ? "" : ` (skipped: ${absence})`;
const DOMAIN = "/domains/own.test";

interface Person {
  readonly email: string;
}

/** An entry of version 4, as far as these tests look. */
interface Log {
  readonly id: string;
  readonly created_at: string;
  readonly events: readonly { id: string; status: string; code: number }[];
  readonly forward: Person | null;
  readonly message_id: string;
  readonly recipient: Person;
  readonly sender: Person;
  readonly subject: string;
  readonly transport: string;
}

interface LogPage {
  readonly logs: readonly Log[];
  readonly limit: number;
  readonly cursor: string | null;
  readonly next_cursor: string | null;
}

interface SearchPage {
  readonly logs: readonly Log[];
  readonly offset: number;
  readonly total: number;
  readonly next_offset: number | null;
}

let simulator: Simulator;
let v3: Client;
let v4: Client;

beforeEach(async () => {
  if (absence !== null) return;
  simulator = await openSimulator();
  [v3, v4] = [client(simulator, "v3"), client(simulator, "v4")];
  await addDomain(simulator, "own.test");
});
afterEach(() => simulator?.close());

async function addAlias(alias: string, forward: string): Promise<void> {
  succeeded(await v4.post(`${DOMAIN}/aliases`, { alias, forward }));
}

async function list(query: Record<string, string>): Promise<LogPage> {
  return succeeded(await v4.get<LogPage>(withQuery(`${DOMAIN}/logs`, query)));
}

async function search(query: Record<string, string>): Promise<SearchPage> {
  return succeeded(await v4.get<SearchPage>(withQuery(`${DOMAIN}/logs/search`, query)));
}

const ids = (logs: readonly { id: string }[]): string[] => logs.map(({ id }) => id);

async function receiveMany(count: number): Promise<void> {
  await addAlias("*", "all@dest.test");
  for (let start = 0; start < count; start += 41) {
    const length = Math.min(41, count - start);
    const recipients = Array.from({ length }, (_, index) => `r${start + index}@own.test`);
    await receive(simulator, recipients, `Newsletter ${start}`);
  }
  await simulator.clock.advance(WINDOW_MS);
}

describe.skipIf(absence !== null)(`pages of logs${WHY}`, () => {
  const TOTAL = 205;

  async function walk(query: Record<string, string>): Promise<{ pages: number[]; logs: Log[] }> {
    const [pages, logs]: [number[], Log[]] = [[], []];
    let cursor: string | null = null;
    do {
      const page: LogPage = await list(cursor === null ? query : { ...query, cursor });
      expect(page.cursor).toBe(cursor);
      pages.push(page.logs.length);
      logs.push(...page.logs);
      cursor = page.next_cursor;
    } while (cursor !== null && pages.length < 50);
    return { pages, logs };
  }

  beforeEach(() => receiveMany(TOTAL));

  const WALKS: readonly [query: Record<string, string>, pages: number[]][] = [
    [{}, [100, 100, 5]],
    [{ limit: "200" }, [200, 5]],
    // A last page that is full has no page after it.
    [{ limit: "41" }, [41, 41, 41, 41, 41]],
    [{ limit: "100", order: "created_asc" }, [100, 100, 5]],
  ];
  test.each(WALKS)("v4 %j gives pages of %j, every entry once, in order", async (query, pages) => {
    const walked = await walk(query);
    expect(walked.pages).toEqual(pages);
    expect(new Set(ids(walked.logs)).size).toBe(TOTAL);
    const times = walked.logs.map(({ created_at }) => created_at);
    const sorted = [...times].sort();
    expect(times).toEqual(query.order === "created_asc" ? sorted : sorted.reverse());
  });

  test("v4 what arrives meanwhile does not shift the pages", async () => {
    const first = await list({});
    await receive(simulator, ["late@own.test"], "Late");
    const second = await list({ cursor: first.next_cursor! });
    expect(ids(second.logs).filter((id) => ids(first.logs).includes(id))).toEqual([]);
    const third = await list({ cursor: second.next_cursor! });
    expect([...first.logs, ...second.logs, ...third.logs]).toHaveLength(TOTAL);
  });

  test("v4 the count takes the filters, and no page", async () => {
    const count = (query: string) => v4.get(`${DOMAIN}/logs/count${query}`);
    expect((await count("")).body).toEqual({ total: TOTAL });
    expect((await count("?recipient=r7@own.test")).body).toEqual({ total: 1 });
    expect((await count("?transport=api")).body).toEqual({ total: 0 });
  });

  test("v4 search goes by offset to the end", async () => {
    const seen: string[] = [];
    let offset: number | null = 0;
    const offsets: (number | null)[] = [];
    while (offset !== null && offsets.length < 10) {
      const query = { query: "newsletter", limit: "41", order: "created_desc" };
      const page: SearchPage = await search({ ...query, offset: String(offset) });
      expect(page).toMatchObject({ offset, total: TOTAL, limit: 41 });
      seen.push(...ids(page.logs));
      offset = page.next_offset;
      offsets.push(offset);
    }
    // A last page that is full has no page after it here either.
    expect(offsets).toEqual([41, 82, 123, 164, null]);
    expect(new Set(seen).size).toBe(TOTAL);
    const standard = await search({ query: "newsletter" });
    expect(standard.logs).toHaveLength(20);
    expect(standard).toMatchObject({ limit: 20, offset: 0, next_offset: 20 });
  });

  test("v3 goes on after the last id (or the cursor given) to the end", async () => {
    const walkV3 = async (path: string): Promise<string[]> => {
      const seen: string[] = [];
      let query = "";
      for (let page = 0; page < TOTAL + 1; page++) {
        const answer = await v3.get<{ logs: { id: string }[]; next_cursor?: string | null }>(
          path + query,
        );
        const { logs, next_cursor: given } = succeeded(answer);
        seen.push(...ids(logs));
        const next = given === undefined ? logs.at(-1)?.id : given;
        if (next === undefined || next === null) return seen;
        query = `?next_cursor=${encodeURIComponent(next)}`;
        if (page % 100 === 99) await simulator.clock.advance(WINDOW_MS);
      }
      throw new Error("the walk does not end");
    };
    const seen = await walkV3(`${DOMAIN}/logs`);
    expect(seen).toHaveLength(TOTAL);
    expect(new Set(seen).size).toBe(TOTAL);
  });
});

/** One delivered, one hard and one soft bounce from two senders, and one sent over HTTP; ten seconds apart. */
async function receiveMixture(): Promise<readonly Log[]> {
  await addAlias("info", "ok@dest.test");
  await addAlias("hard", "550@bounce.test");
  await addAlias("soft", "450@bounce.test");
  const [alice, bob] = ["alice@source.test", "bob@elsewhere.test"];
  const messages: readonly [string, string, string][] = [
    ["info@own.test", "Quarterly invoice", alice],
    ["hard@own.test", "Holiday photographs", bob],
    ["soft@own.test", "Minutes of Monday", bob],
  ];
  for (const [recipient, subject, sender] of messages) {
    await receive(simulator, [recipient], subject, sender);
    await simulator.clock.advance(9_000);
  }
  const letter = { from: "info", to: "reader@dest.test", subject: "A letter", text: "Dear reader" };
  succeeded(await v4.post(`${DOMAIN}/emails/outbound`, letter));
  await simulator.clock.advance(1_000);
  const { logs } = await list({ order: "created_asc" });
  expect(logs).toHaveLength(4);
  return logs;
}

const statuses = (log: Log): string[] => log.events.map(({ status }) => status);
const midpoint = (logs: readonly Log[]): string => {
  const [a, b] = [Date.parse(logs[1]!.created_at), Date.parse(logs[2]!.created_at)];
  return new Date((a + b) / 2).toISOString().replace(/\.\d+Z$/, "Z");
};

type Case = readonly [
  query: (logs: readonly Log[]) => Record<string, string>,
  wanted: (log: Log, index: number) => boolean,
];

const EXACT: readonly Case[] = [
  [() => ({}), () => true],
  [() => ({ sender: "ALICE@source.test" }), (_, index) => index === 0],
  [() => ({ sender: "alice" }), () => false],
  [() => ({ recipient: "Hard@Own.Test" }), (_, index) => index === 1],
  [() => ({ forward: "ok@dest.test" }), (log) => log.forward?.email === "ok@dest.test"],
  [() => ({ forward: "dest.test" }), () => false],
  ...["QUEUED", "DELIVERED", "HARD-BOUNCE", "SOFT-BOUNCE", "BOUNCED", "REFUSED"].map(
    (status): Case => [() => ({ status }), (log) => statuses(log).includes(status)],
  ),
  [
    () => ({ status: "HARD-BOUNCE,SOFT-BOUNCE" }),
    (log) => statuses(log).some((status) => /^(?:HARD|SOFT)-BOUNCE$/.test(status)),
  ],
  ...["mx", "smtp", "api"].map(
    (transport): Case => [() => ({ transport }), (log) => log.transport === transport],
  ),
  [(logs) => ({ after: midpoint(logs) }), (_, index) => index > 1],
  [(logs) => ({ before: midpoint(logs) }), (_, index) => index <= 1],
  [(logs) => ({ after: midpoint(logs), before: midpoint(logs) }), () => false],
  [() => ({ sender: "bob@elsewhere.test", status: "HARD-BOUNCE" }), (_, index) => index === 1],
  [() => ({ sender: "alice@source.test", status: "HARD-BOUNCE" }), () => false],
];

describe.skipIf(absence !== null)(`filters of logs${WHY}`, () => {
  test("the mixture holds every status and transport that the filters are tried on", async () => {
    const logs = await receiveMixture();
    expect(logs.map(({ transport }) => transport)).toEqual(["mx", "mx", "mx", "api"]);
    for (const log of logs) expect(statuses(log)).toContain("QUEUED");
    expect(statuses(logs[0]!)).toContain("DELIVERED");
    expect(statuses(logs[1]!)).toContain("HARD-BOUNCE");
    expect(statuses(logs[2]!)).toContain("SOFT-BOUNCE");
  });

  test("v4 list and both counts", async () => {
    const logs = await receiveMixture();
    for (const [of, wanted] of EXACT) {
      const query = of(logs);
      const found = ids(logs.filter(wanted));
      const listed = await list({ ...query, order: "created_asc" });
      expect(ids(listed.logs), JSON.stringify(query)).toEqual(found);
      for (const api of [v3, v4]) {
        const count = await api.get(withQuery(`${DOMAIN}/logs/count`, query));
        expect(count.body, JSON.stringify(query)).toMatchObject({ total: found.length });
      }
    }
  });

  const SEARCHES: readonly [query: Record<string, string>, indexes: number[]][] = [
    [{ query: "invoice" }, [0]],
    [{ query: "INVOICE" }, [0]],
    [{ query: "invoise" }, [0]],
    [{ query: "photograps" }, [1]],
    [{ query: "elsewhere" }, [1, 2]],
    [{ query: "elsewhere", sender: "BOB" }, [1, 2]],
    [{ query: "elsewhere", sender: "alice" }, []],
    [{ query: "elsewhere", recipient: "oft@" }, [2]],
    [{ query: "elsewhere", forward: "550" }, [1]],
    [{ query: "elsewhere", status: "SOFT-BOUNCE" }, [2]],
    [{ query: "elsewhere", transport: "api" }, []],
    [{ query: "reader", transport: "api" }, [3]],
    [{ query: "zzzzqqqq" }, []],
  ];
  test("v4 search", async () => {
    const logs = await receiveMixture();
    for (const [query, indexes] of SEARCHES) {
      const page = await search({ ...query, order: "created_asc" });
      expect(ids(page.logs), JSON.stringify(query)).toEqual(indexes.map((at) => logs[at]!.id));
      expect(page).toMatchObject({ total: indexes.length, next_offset: null });
    }
    const best = await search({ query: "Minutes of Monday" });
    expect(best.logs[0]!.id).toBe(logs[2]!.id);
    const late = await search({ query: "elsewhere", after: midpoint(logs) });
    expect(ids(late.logs)).toEqual([logs[2]!.id]);
  });

  test("v3 search: seconds, both ends inclusive", async () => {
    await simulator.clock.advance(1_000 - (simulator.clock.nowMs() % 1_000));
    const logs = await receiveMixture();
    const [first, second] = logs.map(({ created_at }) => Date.parse(created_at) / 1_000);
    const find = async (query: Record<string, string>): Promise<string[]> => {
      const range = { after: String(first), before: String(first! + 600), ...query };
      const path = withQuery(`${DOMAIN}/logs/search`, range);
      return ids(succeeded(await v3.get<{ logs: { id: string }[] }>(path)).logs);
    };
    const all = ids(logs);
    expect(await find({})).toEqual([...all].reverse());
    expect(await find({ order: "asc" })).toEqual(all);
    expect(await find({ before: String(first) })).toEqual([all[0]]);
    expect(await find({ after: String(second), before: String(second) })).toEqual([all[1]]);
    expect(await find({ after: String(first! + 1), order: "asc" })).toEqual(all.slice(1));
    expect(await find({ filter: "all", text: "INVOICE" })).toEqual([all[0]]);
    expect(await find({ filter: "failure", order: "asc" })).toEqual([all[1], all[2]]);
    expect(await find({ filter: "failure", text: "monday" })).toEqual([all[2]]);
    expect(await find({ text: "550@bounce" })).toEqual([all[1]]);
  });

  test("v3 logs of one alias", async () => {
    const logs = await receiveMixture();
    const answer = await v3.get<{ logs: { id: string }[] }>(`${DOMAIN}/logs/hard`);
    expect(ids(answer.body.logs)).toEqual([logs[1]!.id]);
    await addAlias("unused", "ok@dest.test");
    const none = await v3.get(`${DOMAIN}/logs/unused`);
    expect([none.status, none.body.logs]).toEqual([200, []]);
  });
});

describe.skipIf(absence !== null)(`one log entry${WHY}`, () => {
  test("its events are numbered from 0, and the first says that it was taken", async () => {
    for (const log of await receiveMixture()) {
      const { body } = await v4.get<Log>(`${DOMAIN}/logs/${log.id}`);
      expect(body).toEqual(log);
      expect(body.events.length).toBeGreaterThan(0);
      for (const [index, event] of body.events.entries()) {
        const base = [log.id, log.message_id].find((each) => event.id.startsWith(each));
        expect(event.id.slice(base!.length)).toMatch(new RegExp(`^\\D*${index}$`));
      }
      expect(statuses(body)[0]).toBe("QUEUED");
    }
  });

  test("there is one entry for each recipient", async () => {
    await addAlias("info", "ok@dest.test");
    await addAlias("sales", "ok@dest.test");
    await receive(simulator, ["info@own.test", "sales@own.test"], "To two");
    const { logs } = await list({});
    expect(logs.map(({ recipient }) => recipient.email).sort()).toEqual([
      "info@own.test",
      "sales@own.test",
    ]);
    expect(new Set(logs.map(({ message_id }) => message_id)).size).toBe(1);
  });

  test("it is not found on another domain", async () => {
    const [log] = await receiveMixture();
    await addDomain(simulator, "other.test");
    for (const api of [v3, v4]) {
      expect((await api.get(`/domains/other.test/logs/${log!.id}`)).status).toBe(404);
    }
  });

  test("what was refused is never said to be accepted", async () => {
    await receive(simulator, ["nobody@own.test"], "Refused");
    for (const log of (await list({})).logs) {
      expect(statuses(log)).toEqual(["REFUSED"]);
      expect(log.forward).toBeNull();
    }
    expect((await list({ status: "DELIVERED,QUEUED" })).logs).toEqual([]);
  });
});
