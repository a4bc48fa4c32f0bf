/** Every endpoint row of both API texts: it answers as stated, and refuses what the text says it refuses. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { holdToDocument } from "../http/hold-to-document.ts";
import { CONTRACT_V3, EXTENSIONS_V3, ROWS_V3 } from "./contract-v3.ts";
import { CONTRACT_V4, EXTENSIONS_V4, ROWS_V4 } from "./contract-v4.ts";
import {
  SEND_ERROR_ROWS,
  SEND_REFUSALS_APART,
  sendV4,
  TEMPLATE_ERROR_ROWS,
  TEMPLATE_REFUSALS_APART,
  templatesV4,
} from "./contract-v4-send.ts";
import {
  type BodyParameter,
  type Endpoint,
  parametersOf,
  pathOf,
  type QueryParameter,
  type Sent,
} from "./endpoint.ts";
import {
  type Answer,
  basic,
  type Fields,
  headerFaults,
  type Names,
  openWorld,
  type Version,
  WINDOW_MS,
  type World,
  withQuery,
} from "./fixtures.ts";
import { expectProblem } from "./problem.ts";
import { mismatches } from "./shape.ts";
import { absence } from "./simulator-port.ts";

const VERSIONS: readonly [Version, readonly Endpoint[], number, readonly Endpoint[]][] = [
  ["v4", CONTRACT_V4, ROWS_V4, EXTENSIONS_V4],
  ["v3", CONTRACT_V3, ROWS_V3, EXTENSIONS_V3],
];

describe("the tables", () => {
  test.each(VERSIONS)("%s has every row of its text once", (_version, rows, counted) => {
    expect(rows).toHaveLength(counted);
    expect(new Set(rows.map(({ method, path }) => `${method} ${path}`)).size).toBe(counted);
  });

  test("the tables of errors of send and templates are whole", () => {
    const conditions = (rows: readonly Endpoint[], apart: readonly string[]): Set<string> =>
      new Set([...rows.flatMap(({ refusals }) => refusals.map(({ when }) => when)), ...apart]);
    expect(conditions(sendV4, SEND_REFUSALS_APART).size).toBe(SEND_ERROR_ROWS);
    expect(conditions(templatesV4, TEMPLATE_REFUSALS_APART).size).toBe(TEMPLATE_ERROR_ROWS);
  });
});

/** Sends a row's request in a window of its own. */
async function ask(
  world: World,
  row: Endpoint,
  sent: Sent,
  init: { absent?: readonly (keyof Names)[]; authorization?: string | null; body?: string } = {},
): Promise<Answer<Fields>> {
  await world.simulator.clock.advance(WINDOW_MS);
  const headers = new Headers();
  const { authorization = basic("api", world.simulator.apiKey) } = init;
  if (authorization !== null) headers.set("authorization", authorization);
  const body = init.body ?? (sent.body === undefined ? null : JSON.stringify(sent.body));
  if (body !== null) headers.set("content-type", "application/json");
  const path = withQuery(pathOf(row, world, init.absent), sent.query ?? {});
  return world.api.raw(path, { method: row.method, headers, body });
}

const WRONG: Readonly<Record<BodyParameter["type"], readonly unknown[]>> = {
  string: [7, ["x"], { x: "x" }],
  number: ["high", [1]],
  boolean: ["maybe", 7],
  object: ["x", ["x"]],
  array: ["x", { 0: "x" }],
  "string or array": [7, { x: "x" }],
};

async function expectPage(world: World, row: Endpoint, sent: Sent): Promise<Answer<Fields>> {
  const answer = await ask(world, row, sent);
  expect(answer.status, `${JSON.stringify(sent)} ${JSON.stringify(answer.body)}`).toBe(200);
  expect(mismatches(row.answer!, answer.body)).toEqual([]);
  return answer;
}

/** Integers: the default and the maximum are shown in the answer, where it has such a field. */
async function expectInteger(
  world: World,
  row: Endpoint,
  parameter: Extract<QueryParameter, { kind: "integer" }>,
): Promise<void> {
  const { name, standard, max } = parameter;
  const base = row.sent(world).query ?? {};
  const plain = await expectPage(world, row, { query: base });
  const echoes = Object.hasOwn(plain.body, name);
  if (echoes && standard !== null) expect(plain.body[name]).toBe(standard);
  const largest = await expectPage(world, row, { query: { ...base, [name]: String(max ?? 1) } });
  if (echoes) expect(largest.body[name]).toBe(max ?? 1);
  expectProblem(world.version, await ask(world, row, { query: { ...base, [name]: "many" } }), 400);
  // Out of range: the texts are silent, so it is either refused or brought into range, and said so.
  const outside = ["-1", ...(max === null ? [] : [String(max + 1), "0"])];
  for (const value of outside) {
    const answer = await ask(world, row, { query: { ...base, [name]: value } });
    if (answer.status === 400) expectProblem(world.version, answer, 400);
    else {
      expect(answer.status).toBe(200);
      if (!echoes) continue;
      expect(answer.body[name]).toBeGreaterThanOrEqual(name === "offset" ? 0 : 1);
      expect(answer.body[name]).toBeLessThanOrEqual(max ?? 1);
    }
  }
}

