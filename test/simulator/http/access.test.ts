/** Who may ask, how often, and what is not there: credentials, rate limits, unknown paths and methods. */
import { describe, expect, test } from "vitest";
import {
  type Answer,
  API_KEY,
  EXAMPLE,
  type Fields,
  FREE,
  openSite,
  START_MS,
  WINDOW_MS,
} from "./fixture.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("credentials", () => {
  test.each([
    ["Base64", `Basic ${base64(`api:${API_KEY}`)}`],
    ["raw-basic: unencoded", `Basic api:${API_KEY}`],
    ["any case of the scheme, blanks around", `bAsIc   ${base64(`api:${API_KEY}`)} `],
  ])("taken: %s", async (_, authorization) => {
    const site = await openSite();
    for (const version of ["v3", "v4"]) {
      const { status } = await site.send("GET", `/${version}/account`, {
        headers: { authorization },
      });
      expect(status).toBe(200);
    }
  });

  test.each([
    ["none", ""],
    ["another key", `Basic ${base64("api:other")}`],
    ["another user", `Basic ${base64(`root:${API_KEY}`)}`],
    ["no user", `Basic ${base64(API_KEY)}`],
    ["another scheme", `Bearer ${API_KEY}`],
    ["two values", `Basic ${base64(`api:${API_KEY}`)}, Basic x`],
    ["a longer key", `Basic api:${API_KEY}:more`],
    ["not Base64", "Basic ====="],
    ["letters of two octets", "Basic ÄÖÜ"],
  ])("refused: %s", async (_, authorization) => {
    const site = await openSite();
    const headers = { authorization };
    const v4 = await site.send("DELETE", "/v4/domains/own.test", { headers });
    expect([v4.status, v4.headers.get("www-authenticate")]).toEqual([
      401,
      'Basic realm="API", charset="UTF-8"',
    ]);
    expect(Object.keys(v4.body)).toEqual(["message", "errors"]);
    const v3 = await site.send("DELETE", "/v3/domains/own.test", { headers });
    expect(v3.body).toMatchObject({ errors: {}, success: false, code: 401 });
    expect((await site.send("GET", "/v4/domains/own.test")).status).toBe(200);
  });
});

describe("rate limits", () => {
  const counts = ({ headers }: Answer): unknown[] =>
    ["limit", "remaining", "reset"].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

  test.each([
    ["free", FREE, 30],
    ["paid", {}, 200],
  ])("rate-window: %s plans, from the first request", async (_, plan, max) => {
    const site = await openSite({ plan: plan ?? {} });
    const end = Math.ceil((START_MS + WINDOW_MS) / 1_000);
    for (let left = max - 1; left >= 0; left--) {
      const answer = await site.send("GET", "/v4/account");
      expect([answer.status, ...counts(answer)]).toEqual([200, max, left, end]);
      expect(answer.headers.get("retry-after")).toBeNull();
    }
    await site.clock.advance(1_000);
    const refused = await site.send("GET", "/v4/account");
    expect([refused.status, ...counts(refused)]).toEqual([429, max, 0, end]);
    expect(refused.headers.get("retry-after")).toBe("59");
    expect(refused.body).toEqual({ message: "too many requests: wait 59 seconds", errors: {} });
    await site.clock.advance(WINDOW_MS - 1_001);
    expect((await site.send("GET", "/v4/account")).headers.get("retry-after")).toBe("1");
    await site.clock.advance(1);
    expect(counts(await site.send("GET", "/v4/account"))[1]).toBe(max - 1);
  });

  test("the send endpoint has ten requests, refused ones included", async () => {
    const site = await openSite();
    for (let index = 0; index < 10; index++) {
      const { status, headers } = await site.send("POST", "/v4/domains/own.test/emails/outbound", {
        json: {},
      });
      expect([status, headers.get("x-ratelimit-limit")]).toEqual([400, "10"]);
    }
    const { status } = await site.send("POST", "/v4/domains/own.test/emails/outbound", {
      json: {},
    });
    expect(status).toBe(429);
    expect((await site.send("GET", "/v4/domains/own.test")).status).toBe(200);
  });

  test("endpoints are counted by pattern, method and version, not by path", async () => {
    const site = await openSite();
    const left = async (method: string, path: string): Promise<unknown> =>
      counts(await site.send(method, path))[1];
    expect(await left("GET", "/v4/domains/own.test")).toBe(199);
    expect(await left("GET", "/v4/domains/none.test/")).toBe(198);
    expect(await left("HEAD", "/v4/domains/own.test")).toBe(197);
    expect(await left("DELETE", "/v4/domains/none.test")).toBe(199);
    expect(await left("GET", "/v3/domains/own.test")).toBe(199);
    expect(await left("GET", "/v4/nothing")).toBe(199);
    expect(await left("GET", "/v4/nothing/else")).toBe(198);
  });

  test("rate-strangers: requests without credentials are counted apart", async () => {
    const site = await openSite(EXAMPLE);
    const headers = { authorization: "Basic eDp5" };
    for (let index = 0; index < 200; index++) {
      expect((await site.send("GET", "/v4/account", { headers })).status).toBe(401);
    }
    expect((await site.send("GET", "/v4/account", { headers })).status).toBe(429);
    expect(counts(await site.send("GET", "/v4/account"))[1]).toBe(199);
  });

  test("a clock that is set back opens a new window", async () => {
    const site = await openSite();
    await site.send("GET", "/v4/account");
    site.clock.set(START_MS - 1_000);
    expect(counts(await site.send("GET", "/v4/account"))).toEqual([
      200,
      199,
      Math.ceil((START_MS - 1_000 + WINDOW_MS) / 1_000),
    ]);
  });
});

