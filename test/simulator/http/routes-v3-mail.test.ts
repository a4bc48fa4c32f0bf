/** Version 3's email logs and SMTP credentials (API v3 §4). */
import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, type Fields, openSite, type Site, START_MS } from "./fixture.ts";

let site: Site;
beforeEach(async () => {
  site = await openSite();
});

const call = (method: string, path: string, json?: unknown): Promise<Answer> =>
  site.send(method, `/v3${path}`, json === undefined ? {} : { json });

const OWN = "/domains/own.test";
const SECONDS = Math.floor(START_MS / 1_000);
const OK = '{"success":true}';

describe("logs", () => {
  const subjects = ({ body }: Answer): unknown[] =>
    (body.logs as Fields[]).map(({ subject }) => subject);

  test("v3-log-get, v3-created-raw: an entry is unwrapped", async () => {
    await site.receive("info@own.test", "One");
    const listed = await call("GET", `${OWN}/logs`);
    const [entry] = listed.body.logs as Fields[];
    expect(Object.keys(entry!)).toEqual([
      "created",
      "created_raw",
      "events",
      "forward",
      "hostname",
      "id",
      "messageId",
      "recipient",
      "sender",
      "subject",
      "transport",
    ]);
    expect([entry!.created, entry!.created_raw]).toEqual([START_MS, START_MS]);
    expect((await call("GET", `${OWN}/logs/${entry!.id}`)).body).toEqual(entry);
  });

  test("v3-log-or-alias, v3-alias-logs: one path, the entry of that id first, then the alias", async () => {
    await site.receive("info@own.test", "One");
    await site.receive("sales@own.test", "Two");
    expect(subjects(await call("GET", `${OWN}/logs/info`))).toEqual(["One"]);
    expect(subjects(await call("GET", `${OWN}/logs/10000002`))).toEqual(["Two", "Two"]);
    const missing = await call("GET", `${OWN}/logs/nobody`);
    expect([missing.status, missing.body.error]).toEqual([404, "alias not found"]);
    expect((await call("GET", "/domains/none.test/logs/info")).body.error).toBe("domain not found");
    await call("POST", `${OWN}/aliases`, { alias: "count", forward: "c@dest.test" });
    expect((await call("GET", `${OWN}/logs/count`)).text).toBe('{"total":3,"success":true}');
  });

  test("v3-next-cursor, v3-logs-page: 200 entries a page, then on from the last one", async () => {
    for (let index = 0; index < 201; index++) await site.receive("info@own.test", `No ${index}`);
    const first = await call("GET", `${OWN}/logs`);
    const logs = first.body.logs as Fields[];
    expect(logs).toHaveLength(200);
    expect(first.body.next_cursor).toBe(logs.at(-1)!.id);
    const second = await call("GET", `${OWN}/logs?next_cursor=${first.body.next_cursor}`);
    expect([subjects(second), second.body.next_cursor]).toEqual([["No 0"], null]);
    const ofAlias = await call("GET", `${OWN}/logs/info?next_cursor=${first.body.next_cursor}`);
    expect(subjects(ofAlias)).toEqual(["No 0"]);
  });

  test("v3-log-count: as in version 4, with success", async () => {
    await site.receive("info@own.test", "One");
    const count = await call("GET", `${OWN}/logs/count?recipient=INFO@own.test&transport=mx`);
    expect(count.text).toBe('{"total":1,"success":true}');
  });

  test("search needs both ends, in seconds, both inclusive", async () => {
    await site.receive("info@own.test", "One");
    await site.receive("info@own.test", "Two");
    const find = (query: string): Promise<Answer> => call("GET", `${OWN}/logs/search?${query}`);
    const all = `after=${SECONDS}&before=${SECONDS + 1}`;
    expect(Object.keys((await find(all)).body)).toEqual(["logs", "success"]);
    expect(subjects(await find(all))).toEqual(["Two", "One"]);
    expect(subjects(await find(`${all}&order=asc`))).toEqual(["One", "Two"]);
    expect(subjects(await find(`after=${SECONDS}&before=${SECONDS}`))).toEqual(["One"]);
    expect(subjects(await find(`${all}&text=TWO`))).toEqual(["Two"]);
    expect(subjects(await find(`${all}&filter=failure`))).toEqual([]);
    expect((await find(`after=${SECONDS}`)).body.errors).toEqual({
      before: ["`before` is missing: give a whole number from 0 to 8640000000000"],
    });
  });
});

test("credentials", async () => {
  const info = { username: "info", created: START_MS, usage: 0 };
  expect((await call("GET", `${OWN}/credentials`)).text).toBe(
    JSON.stringify({ credentials: [info], success: true }),
  );
  const made = await call("POST", `${OWN}/credentials`, { username: "a", password: "p4ssw0rd!" });
  expect(made.text).toBe(
    JSON.stringify({
      credential: { ...info, username: "a" },
      requires_new_mx_check: false,
      success: true,
    }),
  );
  const changed = await call("PUT", `${OWN}/credentials/info`, { password: "another-one" });
  expect(changed.text).toBe(JSON.stringify({ credential: info, success: true }));
  expect((await call("DELETE", `${OWN}/credentials/info`)).text).toBe(OK);
});
