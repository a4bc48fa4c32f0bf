/** The control plane over HTTP: its table, its errors, whom it lets in, and the endpoints of time, faults and DNS. */
import { describe, expect, test } from "vitest";
import { fromLoopback, withKey } from "../../../src/simulator/control/access.ts";
import { CONTROL_ROUTES } from "../../../src/simulator/control/app.ts";
import { ask, json, statuses } from "../client.ts";
import { open, receive } from "./open.ts";

test("the table is served, and every row of it answers", async () => {
  const simulator = await open();
  const { endpoints } = await json<{ endpoints: { method: string; path: string }[] }>(
    simulator,
    "GET /_sim/",
  );
  expect(endpoints).toHaveLength(CONTROL_ROUTES.length);
  expect(await json(simulator, "GET /_sim")).toEqual({ endpoints });
  for (const { method, path } of endpoints) {
    // The one that never ends of itself.
    if (path.endsWith("/events")) continue;
    const query = path.endsWith("/wait") ? "?timeoutMs=0" : "";
    const { status } = await ask(simulator, `${method} ${path}${query}`);
    expect([200, 204, 400, 404], `${method} ${path}`).toContain(status);
  }
});

test("what is wrong with a request is told in one shape", async () => {
  const simulator = await open();
  const cases: [what: string, body: unknown, status: number, path: string | null][] = [
    ["GET /_sim/nowhere", undefined, 404, null],
    ["DELETE /_sim/reset", undefined, 405, null],
    ["DELETE /_sim/faults/none", undefined, 404, null],
    ["POST /_sim/clock/advance", { ms: -1 }, 400, "ms"],
    ["POST /_sim/clock/advance", [], 400, null],
    ["POST /_sim/clock/set", { nowMs: 1e99 }, 400, "nowMs"],
    ["POST /_sim/clock/set", {}, 400, "nowMs"],
    ["POST /_sim/faults", { code: 450 }, 400, "match"],
    ["POST /_sim/faults", { match: "*", colour: 1 }, 400, "colour"],
    ["POST /_sim/seed", { domain: [] }, 400, "domain"],
    ["PUT /_sim/dns", { type: "A", name: "own.test", values: [] }, 400, "type"],
    ["DELETE /_sim/dns?type=MX", undefined, 400, "name"],
    ["POST /_sim/messages", { recipients: [] }, 400, "recipients"],
    ["POST /_sim/messages", { recipients: ["a@own.test"], message: "", colour: 1 }, 400, "colour"],
    [
      "POST /_sim/messages",
      { sender: "nobody", recipients: ["a@own.test"], message: "" },
      400,
      "sender",
    ],
    ["GET /_sim/messages?limit=0", undefined, 400, "limit"],
    ["GET /_sim/events?after=x", undefined, 400, "after"],
  ];
  for (const [what, body, status, path] of cases) {
    const answer = await ask(simulator, what, { body });
    const said: { message: string; errors: { path: string; message: string }[] } = JSON.parse(
      answer.text,
    );
    expect([what, answer.status, said.errors[0]?.path ?? null]).toEqual([what, status, path]);
    for (const message of [said.message, ...said.errors.map((error) => error.message)]) {
      expect(message).toMatch(/^[^A-Z][^\n]*[^.\n]$/);
    }
  }
  for (const [what, body, said] of [
    ["POST /_sim/messages", { recipients: [], message: "" }, "an array of 1 to 100 entries"],
    ["DELETE /_sim/messages", { ids: Array(1_001).fill("x") }, "an array of at most 1000 entries"],
    ["POST /_sim/faults", { match: "*", probability: 2 }, "a number from 0 to 1"],
    ["POST /_sim/faults", { match: "" }, "a string of 1 to "],
  ] as const) {
    expect((await ask(simulator, what, { body })).text).toContain(`give ${said}`);
  }
  const noJson = new Request("http://localhost/_sim/seed", { method: "POST", body: "{" });
  expect(await (await simulator.fetch(noJson)).text()).toContain("the body is not JSON");
});

