/** Every field of every request, generated from the schemas: wrong types, bounds, unknown names. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { type JsonSchema, toJsonSchema, typesOf } from "../../../src/simulator/api/json-schema.ts";
import { parametersOf, type Route } from "../../../src/simulator/api/route.ts";
import { V3 } from "../../../src/simulator/api/v3.ts";
import { V4 } from "../../../src/simulator/api/v4.ts";
import { type Answer, type Fields, openSite, type Site, WINDOW_MS } from "./fixture.ts";

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  string: ["x"],
  number: [1.5],
  integer: [7],
  boolean: [true],
  null: [null],
  array: [[], ["x"]],
  object: [{}, { a: 1 }, { length: 1 }],
};

/** JSON values of all types that the schema has not. */
function wrongValues(schema: JsonSchema): unknown[] {
  const right: string[] = [...typesOf(schema)];
  if (right.includes("number")) right.push("integer");
  const wrong = Object.keys(VALUES).filter((type) => !right.includes(type));
  return wrong.flatMap((type) => VALUES[type]!);
}

const ROWS: [name: string, version: string, row: Route][] = [V4, V3].flatMap(({ name, routes }) =>
  routes.map((row): [string, string, Route] => [`${name} ${row.method} ${row.path}`, name, row]),
);

const SAMPLES: Readonly<Record<string, string>> = {
  domain: "own.test",
  id: "10000001",
  alias: "info",
  rule: "6f1c2f0e-4b58-4d0c-9a55-0c9d1c8b7a10",
  username: "info",
  name: "welcome",
  log: "info",
};

function pathOf(version: string, { path }: Route): string {
  const filled = parametersOf(path).reduce(
    (text, name) => text.replace(`:${name}`, SAMPLES[name]!),
    path,
  );
  return `/${version}${filled}`;
}

/** Each request in a window of its own. */
async function ask(site: Site, method: string, path: string, json?: unknown): Promise<Answer> {
  await site.clock.advance(WINDOW_MS);
  const answer = await site.send(method, path, json === undefined ? {} : { json });
  expect(site.defects).toEqual([]);
  return answer;
}

function expectRefusal({ status, body, text }: Answer, name: string): void {
  expect(status, text).toBe(400);
  const errors = body.errors as Readonly<Record<string, string[]>>;
  expect(Object.keys(errors), text).toContain(name);
  for (const message of errors[name]!) {
    expect(message).toMatch(/^`[^`]+` is .+: (?:give|use|remove) .+[^.]$/);
    expect(message).not.toMatch(/[Ii]nvalid|expected|received|undefined/);
  }
}

describe("bodies", () => {
  test.each(ROWS.filter(([, , row]) => row.body !== null))("%s", async (_, version, row) => {
    const site = await openSite();
    const path = pathOf(version, row);
    const properties = Object.entries(toJsonSchema(row.body!, "sent").properties ?? {});
    expect(properties.length).toBeGreaterThan(0);
    for (const [name, schema] of properties) {
      const values = wrongValues(schema);
      expect(values.length).toBeGreaterThan(3);
      for (const value of values) {
        expectRefusal(await ask(site, row.method, path, { [name]: value }), name);
      }
    }
  });
});

function wrongTexts(schema: JsonSchema): readonly string[] {
  const types = typesOf(schema);
  if (types.includes("integer")) {
    const { minimum = 0, maximum = 0 } = schema;
    const outside = [minimum - 1, maximum + 1].map(String);
    return [
      ...outside,
      "x",
      "1.5",
      "1e1",
      "0x10",
      " 1",
      "+1",
      "null",
      "NaN",
      "9".repeat(40),
      "[1]",
    ];
  }
  if (types.includes("boolean")) return ["x", "2", "TRUE", "null", "yes"];
  const isOpen = schema.enum === undefined && schema.const === undefined;
  return isOpen && schema.pattern === undefined && schema.anyOf === undefined
    ? []
    : ["x", "\u0000"];
}

describe("queries", () => {
  const rows = ROWS.filter(([, , row]) => Object.keys(row.query.shape).length > 0);
  test.each(rows)(
    "page-bounds: %s refuses what is no value of a parameter, or out of bounds",
    async (_, version, row) => {
      const site = await openSite();
      const path = pathOf(version, row);
      for (const [name, schema] of Object.entries(
        toJsonSchema(row.query, "sent").properties ?? {},
      )) {
        for (const text of wrongTexts(schema)) {
          const query = new URLSearchParams({ [name]: text });
          expectRefusal(await ask(site, row.method, `${path}?${query}`), name);
        }
      }
    },
  );
});

describe("unknown fields", () => {
  const NAMES = ["colour", "__proto__", "constructor", "toString", "Alias"];

  test("are ignored by default", async () => {
    const site = await openSite();
    const raw =
      '{"alias":"a","forward":"a@dest.test","colour":1,"__proto__":{"alias":7},"constructor":null}';
    const query = NAMES.map((name) => `${name}=1`).join("&");
    const { status } = await site.send("POST", `/v4/domains/own.test/aliases?${query}`, { raw });
    expect(status).toBe(200);
    expect(({} as Fields).alias).toBeUndefined();
  });

  test.each(["v3", "v4"])("are named when they are refused (%s)", async (version) => {
    const site = await openSite(undefined, { unknownFields: "refused" });
    const path = `/${version}/domains/own.test/aliases`;
    for (const name of NAMES) {
      const raw = `{"alias":"a","forward":"a@dest.test",${JSON.stringify(name)}:{}}`;
      const { status, text } = await site.send("POST", path, { raw });
      expect(status).toBe(400);
      const told = `{"${name}":["\`${name}\` is not a field of this request: remove it"]}`;
      expect(text).toContain(`"errors":${told}`);
      expect((await site.send("GET", `${path}?${name}=1`)).text).toContain(`"errors":${told}`);
    }
    const known = await site.send("POST", path, { json: { alias: "a", forward: "a@dest.test" } });
    expect(known.status).toBe(200);
  });

  test("only so many are named", async () => {
    const site = await openSite(undefined, { unknownFields: "refused" });
    const json = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`f${index}`, 1]),
    );
    const { status, body } = await site.send("PUT", "/v4/domains/own.test", { json });
    expect([status, Object.keys(body.errors as Fields).length]).toEqual([
      400,
      LIMITS.unknownFieldsMax,
    ]);
  });

  test("all that is wrong is told at once, in the order of the text", async () => {
    const site = await openSite(undefined, { unknownFields: "refused" });
    const json = { colour: 1, active: "yes", config: [], rank: "high" };
    const { body } = await site.send("POST", "/v4/domains/own.test/rules", { json });
    expect(body).toEqual({
      message: "`type` is missing: give one of `alias`, `regex`, `cel`",
      errors: {
        type: ["`type` is missing: give one of `alias`, `regex`, `cel`"],
        config: ["`config` is an array: give an object"],
        rank: ["`rank` is `high`: give a number"],
        active: ["`active` is `yes`: give true or false"],
        colour: ["`colour` is not a field of this request: remove it"],
      },
    });
    expect(Object.keys(body.errors as Fields)[0]).toBe("type");
  });
});

test("numbers that JSON can write and JavaScript cannot hold are refused", async () => {
  const site = await openSite();
  const config = '{"alias":"a","forward":"a@dest.test"}';
  for (const rank of ["1e999", "-1e999"]) {
    const raw = `{"type":"alias","config":${config},"rank":${rank}}`;
    const { status, body } = await site.send("POST", "/v4/domains/own.test/rules", { raw });
    expect([status, Object.keys(body.errors as Fields)]).toEqual([400, ["rank"]]);
  }
});
