/** Each row of both route tables succeeds once, and its answer is in the OpenAPI document; a new row needs a sample here. */
import { expect, test } from "vitest";
import { createApi } from "../../../src/simulator/api/app.ts";
import { parametersOf, type Route } from "../../../src/simulator/api/route.ts";
import { V3 } from "../../../src/simulator/api/v3.ts";
import { V4 } from "../../../src/simulator/api/v4.ts";
import { API_KEY, type Fields, openSite } from "./fixture.ts";
import { holdToDocument } from "./hold-to-document.ts";

const RULE_ID = "6f1c2f0e-4b58-4d0c-9a55-0c9d1c8b7a10";
const alias = { alias: "new", forward: "new@dest.test" };
const rule = { type: "cel", config: { expression: "size > 1", forward: "x@dest.test" } };
const aliases = [{ id: "10000001", forward: "x@dest.test" }];
const credential = { username: "new", password: "p4ssw0rd!" };

interface Sample {
  readonly query?: string;
  readonly body?: Fields;
}

/** Both versions take the same in most places. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  "POST /domains": { body: { domain: "new.test" } },
  "PUT /domains/:domain": { body: { whitelabel: "brand.example" } },
  "POST /domains/:domain/aliases": { body: alias },
  "POST /domains/:domain/aliases/batch": { body: { aliases: [alias] } },
  "POST /domains/:domain/aliases/bulk": { body: { aliases: [alias] } },
  "PUT /domains/:domain/aliases/:id": { body: { forward: "x@dest.test" } },
  "PUT /domains/:domain/aliases/:alias": { body: { forward: "x@dest.test" } },
  "PUT /domains/:domain/aliases/batch": { body: { aliases } },
  "DELETE /domains/:domain/aliases/batch": { body: { ids: ["10000001"] } },
  "DELETE /domains/:domain/aliases": { query: "all=true" },
  "DELETE /domains/:domain/aliases/aliases-all": { query: "all=true" },
  "POST /domains/:domain/rules": { body: rule },
  "POST /domains/:domain/rules/batch": { body: { rules: [rule] } },
  "POST /domains/:domain/rules/bulk": { body: { rules: [rule] } },
  "PUT /domains/:domain/rules/:rule": { body: { rank: 2 } },
  "PUT /domains/:domain/rules/batch": { body: { rules: [{ id: RULE_ID, active: false }] } },
  "DELETE /domains/:domain/rules/batch": { body: { ids: [RULE_ID] } },
  "DELETE /domains/:domain/rules": { query: "all=true" },
  "DELETE /domains/:domain/rules-all": { query: "all=true" },
  "GET /domains/:domain/logs/search": { query: "query=first&after=1&before=4000000000" },
  "POST /domains/:domain/credentials": { body: credential },
  "PUT /domains/:domain/credentials/:username": { body: { password: "p4ssw0rd!" } },
  "POST /domains/:domain/templates": { body: { name: "new" } },
  "PUT /domains/:domain/templates/:name": { body: { description: "x" } },
  "POST /domains/:domain/emails/outbound": {
    body: { from: "info", to: "a@dest.test", subject: "Hi", text: "Hello" },
  },
};

const ROWS: [name: string, version: string, row: Route][] = [V4, V3].flatMap(({ name, routes }) =>
  routes.map((row): [string, string, Route] => [`${name} ${row.method} ${row.path}`, name, row]),
);

test.each(ROWS)("%s", async (_, version, { method, path, answers, body }) => {
  const site = await openSite();
  await site.receive("info@own.test", "First");
  const { body: listed } = await site.send("GET", "/v4/domains/own.test/logs");
  const [log] = listed.logs as { id: string }[];
  const names: Readonly<Record<string, string>> = {
    domain: "own.test",
    id: path.includes("/logs") ? log!.id : "10000001",
    alias: "info",
    rule: RULE_ID,
    username: "info",
    name: "welcome",
    log: log!.id,
  };
  const filled = parametersOf(path).reduce(
    (at, name) => at.replace(`:${name}`, names[name]!),
    path,
  );
  // Version 4's search has times of another form.
  const sample = SAMPLES[`${method} ${path}`] ?? {};
  const query =
    version === "v4" ? sample.query?.replace(/&.*/, "") : sample.query?.replace("query=first&", "");
  if (body !== null) expect(sample.body, "a sample of its body").toBeDefined();
  const at = `/${version}${filled}${query === undefined ? "" : `?${query}`}`;
  const sent = sample.body === undefined ? {} : { json: sample.body };
  const { status, text } = await site.send(method, at, sent);
  expect(Object.keys(answers), text).toContain(String(status));
});

test("an answer that is not in the document is found out", async () => {
  const { service } = await openSite();
  const api = createApi(service, { apiKey: API_KEY, onDefect: () => {} });
  const counts = {
    "x-ratelimit-limit": "1",
    "x-ratelimit-remaining": "1",
    "x-ratelimit-reset": "1",
  };
  const headers = new Headers({ ...counts, "content-type": "application/json" });
  const hold = (status: number, body: Fields, sent: Headers = headers): Promise<void> =>
    holdToDocument(
      api,
      { method: "GET", path: "/v4/domains/own.test/logs/count" },
      { status, headers: sent, text: JSON.stringify(body), body },
    );
  await hold(200, { total: 1 });
  await expect(hold(200, { total: "1" })).rejects.toThrow();
  await expect(hold(200, { total: 1, more: 1 })).rejects.toThrow();
  await expect(hold(200, {})).rejects.toThrow();
  await expect(hold(201, { total: 1 })).rejects.toThrow();
  await expect(hold(404, { message: "x" })).rejects.toThrow();
  await expect(
    hold(200, { total: 1 }, new Headers({ "content-type": "application/json" })),
  ).rejects.toThrow();
});
