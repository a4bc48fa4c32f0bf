/** What stands before every endpoint: credentials, rate limits, plans, paths, and bodies as clients send them (API v4 §5, §8). */
import { afterEach, describe, expect, test } from "vitest";
import {
  type Answer,
  aliasRule,
  basic,
  type Client,
  client,
  type Fields,
  headerFaults,
  openWorld,
  type Version,
  WINDOW_MS,
  type World,
} from "./fixtures.ts";
import { expectProblem } from "./problem.ts";
import { absence, openSimulator, type Plan, type Simulator } from "./simulator-port.ts";

const WHY = absence === null ? "" : ` (skipped: ${absence})`;
const DOMAIN = "/domains/own.test";
const VERSIONS: readonly Version[] = ["v4", "v3"];

let closing: Simulator | undefined;
afterEach(() => closing?.close());

async function openClosing(version: Version, plan: Plan = "premium"): Promise<World> {
  const world = await openWorld(version, plan);
  closing = world.simulator;
  return world;
}

describe.skipIf(absence !== null).each(VERSIONS)(`%s: requests${WHY}`, (version) => {
  test("the key is taken in base64, and raw as some clients send it", async () => {
    const { api, simulator } = await openClosing(version);
    const { apiKey } = simulator;
    for (const authorization of [basic("api", apiKey), `Basic api:${apiKey}`]) {
      const answer = await api.raw("/account", { headers: { authorization } });
      expect(answer.status, authorization.slice(0, 10)).toBe(200);
    }
    const headers = { authorization: `Basic api:${apiKey}x` };
    expectProblem(version, await api.raw("/account", { headers }), 401);
  });

  test("credentials are asked for before anything is said of paths or bodies", async () => {
    const { api } = await openClosing(version);
    const json = { "content-type": "application/json" };
    expectProblem(version, await api.raw("/domains/absent.test", {}), 401);
    expectProblem(
      version,
      await api.raw("/domains", { method: "POST", headers: json, body: "{" }),
      401,
    );
  });

  test("a slash at the end of a path changes nothing", async () => {
    const { api } = await openClosing(version);
    for (const path of ["/account", "/domains", DOMAIN, `${DOMAIN}/aliases`]) {
      const [with_, without] = [await api.get(`${path}/`), await api.get(path)];
      expect([with_.status, with_.body]).toEqual([without.status, without.body]);
    }
    const made = await api.post(`${DOMAIN}/aliases/`, { alias: "new", forward: "new@dest.test" });
    expect([200, 201]).toContain(made.status);
  });

  test("an unknown path or method is an error of the version", async () => {
    const { api } = await openClosing(version);
    expectProblem(version, await api.get("/nowhere"), 404);
    expectProblem(version, await api.get(`${DOMAIN}/nowhere`), 404);
    const patched = await api.delete("/account");
    expect([404, 405]).toContain(patched.status);
    expectProblem(version, patched, patched.status);
  });

  test("what is taken already is refused, and stays as it was", async () => {
    const { api, names } = await openClosing(version);
    const rule = aliasRule("again", { id: names.ruleId });
    const taken: readonly [path: string, body: Fields][] = [
      ["/domains", { domain: "own.test" }],
      ["/domains", { domain: "OWN.TEST" }],
      [`${DOMAIN}/aliases`, { alias: "info", forward: "other@dest.test" }],
      [`${DOMAIN}/rules`, rule],
      [`${DOMAIN}/credentials`, { username: "info", password: "another-s3cret" }],
    ];
    for (const [path, body] of taken) expectProblem(version, await api.post(path, body), 400);
    const { body } = await api.get<{ alias: Fields }>(`${DOMAIN}/aliases/${names.aliasId}`);
    expect(body.alias.forward).toBe("info@dest.test");
  });

  test("values that cannot work are refused", async () => {
    const { api } = await openClosing(version);
    const forward = "m@dest.test";
    const rule = (type: string, config: Fields): [string, Fields] => [
      `${DOMAIN}/rules`,
      { type, config },
    ];
    const wrong: readonly [path: string, body: Fields][] = [
      ["/domains", { domain: "no domain" }],
      ["/domains", { domain: "nodots" }],
      ["/domains", { domain: "new.test", notification_email: "nobody" }],
      [`${DOMAIN}/aliases`, { alias: "new", forward: "nobody" }],
      [`${DOMAIN}/aliases`, { alias: "new", forward: "m@dest.test, ftp://dest.test/" }],
      [`${DOMAIN}/aliases`, { alias: "new", forward: "" }],
      [`${DOMAIN}/aliases`, { alias: "", forward }],
      rule("sieve", { forward }),
      rule("alias", { forward }),
      rule("alias", { alias: "x" }),
      rule("regex", { regex: "x", forward }),
      rule("regex", { regex: "x", scopes: "subject", forward }),
      rule("regex", { regex: "x", scopes: ["headers"], forward }),
      rule("regex", { regex: "(", scopes: ["subject"], forward }),
      rule("cel", { expression: "subject ==", forward }),
      rule("cel", { expression: "'text'", forward }),
      rule("cel", { expression: "true", forward: "nobody" }),
      [`${DOMAIN}/rules`, aliasRule("x", { id: "no-uuid" })],
    ];
    for (const [path, body] of wrong) {
      const answer = await api.post(path, body);
      expect([answer.status, body]).toEqual([400, body]);
      expectProblem(version, answer, 400);
    }
  });
});