describe("paths and methods", () => {
  test("unknown paths are 404 in the words of their version", async () => {
    const site = await openSite();
    const at = async (path: string): Promise<Answer> => site.send("GET", path);
    for (const path of [
      "/v4",
      "/v4/",
      "/v4/nothing",
      "/v4/domains/own.test/nothing",
      "/v5/account",
      "/",
    ]) {
      const { status, body, headers } = await at(path);
      expect([path, status, body]).toEqual([path, 404, { message: "path not found", errors: {} }]);
      expect(headers.get("x-ratelimit-limit")).toBe("200");
    }
    expect((await at("/v3/nothing")).body).toMatchObject({ success: false, code: 404 });
    expect((await at("/v3/domains/own.test/emails/outbound")).status).toBe(404);
  });

  test("a trailing slash does not matter, two do", async () => {
    const site = await openSite();
    expect((await site.send("GET", "/v4/account/")).status).toBe(200);
    expect((await site.send("GET", "/v4/domains/?limit=1")).body.limit).toBe(1);
    expect((await site.send("GET", "/v4/account//")).status).toBe(404);
  });

  test("method-not-allowed: 405 with the methods there are", async () => {
    const site = await openSite();
    const patch = await site.send("PATCH", "/v4/domains/own.test", { json: {} });
    expect([patch.status, patch.headers.get("allow")]).toEqual([
      405,
      "GET, PUT, DELETE, HEAD, OPTIONS",
    ]);
    expect(patch.body).toEqual({
      message: "this path does not take the method: use GET, PUT, DELETE, HEAD, OPTIONS",
      errors: {},
    });
    const head = await site.send("HEAD", "/v3/domains/own.test/rules-all");
    expect([head.status, head.headers.get("allow")]).toEqual([405, "DELETE, OPTIONS"]);
  });

  test("HEAD is GET without its body; OPTIONS tells the methods", async () => {
    const site = await openSite();
    const head = await site.send("HEAD", "/v4/account");
    expect([head.status, head.text]).toEqual([200, ""]);
    const options = await site.send("OPTIONS", "/v4/domains");
    expect([options.status, options.text, options.headers.get("allow")]).toEqual([
      204,
      "",
      "GET, POST, HEAD, OPTIONS",
    ]);
    const headers = { authorization: "" };
    expect((await site.send("OPTIONS", "/v4/domains", { headers })).status).toBe(401);
  });
});

test("v3-error-fields: what version 3's clients read, on every kind of problem", async () => {
  const site = await openSite({ ...EXAMPLE, plan: { domains_limit: 1 } });
  const field = await site.send("GET", "/v3/domains?limit=0");
  const limit = "`limit` is `0`: give a whole number from 1 to 100";
  expect([field.status, field.body]).toEqual([400, { errors: { limit: [limit] }, success: false }]);
  const bare = { authorization: "" };
  const json = { domain: "second.test" };
  for (const [method, path, sent, code, about] of [
    ["GET", "/v3/domains/none.test", {}, 404, "domain"],
    ["GET", "/v3/domains/own.test/aliases/none", {}, 404, "alias"],
    ["GET", "/v3/nowhere", {}, 404, "path"],
    ["GET", "/v3/domains", { headers: bare }, 401, "authorization"],
    ["PATCH", "/v3/domains", {}, 405, "method"],
    ["POST", "/v3/domains", { raw: "[]" }, 400, "body"],
    ["POST", "/v3/domains", { json }, 403, "domain"],
  ] as const) {
    const { status, body } = await site.send(method, path, sent);
    const { errors, error } = body as { errors: Fields; error: string };
    expect([status, body]).toEqual([
      code,
      { errors: { [about]: [error] }, success: false, error, code },
    ]);
    expect(errors[about]).toHaveLength(1);
  }
});

test("a defect is told to its owner, and to the client as a bare 500", async () => {
  const site = await openSite();
  Object.assign(site.service, {
    dns: {
      mx: () => {
        throw new Error("the secret of our inside");
      },
    },
  });
  const v4 = await site.send("POST", "/v4/domains/own.test/verify");
  expect([v4.status, v4.body]).toEqual([500, { message: "server error", errors: {} }]);
  const v3 = await site.send("GET", "/v3/domains/own.test/check");
  expect([v3.status, v3.text]).toEqual([
    500,
    '{"errors":{"server":["server error"]},"success":false,"error":"server error","code":500}',
  ]);
  expect(site.defects.map(String)).toEqual([
    "Error: the secret of our inside",
    "Error: the secret of our inside",
  ]);
});
