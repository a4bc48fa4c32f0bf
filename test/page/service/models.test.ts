/** What the views of a service show is made by pure functions: places, windows of lists, stories of logs, records, the plan of saving. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addRule,
  changeRule,
  type DomainDraft,
  removeRule,
} from "../../../src/page/model/domain.ts";
import { composeMessage, factsOf, type Mail, readMessage } from "../../../src/page/model/mail.ts";
import { ruleName } from "../../../src/page/model/words.ts";
import {
  type MessageSummary,
  neighbour,
  senderWords,
  withNewest,
  withOlder,
} from "../../../src/page/service/model/arrivals.ts";
import { recordLines } from "../../../src/page/service/model/dns-records.ts";
import {
  type LogEntry,
  nextTryMs,
  standingOf,
  storyOf,
  triesOf,
} from "../../../src/page/service/model/log-story.ts";
import { hashOf, keyIn, readPlace, VIEWS } from "../../../src/page/service/model/place.ts";
import { savePlan } from "../../../src/page/service/model/save-plan.ts";
import { octets, shortTime, spanWords } from "../../../src/page/service/model/times.ts";
import { scrollFor, windowOf } from "../../../src/page/service/model/window.ts";

test("a place goes into the address and comes back; anything else names no view", () => {
  for (const view of VIEWS) {
    for (const id of [null, "00019b76", "a-b_c"]) {
      expect(readPlace(hashOf({ view, id }))).toEqual({ view, id });
    }
  }
  for (const hash of ["", "#", "#rule-invoices", "#inbox/<b>", "#constructor", "#s=abc"]) {
    expect(readPlace(hash)).toBeNull();
  }
  expect(keyIn("#key=a%23b")).toBe("a#b");
  expect(keyIn("#inbox")).toBeNull();
});

test("a window holds the rows in sight, and few others, however long the list", () => {
  const scrolled = fc.record({
    top: fc.nat(800_000),
    height: fc.integer({ min: 1, max: 4_000 }),
    rowHeight: fc.integer({ min: 20, max: 100 }),
    count: fc.nat(10_000),
  });
  fc.assert(
    fc.property(scrolled, (given) => {
      const top = Math.min(given.top, Math.max(0, given.count * given.rowHeight - given.height));
      const { first, end } = windowOf({ ...given, top });
      expect(first).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(given.count);
      expect(end - first).toBeLessThanOrEqual(Math.ceil(given.height / given.rowHeight) + 12);
      if (given.count === 0 || given.height / given.rowHeight > 180) return;
      expect(first * given.rowHeight).toBeLessThanOrEqual(top);
      const last = Math.min(top + given.height, given.count * given.rowHeight);
      expect(end * given.rowHeight).toBeGreaterThanOrEqual(last);
    }),
  );
  const view = { top: 100, height: 100, rowHeight: 20, count: 50 };
  expect([scrollFor(4, view), scrollFor(6, view), scrollFor(12, view)]).toEqual([80, null, 160]);
});

describe("the inbox", () => {
  const rows = (from: number, to: number): MessageSummary[] =>
    Array.from({ length: from - to + 1 }, (_, index) => ({
      id: String(from - index).padStart(6, "0"),
    })) as MessageSummary[];
  const page = (messages: MessageSummary[], next: string | null) => ({
    messages,
    next,
    total: 0,
    unread: 0,
  });
  const idsOf = (list: { readonly rows: readonly MessageSummary[] }): number[] =>
    list.rows.map(({ id }) => Number(id));

  test("new messages come on top, deleted ones of the page go, older ones stay", () => {
    const known = { rows: rows(9, 1), next: null };
    expect(idsOf(withNewest(known, page(rows(12, 7), "000007")))).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
    ]);
    const gone = withNewest(known, page([...rows(9, 9), ...rows(6, 6)], "000006"));
    expect(idsOf(gone)).toEqual([9, 6, 5, 4, 3, 2, 1]);
    expect(withNewest(known, page(rows(3, 2), null))).toEqual({ rows: rows(3, 2), next: null });
    expect(idsOf(withNewest(known, page([], null)))).toEqual([]);
    // Where nothing older was known, the page says where it goes on.
    expect(withNewest({ rows: [], next: null }, page(rows(9, 8), "000008")).next).toBe("000008");
  });

  test("older pages are added once", () => {
    const first = { rows: rows(9, 7), next: "000007" };
    expect(idsOf(withOlder(first, page(rows(7, 5), "000005")))).toEqual([9, 8, 7, 6, 5]);
  });

  test("j and k go from row to row, and stay at the ends", () => {
    const list = rows(3, 1);
    expect(neighbour(list, null, 1)?.id).toBe("000003");
    expect(neighbour(list, "000003", 1)?.id).toBe("000002");
    expect(neighbour(list, "000001", 1)).toBeUndefined();
    expect(neighbour(list, "gone", -1)?.id).toBe("000003");
  });

  test("senders are named as they name themselves", () => {
    expect(
      ['"Ann Lee" <a@x.example>', "Ann <a@x.example>", "<a@x.example>", "a@x.example", ""].map(
        senderWords,
      ),
    ).toEqual(["Ann Lee", "Ann", "a@x.example", "a@x.example", "no sender"]);
    expect(
      [
        '  " Ann\t " \n<a@x.example> ',
        "Ann <x> Lee <a<b@x.example>",
        '""Ann"" <>',
        "Ann\nLee <a@x.example>",
        ">",
        "<>",
        "Ann <a@x.example> Lee",
        `${" ".repeat(30_000)}<${" ".repeat(30_000)}Ann`,
      ].map(senderWords),
    ).toEqual([
      " Ann\t ",
      "Ann <x> Lee",
      '"Ann"',
      "Ann\nLee a@x.example",
      "no sender",
      "no sender",
      "Ann a@x.example Lee",
      "Ann",
    ]);
  });
});

describe("a log entry", () => {
  const at = (minute: number): string => new Date(minute * 60_000).toISOString();
  const entry = (forward: string | null, ...statuses: readonly string[]): LogEntry => ({
    id: "1",
    created_at: at(0),
    events: statuses.map((status, index) => ({
      id: `1-${index}`,
      code: 450,
      created_at: at(index),
      message: "later",
      server: "mx.x.example",
      status,
    })),
    forward: forward === null ? null : { email: forward },
    message_id: "",
    recipient: { email: "a@x.example" },
    sender: { email: "b@x.example", name: null },
    subject: "",
    transport: "mx",
  });

  test.each([
    ["delivered", entry("a@b.example", "QUEUED", "DELIVERED")],
    ["retry", entry("a@b.example", "QUEUED", "SOFT-BOUNCE")],
    ["bounced", entry("a@b.example", "QUEUED", "SOFT-BOUNCE", "BOUNCED")],
    ["bounced", entry("a@b.example", "QUEUED", "HARD-BOUNCE")],
    ["refused", entry(null, "REFUSED")],
    ["discarded", entry(null, "QUEUED")],
    ["queued", entry("a@b.example", "QUEUED")],
  ])("stands as %s", (standing, given) => {
    expect(standingOf(given)).toBe(standing);
  });

  test("says when it is tried again, by its kind of destination", () => {
    const twice = ["QUEUED", "SOFT-BOUNCE", "SOFT-BOUNCE"];
    expect(triesOf(entry("a@b.example", ...twice))).toBe(2);
    expect(nextTryMs(entry("a@b.example", ...twice))).toBe((2 + 15) * 60_000);
    expect(nextTryMs(entry("https://b.example/", ...twice))).toBe((2 + 10) * 60_000);
    expect(nextTryMs(entry("https://b.example/", ...twice, "SOFT-BOUNCE"))).toBeNull();
    expect(nextTryMs(entry("a@b.example", "QUEUED", "DELIVERED"))).toBeNull();
    expect(storyOf(entry("a@b.example", "QUEUED", "SOFT-BOUNCE"))[1]).toEqual({
      id: "1-1",
      words: "Put off",
      atMs: 60_000,
      says: "450 later, by mx.x.example",
      standing: "retry",
    });
  });
});

test("records are lines to set, with what the DNS has instead", () => {
  const check = (expected: string, values: string | null, valid: boolean) => ({
    expected,
    values,
    valid,
  });
  const lines = recordLines("x.example", {
    provider: "other",
    advanced: false,
    dkim1: check("dk1.host.example", null, false),
    dkim2: check("dk2.host.example", "dk7.old.example", false),
    dmarc: check("v=DMARC1; p=none;", "v=DMARC1; p=reject", true),
    mx: {
      expected: ["mx1.host.example", "mx2.host.example"],
      values: ["MX1.host.example."],
      valid: false,
    },
    spf: check("v=spf1 include:spf.host.example ~all", null, false),
    error: "MX lacks one",
    valid: false,
  });
  expect(lines.map(({ type, name, state }) => `${type} ${name} ${state}`)).toEqual([
    "MX x.example found",
    "MX x.example other",
    "TXT x.example missing",
    "CNAME dk1._domainkey.x.example missing",
    "CNAME dk2._domainkey.x.example other",
    "TXT _dmarc.x.example found",
  ]);
  expect(lines[1]).toMatchObject({ value: "20 mx2.host.example", actual: "MX1.host.example." });
});

describe("saving through the API", () => {
  const rule = (id: string, rank: number) => ({
    id,
    type: "alias",
    rank,
    active: true,
    config: { alias: id, forward: "a@b.example" },
  });
  const saved: DomainDraft = {
    domain: "x.example",
    routing_engine: "rules",
    rules_fallback_email: null,
    aliases: [],
    rules: [rule("one", 1), rule("two", 2), rule("three", 3)],
  };

  test("nothing is asked where nothing differs; a discard is the same in both spellings", () => {
    expect(savePlan(saved, saved)).toEqual([]);
    const config = (forward: string | null) => ({ config: { alias: "one", forward } });
    const written = changeRule(saved, "one", config("null"));
    expect(savePlan(written, changeRule(saved, "one", config(null)))).toEqual([]);
  });

  test("rules go, come and change in this order, after the domain", () => {
    let draft = changeRule(removeRule(saved, "one"), "two", { rank: 5, active: false });
    draft = changeRule(draft, "three", {
      type: "cel",
      config: { expression: "true", forward: null },
    });
    draft = {
      ...addRule(draft, { id: "four", type: "alias", config: { alias: "4" } }).domain,
      rules_fallback_email: "z@b.example",
    };
    const base = "/v4/domains/x.example";
    expect(savePlan(saved, draft)).toEqual([
      { method: "PUT", path: base, body: { rules_fallback_email: "z@b.example" } },
      { method: "DELETE", path: `${base}/rules/batch`, body: { ids: ["one", "three"] } },
      {
        method: "POST",
        path: `${base}/rules/batch`,
        body: {
          rules: [
            {
              id: "three",
              type: "cel",
              rank: 3,
              active: true,
              config: { expression: "true", forward: "null" },
            },
            { id: "four", type: "alias", rank: 10, active: true, config: { alias: "4" } },
          ],
        },
      },
      {
        method: "PUT",
        path: `${base}/rules/batch`,
        body: {
          rules: [
            { id: "two", rank: 5, active: false, config: { alias: "two", forward: "a@b.example" } },
          ],
        },
      },
    ]);
  });

  test("thousands of rules go in as many calls as the API takes", () => {
    const rules = Array.from({ length: 1_201 }, (_, index) => rule(`r${index}`, index));
    const calls = savePlan({ ...saved, rules: [] }, { ...saved, rules });
    expect(calls.map(({ body }) => (body as { rules: unknown[] }).rules.length)).toEqual([
      500, 500, 201,
    ]);
  });
});

test("a composed message reads as the facts it was composed of", () => {
  const bytes = Buffer.from(
    `From: Ann <a@x.example>\nTo: b@y.example\nX-Id: 7\n 8\nSubject: =?utf-8?q?gr=C3=BCn?=\nX-Blanks: a${" ".repeat(60_000)}b\nContent-Type: text/html\n\n<b>bold</b> text\n`,
  );
  const [mail] = readMessage(bytes, "m", "y.example");
  const [again] = readMessage(new TextEncoder().encode(composeMessage(mail!)), "m", "y.example");
  const facts = (given: typeof mail) => {
    const { headers, size: _, ...rest } = factsOf(given!);
    return { ...rest, id: headers?.get("x-id") };
  };
  expect(facts(again)).toEqual(facts(mail));
});

test("a composed message has the subject and the sender that were typed, once", () => {
  const read = readMessage(
    new TextEncoder().encode("From: Ann <ann@a.example>\nSubject: before\n\nhi\n"),
    "a.eml",
    "x.example",
  )[0]!;
  const fieldsOf = (mail: Mail): readonly string[] =>
    composeMessage(mail)
      .split("\r\n")
      .filter((line) => /^(?:from|subject):/.test(line));
  expect(fieldsOf(read)).toEqual(["from: Ann <ann@a.example>", "subject: before"]);
  expect(fieldsOf({ ...read, subject: "after", sender: "bob@b.example" })).toEqual([
    "subject: after",
    "from: bob@b.example",
  ]);
  // A part of the address that was read is another sender, and so is none.
  for (const sender of ["nn@a.example", ""]) {
    expect(fieldsOf({ ...read, sender })).toEqual(["subject: before", `from: ${sender}`]);
  }
});

test("times and sizes are said in the largest unit that fits", () => {
  expect([0, 59_000, 480_000, 3_600_000, 190_000_000].map(spanWords)).toEqual([
    "now",
    "59 seconds",
    "8 minutes",
    "1 hour",
    "2 days",
  ]);
  expect([12, 20_000, 20_000_000].map(octets)).toEqual(["12 octets", "20 KB", "20 MB"]);
  const noon = Date.UTC(2026, 0, 2, 12, 5);
  expect([shortTime(noon, noon + 3_600_000), shortTime(noon, noon + 86_400_000)]).toEqual([
    "12:05",
    "2026-01-02",
  ]);
  expect(ruleName("4f13c44e-0000-4000-8000-000000000000")).toBe("4f13c44e");
  expect(ruleName("invoices")).toBe("invoices");
});