describe.skipIf(absence !== null)(`v3: bodies of forms${WHY}`, () => {
  const FORMS: readonly [
    name: string,
    make: (fields: Record<string, string>) => URLSearchParams | FormData,
  ][] = [
    ["urlencoded", (fields) => new URLSearchParams(fields)],
    [
      "multipart",
      (fields) => {
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) form.set(name, value);
        return form;
      },
    ],
  ];
  test.each(FORMS)("%s", async (_name, make) => {
    const { v3, simulator } = await openClosing("v3");
    const headers = { authorization: basic("api", simulator.apiKey) };
    const body = make({ alias: "new", forward: "new@dest.test" });
    const made = await v3.raw<{ alias: Fields }>(`${DOMAIN}/aliases`, {
      method: "POST",
      headers,
      body,
    });
    expect(made.status).toBe(200);
    expect(made.body.alias).toMatchObject({ alias: "new", forward: "new@dest.test" });
    const put = { method: "PUT", headers, body: make({ forward: "other@dest.test" }) };
    const changed = await v3.raw<{ alias: Fields }>(`${DOMAIN}/aliases/new`, put);
    expect(changed.body.alias.forward).toBe("other@dest.test");
    const lacking = await v3.raw(`${DOMAIN}/aliases`, {
      method: "POST",
      headers,
      body: make({ alias: "x" }),
    });
    expectProblem("v3", lacking, 400, "forward");
  });
});

