/** Requests that mean harm: nothing of them ends in a 500, in another header, or in an answer that never comes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createApi } from "../../../src/simulator/api/app.ts";
import { API_KEY, type Fields, openSite, WINDOW_MS } from "./fixture.ts";

const ALIASES = "/v4/domains/own.test/aliases";
const INJECTED = "x\r\nX-Injected: 1\r\n\r\n<html>";

describe("URLs", () => {
  test("a long one is refused before anything is read of it", async () => {
    const site = await openSite();
    const long = "a".repeat(LIMITS.urlUnitsMax);
    for (const path of [
      `${ALIASES}?query=${long}`,
      `/v4/${long}`,
      `/v4/domains/${long}`,
      `/${long}`,
    ]) {
      const { status, body } = await site.send("GET", path);
      expect([status, body.message]).toEqual([400, expect.stringContaining("too long")]);
    }
    const { status, body } = await site.send("GET", `/v3/${long}`);
    expect([status, body]).toMatchObject([400, { success: false, code: 400 }]);
    const query = Array.from({ length: 1_500 }, (_, index) => `q${index}=1`).join("&");
    expect((await site.send("GET", `${ALIASES}?${query}`)).status).toBe(200);
  });

  test.each([
    "%",
    "%ff",
    "%00",
    "%2e%2e",
    "..",
    "%2F..%2F",
    "own.test%00",
    "own.test%0d%0aX-Injected:1",
    "*",
    ":domain",
    "__proto__",
    "constructor",
    "\u{1f4e7}",
    "a".repeat(5_000),
  ])("the domain `%s` is none", async (name) => {
    const site = await openSite();
    for (const version of ["v3", "v4"]) {
      for (const rest of ["/aliases", "/rules", "/logs", "/credentials", "/logs/count"]) {
        const { status, headers } = await site.send("GET", `/${version}/domains/${name}${rest}`);
        expect([status, headers.get("x-injected")]).toEqual([404, null]);
      }
    }
    expect(site.defects).toEqual([]);
  });

  test("children of any name are just not there", async () => {
    const site = await openSite();
    const names = [
      "%ff",
      "%00",
      "a%2Fb",
      "__proto__",
      "*",
      "%0d%0a",
      "-1",
      "9".repeat(400),
      "%F0%9F%93%A7",
    ];
    for (const name of names) {
      for (const path of ["aliases", "rules", "logs", "templates"]) {
        const { status } = await site.send("GET", `/v4/domains/own.test/${path}/${name}`);
        expect([name, path, status]).toEqual([name, path, 404]);
      }
      const { status } = await site.send("DELETE", `/v4/domains/own.test/credentials/${name}`);
      expect([name, status]).toEqual([name, 404]);
    }
    expect(site.defects).toEqual([]);
  });
});

test("what is sent never reaches a header", async () => {
  const site = await openSite();
  const sent: [method: string, path: string, json: Fields][] = [
    ["POST", ALIASES, { alias: INJECTED, forward: INJECTED }],
    ["POST", "/v4/domains", { domain: INJECTED, whitelabel: INJECTED }],
    ["PUT", "/v3/domains/own.test", { webhook: `https://x/${INJECTED}` }],
    ["POST", "/v4/domains/own.test/templates", { name: INJECTED, subject: INJECTED }],
    ["POST", "/v4/domains/own.test/credentials", { username: INJECTED, password: INJECTED }],
  ];
  for (const [method, path, json] of sent) {
    const { headers, text } = await site.send(method, path, { json });
    expect([...headers.keys()].sort()).toEqual([
      "content-type",
      "x-ratelimit-limit",
      "x-ratelimit-remaining",
      "x-ratelimit-reset",
    ]);
    expect(text).not.toMatch(/[\r\n]/);
  }
});

test("a message shows little of what was sent", async () => {
  const site = await openSite();
  const json = {
    alias: "x".repeat(1_000_000),
    forward: "y".repeat(1_000_000),
    rank: "z".repeat(9),
  };
  const { status, text } = await site.send("POST", ALIASES, { json });
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(2_000);
});

test("a list of very many wrong addresses is not looked through", async () => {
  const site = await openSite();
  const raw = `{"from":"info","subject":"x","text":"x","to":[${"1,".repeat(5_000_000)}1]}`;
  const { status, text } = await site.send("POST", "/v4/domains/own.test/emails/outbound", { raw });
  expect([status, text.length < 500]).toEqual([400, true]);
});

test("keys of prototypes are keys like others, wherever they stand", async () => {
  const site = await openSite();
  const evil =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1}';
  const bodies: [method: string, path: string, raw: string][] = [
    ["POST", "/v4/domains/own.test/rules", `{"type":"alias","config":${evil}}`],
    ["POST", "/v4/domains/own.test/rules", `{"type":"__proto__","config":${evil}}`],
    [
      "POST",
      "/v4/domains/own.test/rules/batch",
      `{"rules":[${evil},{"type":"constructor","config":${evil}}]}`,
    ],
    [
      "POST",
      "/v3/domains/own.test/rules/batch",
      `{"rules":[${evil},{"type":"cel","config":${evil}}]}`,
    ],
    ["POST", "/v3/domains/own.test/rules/bulk", `{"rules":[${evil}],"behavior":"toString"}`],
    ["PUT", "/v3/domains/own.test/aliases/batch", `{"aliases":[${evil}]}`],
    ["PUT", "/v4/domains/own.test", evil],
    [
      "POST",
      "/v4/domains/own.test/emails/outbound",
      `{"from":"info","to":"a@dest.test","template":"welcome","variables":${evil},"attachments":[${evil}]}`,
    ],
  ];
  for (const [method, path, raw] of bodies) {
    const { status } = await site.send(method, path, { raw });
    expect([path, status < 500]).toEqual([path, true]);
  }
  expect(site.defects).toEqual([]);
  expect(({} as Fields).polluted).toBeUndefined();
});

test("any JSON to any writing endpoint is answered, and never with a 500", async () => {
  const site = await openSite();
  const endpoints = fc.constantFrom(
    ["POST", "/v4/domains"],
    ["PUT", "/v4/domains/own.test"],
    ["POST", ALIASES],
    ["POST", "/v4/domains/own.test/aliases/batch"],
    ["PUT", "/v4/domains/own.test/rules/batch"],
    ["POST", "/v4/domains/own.test/rules"],
    ["POST", "/v4/domains/own.test/emails/outbound"],
    ["PUT", "/v4/domains/own.test/templates/welcome"],
    ["POST", "/v3/domains/own.test/aliases/bulk"],
    ["POST", "/v3/domains/own.test/rules/bulk"],
    ["PUT", "/v3/domains/own.test/rules/6f1c2f0e-4b58-4d0c-9a55-0c9d1c8b7a10"],
  );
  const names = [
    ..."domain alias forward aliases ids rules id type config regex scopes expression rank active".split(
      " ",
    ),
    ..."from to subject text template variables attachments name behavior routing_engine".split(
      " ",
    ),
  ];
  const leaf = fc.oneof(
    fc.constantFrom(
      "own.test",
      "info",
      "a@dest.test",
      "regex",
      "cel",
      "alias",
      "body",
      "update",
      "true",
    ),
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
  );
  const { tree } = fc.letrec<{ tree: unknown; fields: unknown }>((tie) => ({
    fields: fc.dictionary(fc.constantFrom(...names), tie("tree"), { maxKeys: 6 }),
    tree: fc.oneof({ maxDepth: 4 }, leaf, tie("fields"), fc.array(tie("tree"), { maxLength: 3 })),
  }));
  const body = fc.dictionary(fc.constantFrom(...names), tree, { maxKeys: 8 });
  await fc.assert(
    fc.asyncProperty(endpoints, body, async ([method, path], json) => {
      await site.clock.advance(WINDOW_MS);
      const { status } = await site.send(method!, path!, { json });
      expect(status).toBeLessThan(500);
      expect(site.defects).toEqual([]);
    }),
    { seed: 20261120, numRuns: 400 },
  );
});

test("options are closed", async () => {
  const { service } = await openSite();
  const options = { apiKey: API_KEY, onDefect: () => {}, strict: true };
  expect(() => createApi(service, options)).toThrow("unknown option `strict`");
});