async function expectQuery(world: World, row: Endpoint, parameter: QueryParameter): Promise<void> {
  const base = row.sent(world).query ?? {};
  const given = (value: string): Sent => ({ query: { ...base, [parameter.name]: value } });
  const refuses = async (value: string): Promise<void> =>
    expectProblem(world.version, await ask(world, row, given(value)), 400);
  switch (parameter.kind) {
    case "integer":
      return expectInteger(world, row, parameter);
    case "choice":
      for (const value of row.method === "GET" ? parameter.values : [])
        await expectPage(world, row, given(value));
      return refuses("none_of_these");
    case "choices":
      for (const value of [...parameter.values, parameter.values.join(",")])
        await expectPage(world, row, given(value));
      return refuses(`${parameter.values[0]},LOST`);
    case "time":
      await expectPage(world, row, given("2026-01-01T00:00:00Z"));
      return refuses("yesterday");
    case "seconds":
      await expectPage(world, row, given("1790000000"));
      return refuses("yesterday");
    case "text":
      await expectPage(world, row, given("x"));
  }
}

/** What every endpoint with a body refuses. */
function describeBody(version: Version, row: Endpoint, world: () => World): void {
  const required = row.body.filter(({ need }) => need === "required");

  test("refuses a body that is no JSON object", async () => {
    // Where nothing is required, no body at all may count as an empty one.
    const empty = required.length > 0 ? [""] : [];
    for (const body of ['{"', "[]", '"text"', "null", '{"a":1}}', ...empty]) {
      expectProblem(version, await ask(world(), row, {}, { body }), 400);
    }
  });

  for (const { name } of required) {
    test(`needs ${name}`, async () => {
      const { [name]: _left, ...body } = row.sent(world()).body!;
      expectProblem(version, await ask(world(), row, { body }), 400, name);
    });
  }

  test("refuses values of another type", async () => {
    for (const { name, type } of row.body) {
      for (const value of WRONG[type]) {
        const body = { ...row.sent(world()).body, [name]: value };
        expectProblem(version, await ask(world(), row, { body }), 400);
      }
    }
  });
}

/** All that a domain holds, as version 4 tells it. */
async function everything({ v4, names, simulator }: World): Promise<Fields[]> {
  await simulator.clock.advance(WINDOW_MS);
  const lists = ["", "/aliases", "/rules", "/credentials", "/templates", "/logs"];
  const answers = [
    v4.get("/domains"),
    ...lists.map((each) => v4.get(`/domains/${names.domain}${each}`)),
  ];
  return (await Promise.all(answers)).map(({ body }) => body);
}

const TITLE = absence === null ? "%s" : `%s (skipped: ${absence})`;

describe.skipIf(absence !== null).each(VERSIONS)(TITLE, (version, stated, counted, extensions) => {
  const rows = [...stated, ...extensions];
  /** For requests that change nothing. */
  let shared: World;
  let before: Fields[];
  const driven = new Set<Endpoint>();

  beforeAll(async () => {
    shared = await openWorld(version);
    before = await everything(shared);
  });
  afterAll(() => shared.simulator.close());

  describe.each(rows.map((row) => [`${row.method} ${row.path}`, row] as const))("%s", (_, row) => {
    test("answers as stated", async () => {
      const world = await openWorld(version);
      const answer = await ask(world, row, row.sent(world));
      expect(row.status, JSON.stringify(answer.body)).toContain(answer.status);
      if (row.answer === null) expect(answer.body).toBeNull();
      else expect(mismatches(row.answer, answer.body)).toEqual([]);
      expect(headerFaults(answer)).toEqual([]);
      const path = `/${version}${pathOf(row, world)}`;
      const text = answer.body === null ? "" : JSON.stringify(answer.body);
      await holdToDocument(world.simulator, { method: row.method, path }, { ...answer, text });
      await world.simulator.close();
      driven.add(row);
    });

    test("takes the account's key only", async () => {
      const { apiKey } = shared.simulator;
      const wrong = [null, basic("api", `${apiKey}x`), basic("api", ""), basic("root", apiKey)];
      for (const authorization of [...wrong, `Bearer ${apiKey}`, "Basic", "Basic ==="]) {
        const answer = await ask(shared, row, row.sent(shared), { authorization });
        expectProblem(version, answer, 401);
        const challenge = answer.headers.get("www-authenticate");
        if (challenge !== null) expect(challenge).toMatch(/^Basic\b/);
      }
    });

    for (const name of parametersOf(row)) {
      test(`finds no absent ${name}`, async () => {
        const answer = await ask(shared, row, row.sent(shared), { absent: [name] });
        expectProblem(version, answer, 404);
      });
    }

    if (row.body.length > 0) describeBody(version, row, () => shared);

    test.each(row.query.map((each) => [each.name, each] as const))("query %s", (_name, parameter) =>
      expectQuery(shared, row, parameter),
    );

    test.each(row.refusals.map((each, index) => [index, each.when, each] as const))(
      "refusal %i: %s",
      async (_index, _when, { status, sent, absent = [] }) => {
        expectProblem(version, await ask(shared, row, sent(shared), { absent }), status);
      },
    );

    test("asks for a paid plan only where that is stated", async () => {
      const free = await openWorld(version, "free");
      const answer = await ask(free, row, row.sent(free));
      if (row.plan === "paid") expectProblem(version, answer, 403);
      // Templates as a whole are called premium, but 403 is stated for their creation only.
      else if (row.path.includes("/templates"))
        expect([...row.status, 403, 404]).toContain(answer.status);
      // What becomes of a create beyond the plan's limits is not stated.
      else if (row.method === "POST") expect([...row.status, 403]).toContain(answer.status);
      else expect(row.status).toContain(answer.status);
      await free.simulator.close();
    });
  });

  test("nothing that was refused changed anything", async () => {
    expect(await everything(shared)).toEqual(before);
  });

  test(`${counted} endpoint rows of the text were driven`, () => {
    expect(driven.size).toBe(counted + extensions.length);
  });
});