describe.skipIf(absence !== null)(`rate limits${WHY}`, () => {
  const remaining = (answer: Answer<unknown>): number =>
    Number(answer.headers.get("x-ratelimit-remaining"));

  const PLANS: readonly [Version, Plan, number][] = [
    ["v4", "premium", 200],
    ["v4", "free", 30],
    ["v3", "premium", 200],
    ["v3", "free", 30],
  ];
  test.each(PLANS)(
    "%s, %s: %i requests in a minute to one endpoint",
    async (version, plan, limit) => {
      const { simulator, api } = await openClosing(version, plan);
      for (let left = limit - 1; left >= 0; left--) {
        const answer = await api.get("/account");
        expect(answer.status).toBe(200);
        expect(answer.headers.get("x-ratelimit-limit")).toBe(String(limit));
        expect(remaining(answer)).toBe(left);
        expect(headerFaults(answer)).toEqual([]);
      }
      const refused = await api.get("/account");
      expectProblem(version, refused, 429);
      const nowSeconds = simulator.clock.nowMs() / 1_000;
      const wait = Number(refused.headers.get("retry-after"));
      const reset = Number(refused.headers.get("x-ratelimit-reset"));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      expect(Math.abs(reset - nowSeconds - wait)).toBeLessThanOrEqual(1);
      expect(remaining(refused)).toBe(0);
      // Another endpoint has a window of its own.
      expect((await api.get("/domains")).status).toBe(200);
      // Who waits as long as was said is served again.
      await simulator.clock.advance(wait * 1_000);
      const again = await api.get("/account");
      expect(again.status).toBe(200);
      expect(remaining(again)).toBe(limit - 1);
    },
  );

  test("requests to one endpoint are counted together, whichever domain they name", async () => {
    const { api } = await openClosing("v4");
    const first = await api.get(DOMAIN);
    const second = await api.get("/domains/absent.test");
    expect([second.status, remaining(second)]).toEqual([404, remaining(first) - 1]);
    const literal = await api.delete(`${DOMAIN}/aliases/batch`, { ids: [] });
    const single = await api.delete(`${DOMAIN}/aliases/absent`);
    expect(remaining(single)).toBe(remaining(literal));
  });

  test("answers without a body, and refusals, carry the headers too", async () => {
    const { v4, v3, names } = await openClosing("v4");
    const answers = [
      await v4.delete(`${DOMAIN}/aliases/${names.aliasId}`),
      await v4.post("/domains", {}),
      await v4.get("/nowhere"),
      await v4.raw("/account", {}),
      await v3.raw("/account", {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([204, 400, 404, 401, 401]);
    expect(answers.flatMap(headerFaults)).toEqual([]);
  });
});

describe.skipIf(absence !== null)(`the free plan${WHY}`, () => {
  const aliases = [{ alias: "new", forward: "new@dest.test" }];
  const aliasPath = `${DOMAIN}/aliases`;
  const RULED: readonly [
    what: string,
    status: number,
    ask: (world: World) => ReturnType<Client["post"]>,
  ][] = [
    ["v4 batch add of aliases", 403, ({ v4 }) => v4.post(`${aliasPath}/batch`, { aliases })],
    ["v3 batch add of aliases", 403, ({ v3 }) => v3.post(`${aliasPath}/batch`, { aliases })],
    ["v3 bulk add of aliases", 403, ({ v3 }) => v3.post(`${aliasPath}/bulk`, { aliases })],
    [
      "v3 bulk delete of aliases",
      200,
      ({ v3 }) => v3.post(`${aliasPath}/bulk`, { aliases, behavior: "delete" }),
    ],
    [
      "v3 bulk update of aliases",
      200,
      ({ v3 }) =>
        v3.post(`${aliasPath}/bulk`, {
          aliases: [{ alias: "info", forward: "new@dest.test" }],
          behavior: "update",
        }),
    ],
    [
      "v4 batch update of aliases",
      200,
      ({ v4 }) =>
        v4.get<{ aliases: { id: string }[] }>(aliasPath).then(({ body }) =>
          v4.put(`${aliasPath}/batch`, {
            aliases: [{ id: body.aliases[0]!.id, forward: "new@dest.test" }],
          }),
        ),
    ],
  ];
  test.each(RULED)("%s → %i", async (_what, status, ask) => {
    const world = await openClosing("v4", "free");
    const answer = await ask(world);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    const { body } = await world.v4.get<{ total: number }>(aliasPath);
    expect(body.total).toBe(2);
  });
});

test.skipIf(absence !== null)(`two simulators share nothing${WHY}`, async () => {
  const [one, other] = [await openSimulator(), await openSimulator()];
  const v4 = client(one, "v4");
  await v4.post("/domains", { domain: "own.test" });
  expect((await client(other, "v4").get(DOMAIN)).status).toBe(404);
  await one.close();
  await other.close();
});

test.skipIf(absence !== null)(`a window that is over is forgotten${WHY}`, async () => {
  const { v4, simulator } = await openClosing("v4");
  for (let asked = 0; asked < 201; asked++) await v4.get("/account");
  expect((await v4.get("/account")).status).toBe(429);
  await simulator.clock.advance(WINDOW_MS);
  expect((await v4.get("/account")).status).toBe(200);
});
