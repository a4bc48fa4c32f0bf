/** The inboxes as users of mail catchers know them: lists without bodies, search, parts, files, marks, deletion, bounds. */
import { describe, expect, test } from "vitest";
import { findMessages } from "../../../src/simulator/control/inbox/inbox.ts";
import type { MessageSummary, Simulator } from "../../../src/simulator/index.ts";
import { createMemoryStore } from "../../../src/simulator/store/memory-store.ts";
import type { Store } from "../../../src/simulator/store/store.ts";
import { ask, json } from "../client.ts";
import { open, receive } from "./open.ts";

const RICH = [
  "From: Ann Lee <ann@source.test>",
  "To: Desk <info@own.test>",
  "Subject: =?utf-8?q?Rechnung_f=C3=BCr_M=C3=A4rz?=",
  "X-Campaign: spring-42",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "the plain needle",
  "--b",
  "Content-Type: text/html",
  "",
  "<p>the <b>marked</b> needle</p><script>alert(1)</script>",
  "--b",
  'Content-Type: application/pdf; name="a"b.pdf"',
  'Content-Disposition: attachment; filename="../a b.pdf"',
  "Content-Transfer-Encoding: base64",
  "",
  btoa("%PDF-1.4"),
  "--b--",
  "",
].join("\n");

interface Listed {
  readonly messages: readonly MessageSummary[];
  readonly total: number;
  readonly unread: number;
  readonly next: string | null;
}

const list = (simulator: Simulator, query = ""): Promise<Listed> =>
  json<Listed>(simulator, `GET /_sim/messages${query}`);

async function rich(): Promise<{ simulator: Simulator; id: string }> {
  const simulator = await open();
  const envelope = { sender: "ann@source.test", recipients: ["x@ruled.test"] };
  await simulator.receive({ envelope, message: RICH });
  const [message] = (await list(simulator)).messages;
  return { simulator, id: message!.id };
}

test("a list has no bodies, and counts all there is", async () => {
  const { simulator, id } = await rich();
  const { messages, total, unread, next } = await list(simulator);
  expect([total, unread, next]).toEqual([1, 1, null]);
  expect(messages[0]).toMatchObject({
    id,
    kind: "mailbox",
    domain: "ruled.test",
    from: "Ann Lee <ann@source.test>",
    to: "Desk <info@own.test>",
    subject: "Rechnung für März",
    read: false,
    tags: [],
  });
  expect(JSON.stringify(messages)).not.toContain("needle");
});

test("both orders lead through all messages, page by page", async () => {
  const simulator = await open();
  const subjects = Array.from({ length: 5 }, (_, at) => `mail ${at}`);
  for (const subject of subjects) await receive(simulator, ["x@ruled.test"], subject);
  for (const [order, cursor] of [
    ["oldest", "after"],
    ["newest", "before"],
  ] as const) {
    const seen: string[] = [];
    let at = "";
    for (;;) {
      const page: Listed = await list(simulator, `?order=${order}&limit=2${at}`);
      seen.push(...page.messages.map(({ subject }) => subject));
      if (page.next === null) break;
      at = `&${cursor}=${page.next}`;
    }
    expect(seen).toEqual(order === "oldest" ? subjects : subjects.toReversed());
  }
});

test.each([
  ["query=needle", 1],
  ["query=NEEDLE+spring-42", 1],
  [`query=${encodeURIComponent('"the plain needle"')}`, 1],
  [`query=${encodeURIComponent('"needle the plain"')}`, 0],
  ["query=needle+haystack", 0],
  ["query=m%C3%A4rz", 1],
  ["query=marked", 1],
  ["from=LEE", 1],
  ["from=bob", 0],
  ["to=desk", 1],
  ["subject=rechnung", 1],
  ["domain=ruled.test", 1],
  ["domain=own.test", 0],
  ["destination=REST@dest.test", 1],
  ["tag=none", 0],
  ["read=false", 1],
  ["read=true", 0],
])("messages are found by %s: %i", async (query, count) => {
  const { simulator } = await rich();
  expect((await list(simulator, `?${query}`)).messages).toHaveLength(count);
});

