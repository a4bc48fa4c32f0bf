/** The OpenAPI documents: whole, sound, and with every row of the API's texts. */
import { describe, expect, test } from "vitest";
import { V3 } from "../../../src/simulator/api/v3.ts";
import { V4 } from "../../../src/simulator/api/v4.ts";
import type { Version } from "../../../src/simulator/api/version.ts";
import { type Fields, openSite } from "./fixture.ts";
import type { OpenApiDocument } from "./hold-to-document.ts";

/** The tables of endpoints in the texts, copied by hand: method and path. */
const STATED_V4 = `
  GET /account
  GET /domains
  GET /domains/:domain
  POST /domains
  PUT /domains/:domain
  POST /domains/:domain/verify
  DELETE /domains/:domain
  GET /domains/:domain/aliases
  GET /domains/:domain/aliases/:id
  POST /domains/:domain/aliases
  POST /domains/:domain/aliases/batch
  PUT /domains/:domain/aliases/:id
  PUT /domains/:domain/aliases/batch
  DELETE /domains/:domain/aliases/:id
  DELETE /domains/:domain/aliases/batch
  DELETE /domains/:domain/aliases
  GET /domains/:domain/rules
  POST /domains/:domain/rules
  POST /domains/:domain/rules/batch
  GET /domains/:domain/rules/:rule
  PUT /domains/:domain/rules/:rule
  PUT /domains/:domain/rules/batch
  DELETE /domains/:domain/rules/:rule
  DELETE /domains/:domain/rules/batch
  DELETE /domains/:domain/rules
  GET /domains/:domain/logs
  GET /domains/:domain/logs/count
  GET /domains/:domain/logs/:id
  GET /domains/:domain/logs/search
  GET /domains/:domain/credentials
  POST /domains/:domain/credentials
  PUT /domains/:domain/credentials/:username
  DELETE /domains/:domain/credentials/:username
  POST /domains/:domain/emails/outbound
  GET /domains/:domain/templates
  GET /domains/:domain/templates/:name
  POST /domains/:domain/templates
  PUT /domains/:domain/templates/:name
  DELETE /domains/:domain/templates/:name
`;

/** `/logs/:id` and `/logs/:alias` are one path; the login link is an extension that clients of version 3 ask for. */
const STATED_V3 = `
  GET /account
  GET /account/generate-login-link
  GET /account/whitelabels
  GET /domains
  GET /domains/:domain
  POST /domains
  PUT /domains/:domain
  GET /domains/:domain/check
  DELETE /domains/:domain
  GET /domains/:domain/aliases
  GET /domains/:domain/aliases/:alias
  POST /domains/:domain/aliases
  POST /domains/:domain/aliases/batch
  PUT /domains/:domain/aliases/:alias
  POST /domains/:domain/aliases/bulk
  PUT /domains/:domain/aliases/batch
  DELETE /domains/:domain/aliases/:alias
  DELETE /domains/:domain/aliases/batch
  DELETE /domains/:domain/aliases/aliases-all
  GET /domains/:domain/rules
  POST /domains/:domain/rules
  POST /domains/:domain/rules/batch
  GET /domains/:domain/rules/:rule
  PUT /domains/:domain/rules/:rule
  POST /domains/:domain/rules/bulk
  PUT /domains/:domain/rules/batch
  DELETE /domains/:domain/rules/:rule
  DELETE /domains/:domain/rules/batch
  DELETE /domains/:domain/rules-all
  GET /domains/:domain/logs
  GET /domains/:domain/logs/count
  GET /domains/:domain/logs/:log
  GET /domains/:domain/logs/search
  GET /domains/:domain/credentials
  POST /domains/:domain/credentials
  PUT /domains/:domain/credentials/:username
  DELETE /domains/:domain/credentials/:username
`;

const lines = (text: string): string[] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .sort();

async function documentOf({ name }: Version): Promise<OpenApiDocument & Fields> {
  const site = await openSite();
  const headers = { authorization: "" };
  const { status, body } = await site.send("GET", `/${name}/openapi.json`, { headers });
  expect(status).toBe(200);
  return body as OpenApiDocument & Fields;
}

describe.each([
  [V4, STATED_V4],
  [V3, STATED_V3],
])("$name", (version, stated) => {
  test("every row of the text is there, and nothing else", async () => {
    const { paths } = await documentOf(version);
    const written = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map(
        (method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`,
      ),
    );
    expect(written.sort()).toEqual(lines(stated));
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
