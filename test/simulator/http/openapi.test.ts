/** The OpenAPI documents: whole, sound, and with every row of the API's texts. */
import { describe, expect, test } from "vitest";
import { createApi } from "../../../src/simulator/api/app.ts";
import { V3 } from "../../../src/simulator/api/v3.ts";
import { V4 } from "../../../src/simulator/api/v4.ts";
import type { Version } from "../../../src/simulator/api/version.ts";
import { CONTRACT_V3, EXTENSIONS_V3 } from "../api/contract-v3.ts";
import { CONTRACT_V4, EXTENSIONS_V4 } from "../api/contract-v4.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { API_KEY, type Fields, openSite } from "./fixture.ts";
import { holdToDocument, type OpenApiDocument } from "./hold-to-document.ts";

/** Method and path of a row; parameters have other names in the texts, where two rows may be one path. */
const nameless = (rows: readonly Pick<Endpoint, "method" | "path">[]): string[] =>
  [...new Set(rows.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ":")}`))].sort();

async function documentOf({ name }: Version): Promise<OpenApiDocument & Fields> {
  const site = await openSite();
  const headers = { authorization: "" };
  const { status, body } = await site.send("GET", `/${name}/openapi.json`, { headers });
  expect(status).toBe(200);
  return body as OpenApiDocument & Fields;
}

describe.each([
  [V4, [...CONTRACT_V4, ...EXTENSIONS_V4]],
  [V3, [...CONTRACT_V3, ...EXTENSIONS_V3]],
])("$name", (version, stated) => {
  test("every row of the text is there, and nothing else", async () => {
    const { paths } = await documentOf(version);
    const written = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => ({
        method: method.toUpperCase() as Endpoint["method"],
        path: path.replace(/\{(\w+)\}/g, ":$1"),
      })),
    );
    expect(nameless(written)).toEqual(nameless(stated));
    expect(nameless(version.routes)).toEqual(nameless(stated));
  });

  test("all references lead somewhere, operation ids are unique, path parameters are told", async () => {
    const document = await documentOf(version);
    expect(document.openapi).toBe("3.1.0");
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w.-]+)"/g)];
    expect(references.length).toBe(text.split('"$ref"').length - 1);
    const components = document.components as unknown as Record<string, Fields>;
    for (const [, kind, name] of references) expect(components[kind!]).toHaveProperty([name!]);
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.values(item).map((operation) => ({ path, operation: operation as unknown as Fields })),
    );
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      const parameters = operation.parameters as Fields[];
      const told = parameters.filter((each) => each.in === "path").map((each) => `{${each.name}}`);
      expect(told).toEqual(path.match(/\{\w+\}/g) ?? []);
      for (const each of parameters) expect(each.description ?? each.in).toBeTruthy();
    }
  });

  test("no row hides another: literals come before parameters", () => {
    const shapes = version.routes.map(
      ({ method, path }) => `${method} ${path.replace(/:\w+/g, ":")}`,
    );
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test("it is the same each time", async () => {
    expect(JSON.stringify(await documentOf(version))).toBe(
      JSON.stringify(await documentOf(version)),
    );
  });
});

test("defaults, bounds, extensions and body limits are told", async () => {
  const { paths } = await documentOf(V4);
  const operation = (path: string, method: string): Fields =>
    paths[path]![method] as unknown as Fields;
  const parameters = operation("/domains/{domain}/logs", "get").parameters as Fields[];
  expect(parameters.find(({ name }) => name === "limit")).toEqual({
    name: "limit",
    in: "query",
    required: false,
    description: "entries of a page",
    schema: { type: "integer", minimum: 1, maximum: 200, default: 100 },
  });
  const search = operation("/domains/{domain}/logs/search", "get").parameters as Fields[];
  const told = (of: Fields[]): unknown => of.find(({ name }) => name === "sender")!.description;
  expect([told(parameters), told(search)]).toEqual([
    "exact match, case-insensitive",
    "substring match, case-insensitive",
  ]);
  const create = JSON.stringify(operation("/domains", "post").requestBody);
  for (const name of [
    "routing_engine",
    "rules_fallback_email",
    "notify_when_spam_blocked",
    "strict_mxes",
  ]) {
    expect(create).toContain(`"${name}"`);
  }
  const batch = JSON.stringify(operation("/domains/{domain}/rules/batch", "post").requestBody);
  expect(batch).toContain('"maxItems":500');
  expect(batch).toContain('"scopes"');
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