test("one message has its fields, its texts and its parts", async () => {
  const { simulator, id } = await rich();
  interface View {
    readonly headers: readonly { name: string; value: string }[];
    readonly plain: string;
    readonly html: string;
    readonly parts: readonly { contentType: string; filename: string; bytes: number }[];
  }
  const { message } = await json<{ message: View }>(simulator, `GET /_sim/messages/${id}`);
  expect(message.headers).toContainEqual({ name: "subject", value: "Rechnung für März" });
  expect(message.plain).toContain("the plain needle");
  expect(message.html).toContain("<b>marked</b>");
  expect(message.parts.map(({ contentType, bytes }) => [contentType, bytes])).toEqual([
    ["text/plain", 16],
    ["text/html", 56],
    ["application/pdf", 8],
  ]);
  await ask(simulator, `DELETE /_sim/messages/${id}`);
  expect((await ask(simulator, `GET /_sim/messages/${id}`)).status).toBe(404);
});

test("files are downloads that no browser shows as a page of this origin", async () => {
  const { simulator, id } = await rich();
  const eml = await ask(simulator, `GET /_sim/messages/${id}/eml`);
  expect(eml.text).toContain("Delivered-To: x@ruled.test\r\n");
  expect(eml.text.endsWith(RICH.replaceAll("\n", "\r\n"))).toBe(true);
  const pdf = await ask(simulator, `GET /_sim/messages/${id}/parts/2`);
  expect(pdf.text).toBe("%PDF-1.4");
  const html = await ask(simulator, `GET /_sim/messages/${id}/parts/1`);
  for (const { headers } of [eml, pdf, html]) {
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="[\w .+-]+";/);
    expect(headers.get("content-security-policy")).toContain("sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
  expect(pdf.headers.get("content-disposition")).not.toContain("/");
  for (const part of ["3", "-1", "x", "1e0"]) {
    expect((await ask(simulator, `GET /_sim/messages/${id}/parts/${part}`)).status).toBe(404);
  }
});

test("tags part words in a search, and a text of open tags is searched", async () => {
  const simulator = await open();
  const envelope = { sender: "ann@source.test", recipients: ["x@ruled.test"] };
  const html = `<p>the<br>needle<b> > ${"<".repeat(300_000)} at the end`;
  await simulator.receive({ envelope, message: `Content-Type: text/html\n\n${html}` });
  for (const [query, count] of [
    ['"the needle  > <"', 1],
    ['"< at the end"', 1],
    ['"<br>needle"', 1],
    ['"the haystack"', 0],
    [`${"<".repeat(5_000)}a`, 0],
  ] as const) {
    const found = await list(simulator, `?query=${encodeURIComponent(query)}`);
    expect(found.messages, query.slice(0, 20)).toHaveLength(count);
  }
});

test("what a webhook was sent is JSON", async () => {
  const simulator = await open();
  await receive(simulator, ["info@own.test"], "to a webhook");
  const [post] = (await list(simulator, "?destination=https://hooks.test/in")).messages;
  const file = await ask(simulator, `GET /_sim/messages/${post!.id}/eml`);
  expect([file.headers.get("content-type"), JSON.parse(file.text).subject]).toEqual([
    "application/json",
    "to a webhook",
  ]);
  const { message } = await json<{ message: { kind: string; plain: string } }>(
    simulator,
    `GET /_sim/messages/${post!.id}`,
  );
  expect([message.kind, JSON.parse(message.plain).subject]).toEqual(["webhook", "to a webhook"]);
});

describe("marks", () => {
  test("a message is read, unread, tagged", async () => {
    const { simulator, id } = await rich();
    const body = { read: true, tags: ["urgent", " later ", "urgent"] };
    const { message } = await json<{ message: MessageSummary }>(
      simulator,
      `PUT /_sim/messages/${id}`,
      { body },
    );
    expect(message).toMatchObject({ read: true, tags: ["urgent", "later"] });
    expect((await list(simulator, "?tag=later&read=true")).unread).toBe(0);
    const { tags } = await json(simulator, "GET /_sim/tags");
    expect(tags).toEqual([
      { tag: "later", messages: 1 },
      { tag: "urgent", messages: 1 },
    ]);
    await json(simulator, `PUT /_sim/messages/${id}`, { body: { read: false } });
    expect(await list(simulator)).toMatchObject({
      unread: 1,
      messages: [{ tags: ["urgent", "later"] }],
    });
    expect((await ask(simulator, `PUT /_sim/messages/${id}`, { body: {} })).status).toBe(400);
    expect((await ask(simulator, "PUT /_sim/messages/none", { body })).status).toBe(404);
  });

  test("many are marked and deleted by ids or by a filter", async () => {
    const simulator = await open();
    for (const subject of ["a one", "a two", "b one", "b two"]) {
      await receive(simulator, ["x@ruled.test"], subject);
    }
    const ids = (await list(simulator)).messages.map(({ id }) => id);
    const marked = await json(simulator, "PUT /_sim/messages?subject=a", { body: { read: true } });
    expect(marked).toEqual({ changed: 2 });
    const few = { ids: [ids[3], "none"], tags: ["x"] };
    expect(await json(simulator, "PUT /_sim/messages", { body: few })).toEqual({ changed: 1 });
    expect(await json(simulator, "DELETE /_sim/messages?read=true")).toEqual({ removed: 2 });
    const gone = await json(simulator, "DELETE /_sim/messages", {
      body: { ids: [ids[2], "none"] },
    });
    expect(gone).toEqual({ removed: 1 });
    expect((await list(simulator)).messages.map(({ id }) => id)).toEqual([ids[3]]);
    expect(await json(simulator, "DELETE /_sim/messages")).toEqual({ removed: 1 });
    expect(await list(simulator)).toMatchObject({ total: 0, unread: 0, messages: [] });
  });
});

describe("what is kept", () => {
  test("is the newest messages, by number and by octets", async () => {
    const simulator = await open({ keep: { messages: 3, bytes: 5_000 } });
    for (let at = 0; at < 6; at++) await receive(simulator, ["x@ruled.test"], `mail ${at}`);
    const subjects = async (): Promise<string[]> =>
      (await list(simulator)).messages.map(({ subject }) => subject);
    expect(await subjects()).toEqual(["mail 3", "mail 4", "mail 5"]);
    const envelope = { sender: "", recipients: ["x@ruled.test"] };
    await simulator.receive({ envelope, message: `Subject: large\n\n${"x".repeat(9_000)}` });
    expect(await subjects()).toEqual(["large"]);
    await receive(simulator, ["x@ruled.test"], "after");
    expect(await subjects()).toEqual(["after"]);
    await simulator.control.deleteMessages();
    for (let at = 0; at < 4; at++) await receive(simulator, ["x@ruled.test"], `mail ${at}`);
    expect(await subjects()).toEqual(["mail 1", "mail 2", "mail 3"]);
    const { store } = await simulator.control.snapshot();
    expect(store.receivedContent).toHaveLength(3);
  });

  test("is the newest log entries", async () => {
    const simulator = await open({ keep: { logs: 10 } });
    for (let at = 0; at < 90; at++) await receive(simulator, ["x@ruled.test"], `mail ${at}`);
    const { total } = await json<{ total: number }>(
      simulator,
      "GET /v4/domains/ruled.test/logs/count",
    );
    expect(total).toBeLessThanOrEqual(10 + 64);
    expect(total).toBeGreaterThanOrEqual(10);
    const { logs } = await json<{ logs: { subject: string }[] }>(
      simulator,
      "GET /v4/domains/ruled.test/logs",
    );
    expect(logs[0]!.subject).toBe("mail 89");
    await expect(open({ keep: { messages: 0 } })).rejects.toThrow("`keep` is wrong");
  });
});

test("waiting, listing and receiving say what is wrong with what they are given", async () => {
  const simulator = await open();
  const wrong = { subjekt: "x" } as object;
  await expect(simulator.control.waitForMessage(wrong)).rejects.toThrow("unknown option `subjekt`");
  await expect(simulator.control.waitForMessage({}, { timeout: 5 } as object)).rejects.toThrow(
    "`timeout`",
  );
  await expect(simulator.control.messages(wrong)).rejects.toThrow("unknown option `subjekt`");
  for (const [given, said] of [
    [{ message: "x" }, "`envelope`"],
    [{ envelope: { sender: "" }, message: "x" }, "`envelope.recipients`"],
    [{ envelope: { recipients: ["a@own.test"] }, message: "x" }, "`envelope.sender`"],
    [{ envelope: { sender: "", recipients: [] }, message: "x" }, "`envelope.recipients`"],
    [{ envelope: { sender: "", recipients: ["a@own.test"] } }, "`message`"],
    [undefined, "`envelope`"],
  ] as const) {
    await expect(simulator.receive(given as never)).rejects.toThrow(said);
  }
});

test("passwords are not remembered with requests", async () => {
  const simulator = await open();
  const path = "/v4/domains/own.test/credentials";
  const secret = 'hun"ter-2';
  await ask(simulator, `POST ${path}`, { body: { username: "new", password: secret } });
  await ask(simulator, `PUT ${path}/new`, { body: { password: "other-secret" } });
  for (const [type, raw] of [
    ["application/x-www-form-urlencoded", "username=b&password=form-secret"],
    ["application/json", '{"password": "broken-secret'],
    [
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\npart-secret\r\n--x--',
    ],
    [
      "multipart/form-data; boundary=x",
      "--x\nContent-Disposition: form-data; name=password\nX: y\n\nlong-secret\n--x--",
    ],
    ["text/plain", "name=password is kept if no blank line is below\nname=password"],
  ]) {
    await simulator.fetch(
      new Request("http://x/v3/domains/own.test/credentials", {
        method: "POST",
        headers: {
          authorization: `Basic ${btoa(`api:${simulator.apiKey}`)}`,
          "content-type": type!,
        },
        body: raw!,
      }),
    );
  }
  const kept = JSON.stringify(await json(simulator, "GET /_sim/requests"));
  expect(kept).not.toMatch(/ter-2|other-secret|form-secret|broken-secret|part-secret|long-secret/);
  expect(kept).toContain("name=password is kept if no blank line is below\\nname=password");
  expect(kept).toContain("***");
});

test("the clock refuses what no date can hold", async () => {
  const simulator = await open();
  for (const [path, body] of [
    ["set", { nowMs: 8.64e15 + 1 }],
    ["set", { now: "2026-01-01T00:00:00Z", nowMs: 1 }],
    ["advance", { ms: 8.64e15 }],
    ["advance", { ms: -1 }],
    // Version 3 shows times as whole milliseconds.
    ["advance", { ms: 0.5 }],
    ["set", { nowMs: 1.5 }],
  ] as const) {
    expect((await ask(simulator, `POST /_sim/clock/${path}`, { body })).status).toBe(400);
  }
  await expect(simulator.clock.advance(8.64e15)).rejects.toThrow();
  expect(() => simulator.clock.set(Number.NaN)).toThrow();
  expect(() => simulator.clock.set(0.5)).toThrow("give whole milliseconds");
  await expect(open({ nowMs: 0.5 })).rejects.toThrow("whole milliseconds");
});

test("the control plane has an OpenAPI document and a page of all three", async () => {
  const simulator = await open();
  const document = await json<{ paths: Record<string, object>; servers: { url: string }[] }>(
    simulator,
    "GET /_sim/openapi.json",
  );
  expect(document.servers).toEqual([{ url: "/_sim" }]);
  expect(Object.keys(document.paths)).toContain("/messages/{id}/parts/{part}");
  const { text, headers } = await ask(simulator, "GET /_sim/docs");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  for (const url of ["/v4/openapi.json", "/v3/openapi.json", "/_sim/openapi.json"]) {
    expect(text).toContain(url);
  }
});

test("a list of what webhooks received, or mailboxes", async () => {
  const simulator = await open({
    webhooks: "simulated",
    world: {
      domains: [
        {
          domain: "own.test",
          aliases: [{ alias: "*", forward: "ann@dest.test, https://hooks.dest.test/in" }],
        },
      ],
    },
  });
  await receive(simulator, ["x@own.test"]);
  const kinds = async (query: string): Promise<string[]> =>
    (await list(simulator, query)).messages.map(({ kind }) => kind);
  expect((await kinds("")).sort()).toEqual(["mailbox", "webhook"]);
  expect(await kinds("?kind=webhook")).toEqual(["webhook"]);
  expect(await kinds("?kind=mailbox&order=newest&limit=1")).toEqual(["mailbox"]);
  expect(await kinds("?kind=event")).toEqual([]);
  expect((await ask(simulator, "GET /_sim/messages?kind=none")).status).toBe(400);
});

test("a mailbox is looked up by an index, in whatever spelling", async () => {
  const store = createMemoryStore();
  const asked: unknown[] = [];
  const watched: Store = {
    ...store,
    table: (schema) => ({
      ...store.table(schema),
      find(query) {
        asked.push(query.where, query.contains);
        return store.table(schema).find(query);
      },
    }),
  };
  await findMessages(watched, { destination: '"Ann"@MÜLLER.example' }, { limit: 1 });
  expect(asked).toEqual([{ destination: "ann@xn--mller-kva.example" }, undefined]);
  await store.close();
});
