/** Version 4's routes of mail: logs, credentials, sending, templates (API v4 §4). */
import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, type Fields, FREE, openSite, type Site } from "./fixture.ts";

let site: Site;
beforeEach(async () => {
  site = await openSite();
});

const call = (method: string, path: string, json?: unknown): Promise<Answer> =>
  site.send(method, `/v4${path}`, json === undefined ? {} : { json });

const OWN = "/domains/own.test";
const AT = "2026-11-20T09:00:00Z";
const stamps = { created_at: AT, updated_at: AT };

describe("logs", () => {
  const ids = ({ body }: Answer): unknown[] => (body.logs as Fields[]).map(({ id }) => id);

  test("list by cursor, count, get unwrapped, search by offset", async () => {
    for (const subject of ["First", "Second", "Third"])
      await site.receive("info@own.test", subject);
    const first = await call("GET", `${OWN}/logs?limit=2`);
    expect(Object.keys(first.body)).toEqual(["logs", "limit", "cursor", "next_cursor"]);
    expect(first.body).toMatchObject({ limit: 2, cursor: null, next_cursor: expect.any(String) });
    const cursor = first.body.next_cursor;
    const second = await call("GET", `${OWN}/logs?limit=2&cursor=${cursor}`);
    expect(second.body).toMatchObject({ limit: 2, cursor, next_cursor: null });
    expect(ids(second)).toEqual([cursor]);
    expect(Object.keys((second.body.logs as Fields[])[0]!)).toEqual([
      "id",
      "created_at",
      "events",
      "forward",
      "hostname",
      "message_id",
      "recipient",
      "sender",
      "subject",
      "transport",
    ]);
    expect((await call("GET", `${OWN}/logs/${cursor}`)).body).toEqual(
      (second.body.logs as Fields[])[0],
    );
    expect((await call("GET", `${OWN}/logs/none`)).text).toBe(
      '{"message":"log not found","errors":{}}',
    );
    expect((await call("GET", `${OWN}/logs/count?sender=ANN@source.test`)).text).toBe(
      '{"total":3}',
    );
    expect((await call("GET", `${OWN}/logs/count?status=BOUNCED,REFUSED`)).text).toBe(
      '{"total":0}',
    );
    const found = await call("GET", `${OWN}/logs/search?query=secnd&limit=1`);
    expect(found.body).toMatchObject({ limit: 1, offset: 0, total: 1, next_offset: null });
    const all = await call("GET", `${OWN}/logs/search?query=dest.test&limit=2&order=created_asc`);
    expect(all.body).toMatchObject({ limit: 2, offset: 0, total: 3, next_offset: 2 });
    const rest = await call("GET", `${OWN}/logs/search?query=dest.test&limit=2&offset=2`);
    expect(rest.body).toMatchObject({ offset: 2, next_offset: null });
  });

  test("time-parameter: times carry a zone, a date alone is its first moment in UTC", async () => {
    await site.receive("info@own.test", "One");
    const count = async (query: string): Promise<unknown> =>
      (await call("GET", `${OWN}/logs/count?${query}`)).body.total;
    expect(await count("after=2026-11-20T09:00:00Z&before=2026-11-20T09:00:01Z")).toBe(1);
    expect(await count("after=2026-11-20T10:00:00%2B01:00")).toBe(1);
    expect(await count("after=2026-11-20&before=2026-11-21")).toBe(1);
    expect(await count("after=2026-11-21")).toBe(0);
    for (const time of ["2026-11-20T09:00:00", "2026-02-30", "yesterday", "1790000000"]) {
      const { status, body } = await call("GET", `${OWN}/logs?after=${time}`);
      expect([status, body.message]).toEqual([
        400,
        `\`after\` is \`${time}\`: give an ISO 8601 time such as \`2026-11-20T09:00:00Z\``,
      ]);
    }
  });
});

test("credentials: list, create, update, delete; never a password", async () => {
  const INFO_CREDENTIAL = { username: "info", created_at: AT, usage: 0 };
  const listed = await call("GET", `${OWN}/credentials`);
  expect(listed.text).toBe(
    JSON.stringify({ credentials: [INFO_CREDENTIAL], limit: 20, page: 1, total: 1 }),
  );
  const made = await call("POST", `${OWN}/credentials`, {
    username: "sales",
    password: "p4ssw0rd!",
  });
  expect(made.text).toBe(
    JSON.stringify({
      credential: { username: "sales", created_at: AT, usage: 0 },
      requires_new_mx_check: false,
    }),
  );
  const changed = await call("PUT", `${OWN}/credentials/info`, { password: "another-one" });
  expect(changed.body).toEqual({ credential: INFO_CREDENTIAL });
  expect((await call("PUT", `${OWN}/credentials/info`, {})).status).toBe(400);
  expect((await call("DELETE", `${OWN}/credentials/info`)).status).toBe(204);
  expect((await call("DELETE", `${OWN}/credentials/info`)).status).toBe(404);
  await call("POST", "/domains", { domain: "new.test" });
  const first = await call("POST", "/domains/new.test/credentials", {
    username: "a",
    password: "p4ssw0rd!",
  });
  expect(first.body.requires_new_mx_check).toBe(true);
});

describe("send and templates", () => {
  const LETTER = { from: "info", to: ["a@dest.test"], subject: "Hi", text: "Hello" };

  test("what is sent can be followed in the log", async () => {
    const sent = await call("POST", `${OWN}/emails/outbound`, LETTER);
    expect(sent.status).toBe(200);
    expect(Object.keys(sent.body)).toEqual(["id", "message_id"]);
    const { body } = await call("GET", `${OWN}/logs/${sent.body.id}`);
    expect(body).toMatchObject({
      message_id: sent.body.message_id,
      transport: "api",
      subject: "Hi",
    });
  });

  test("send refuses what is missing, and free plans", async () => {
    const { to: _to, ...rest } = LETTER;
    const { status, body } = await call("POST", `${OWN}/emails/outbound`, rest);
    expect([status, body.errors]).toEqual([
      400,
      { to: ["`to` is missing: give a string or an array"] },
    ]);
    const absent = await call("POST", `${OWN}/emails/outbound`, { ...LETTER, template: "none" });
    expect([absent.status, absent.body.message]).toEqual([404, "template not found"]);
    site = await openSite({ plan: FREE ?? {}, domains: [{ domain: "own.test" }] });
    expect((await call("POST", `${OWN}/emails/outbound`, LETTER)).status).toBe(403);
  });

  test("templates: list in short, get, create, rename, delete", async () => {
    const listed = await call("GET", `${OWN}/templates`);
    expect(listed.text).toBe(
      JSON.stringify({
        templates: [{ name: "welcome", description: "", subject: "Hello {{name}}", ...stamps }],
      }),
    );
    const made = await call("POST", `${OWN}/templates`, { name: "bye", html_body: "<p>Bye</p>" });
    expect(made.text).toBe(
      JSON.stringify({
        template: {
          name: "bye",
          description: "",
          subject: "",
          html_body: "<p>Bye</p>",
          text_body: "",
          ...stamps,
        },
      }),
    );
    const renamed = await call("PUT", `${OWN}/templates/bye`, { name: "goodbye" });
    expect(renamed.body.template).toMatchObject({ name: "goodbye", html_body: "<p>Bye</p>" });
    expect((await call("GET", `${OWN}/templates/bye`)).status).toBe(404);
    expect((await call("GET", `${OWN}/templates/goodbye`)).status).toBe(200);
    expect((await call("DELETE", `${OWN}/templates/goodbye`)).status).toBe(204);
  });
});