describe("whom it lets in", () => {
  const request = (headers: Readonly<Record<string, string>>): Request =>
    new Request("http://x/_sim/clock", { headers });
  const LET_IN = [
    {},
    { host: "localhost:8025" },
    { host: "127.0.0.1" },
    { host: "127.9.9.9:1" },
    { host: "[::1]:8025" },
    { host: "mail.localhost:8025" },
    { host: "localhost:8025", origin: "http://localhost:8025" },
    { host: "localhost:8025", "sec-fetch-site": "same-origin" },
    { host: "localhost:8025", "sec-fetch-site": "none" },
  ];
  test.each(LET_IN)("%o comes from this machine", (headers) => {
    expect(fromLoopback(request(headers))).toBeNull();
  });

  const KEPT_OUT = [
    { host: "evil.example" },
    { host: "localhost.evil.example:8025" },
    { host: "127.0.0.1.evil.example" },
    { host: "10.0.0.1:8025" },
    { host: "localhost:8025", origin: "http://evil.example" },
    { host: "localhost:8025", origin: "http://localhost:3000" },
    { host: "localhost:8025", origin: "null" },
    { host: "localhost:8025", "sec-fetch-site": "cross-site" },
    { host: "localhost:8025", "sec-fetch-site": "same-site" },
    { origin: "http://evil.example" },
  ];
  test.each(KEPT_OUT)("%o does not", async (headers) => {
    expect(fromLoopback(request(headers))?.status).toBe(403);
    const simulator = await open();
    const { status, text } = await ask(simulator, "POST /_sim/reset", { headers });
    expect([status, JSON.parse(text).errors]).toEqual([403, []]);
  });

  test("with a key, whoever has it, but no other page", () => {
    const access = withKey((authorization) => authorization === "right");
    const host = "mail.example:8025";
    expect(access(request({ host, authorization: "right" }))).toBeNull();
    expect(access(request({ host, authorization: "wrong" }))?.status).toBe(401);
    expect(access(request({ host }))?.status).toBe(401);
    const origin = "http://evil.example";
    expect(access(request({ host, origin, authorization: "right" }))?.status).toBe(403);
  });
});

test("the clock stands, runs, is set and moved on", async () => {
  const simulator = await open({ nowMs: 0 });
  const [id] = await receive(simulator, ["later@own.test"]);
  const clock = (what: string, body?: unknown): Promise<unknown> =>
    json(simulator, `${body === undefined && what === "" ? "GET" : "POST"} /_sim/clock${what}`, {
      body,
    });
  expect(await clock("")).toEqual({ nowMs: 0, now: "1970-01-01T00:00:00.000Z", frozen: true });
  expect(await clock("/advance", { ms: 300_000 })).toMatchObject({ nowMs: 300_000 });
  expect(await statuses(simulator, id!)).toEqual(["QUEUED", "SOFT-BOUNCE", "SOFT-BOUNCE"]);
  expect(await clock("/set", { now: "2030-01-01T01:00:00+01:00" })).toMatchObject({
    now: "2030-01-01T00:00:00.000Z",
    frozen: true,
  });
  expect(await clock("/unfreeze")).toMatchObject({ frozen: false });
  expect(await clock("/freeze")).toMatchObject({ frozen: true });
  expect(await clock("/set", { nowMs: 5 })).toMatchObject({ nowMs: 5 });
});

test("faults strike until they are removed", async () => {
  const simulator = await open();
  const { fault } = await json<{ fault: { id: string } }>(simulator, "POST /_sim/faults", {
    body: { match: "*@dest.test", code: 550 },
  });
  expect(await json(simulator, "GET /_sim/faults")).toEqual({ faults: [fault] });
  const [first] = await receive(simulator, ["x@ruled.test"]);
  expect(await statuses(simulator, first!)).toEqual(["QUEUED", "HARD-BOUNCE"]);
  await json(simulator, `DELETE /_sim/faults/${fault.id}`, { status: 204 });
  const [second] = await receive(simulator, ["x@ruled.test"]);
  expect(await statuses(simulator, second!)).toEqual(["QUEUED", "DELIVERED"]);
  await simulator.control.faults.add({ match: "*" });
  expect(await json(simulator, "DELETE /_sim/faults")).toEqual({ removed: 1 });
});

test("DNS answers take the place of the expected ones", async () => {
  const simulator = await open();
  const verify = async (): Promise<boolean> => {
    const what = "POST /v4/domains/own.test/verify";
    return (await json<{ records: { valid: boolean } }>(simulator, what)).records.valid;
  };
  expect(await verify()).toBe(true);
  const entry = { type: "MX", name: "own.test", values: ["mx.elsewhere.test"] };
  expect(await json(simulator, "PUT /_sim/dns", { body: entry })).toEqual({ records: [entry] });
  expect(await verify()).toBe(false);
  expect(await json(simulator, "GET /_sim/dns")).toEqual({ records: [entry] });
  await json(simulator, "DELETE /_sim/dns?type=MX&name=own.test");
  expect(await verify()).toBe(true);
});
