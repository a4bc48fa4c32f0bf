/** One state, two versions: what each tells of it, and where they differ in ways that are easily missed. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aliasRule, client, type Fields, openWorld, succeeded, type World } from "./fixtures.ts";
import { expectProblem } from "./problem.ts";
import { absence, openSimulator } from "./simulator-port.ts";

const WHY = absence === null ? "" : ` (skipped: ${absence})`;
const DOMAIN = "/domains/own.test";

let world: World;
beforeEach(async () => {
  if (absence === null) world = await openWorld("v4");
});
afterEach(() => world?.simulator.close());

const SECONDS = 1_000;

describe.skipIf(absence !== null)(`times${WHY}`, () => {
  test("an alias: ISO in v4, milliseconds in v3, none in v3's answers to writes", async () => {
    const path = `${DOMAIN}/aliases`;
    const v4 = succeeded(await world.v4.get<{ alias: Fields }>(`${path}/${world.names.aliasId}`));
    const v3 = succeeded(await world.v3.get<{ alias: Fields }>(`${path}/info`));
    const iso = Math.floor(Date.parse(String(v4.alias.created_at)) / SECONDS);
    expect(Math.floor(Number(v3.alias.created) / SECONDS)).toBe(iso);
    const written = await world.v3.put<{ alias: Fields }>(`${path}/info`, {
      forward: "x@dest.test",
    });
    expect(Object.keys(written.body.alias).sort()).toEqual(["alias", "forward", "id"]);
  });

  test("a rule in v3: seconds when read and when updated, ISO in a batch", async () => {
    const path = `${DOMAIN}/rules/${world.names.ruleId}`;
    const read = succeeded(await world.v3.get(path));
    const updated = succeeded(
      await world.v3.put<{ rule: Fields }>(path, { config: aliasRule("other").config }),
    );
    expect(updated.rule.created).toBe(read.created);
    const rules = [{ id: world.names.ruleId, rank: 4 }];
    const batch = await world.v3.put<{ updated: Fields[] }>(`${DOMAIN}/rules/batch`, { rules });
    const iso = String(batch.body.updated[0]!.created_at);
    expect(Math.floor(Date.parse(iso) / SECONDS)).toBe(updated.rule.created);
  });

  test("a log entry: message_id and created_at in v4, messageId and created in v3", async () => {
    const v4 = await world.v4.get<{ logs: Fields[] }>(`${DOMAIN}/logs`);
    const v3 = await world.v3.get<{ logs: Fields[] }>(`${DOMAIN}/logs`);
    const [now, old] = [v4.body.logs[0]!, v3.body.logs[0]!];
    expect(old.id).toBe(now.id);
    expect(old.messageId).toBe(now.message_id);
    expect(old.created).toBe(old.created_raw);
    expect(old.subject).toBe(now.subject);
  });

  const UPDATES: readonly [what: string, path: (world: World) => string, body: Fields][] = [
    ["domain", () => DOMAIN, { notification_email: "ops@dest.test" }],
    ["alias", ({ names }) => `${DOMAIN}/aliases/${names.aliasId}`, { forward: "x@dest.test" }],
    ["rule", ({ names }) => `${DOMAIN}/rules/${names.ruleId}`, { config: aliasRule("x").config }],
    ["template", () => `${DOMAIN}/templates/welcome`, { description: "Other" }],
  ];
  test.each(UPDATES)(
    "v4: an update moves updated_at of a %s, not created_at",
    async (what, path, body) => {
      const before = (await world.v4.get(path(world))).body[what] as Fields;
      await world.simulator.clock.advance(2 * SECONDS);
      const after = succeeded(await world.v4.put(path(world), body))[what] as Fields;
      expect(after.created_at).toBe(before.created_at);
      expect(String(after.updated_at) > String(before.updated_at)).toBe(true);
      expect((await world.v4.get(path(world))).body[what]).toEqual(after);
    },
  );
});

describe.skipIf(absence !== null)(`aliases${WHY}`, () => {
  test("v3 takes the name or the integer id, v4 the id only", async () => {
    const byName = succeeded(await world.v3.get<{ alias: Fields }>(`${DOMAIN}/aliases/info`));
    const byId = await world.v3.get<{ alias: Fields }>(`${DOMAIN}/aliases/${byName.alias.id}`);
    expect(byId.body).toEqual(byName);
    expectProblem("v4", await world.v4.get(`${DOMAIN}/aliases/info`), 404);
    const put = await world.v3.put(`${DOMAIN}/aliases/${byName.alias.id}`, {
      forward: "x@dest.test",
    });
    expect(put.body).toMatchObject({ alias: { alias: "info", forward: "x@dest.test" } });
    succeeded(await world.v3.delete(`${DOMAIN}/aliases/${byName.alias.id}`));
    expectProblem("v3", await world.v3.get(`${DOMAIN}/aliases/info`), 404);
  });

  test("v3's batches take as a string the id that it tells as an integer", async () => {
    const { alias } = succeeded(await world.v3.get<{ alias: Fields }>(`${DOMAIN}/aliases/info`));
    expect(alias.id).toBeTypeOf("number");
    const ids = [String(alias.id)];
    const { body } = await world.v3.delete(`${DOMAIN}/aliases/batch`, { ids });
    expect(body).toEqual({ deleted: ids, failed: [] });
  });

  test("a new domain has the alias `*`", async () => {
    succeeded(await world.v3.post("/domains", { domain: "fresh.test" }));
    const { body } = await world.v3.get<{ aliases: Fields[] }>("/domains/fresh.test/aliases");
    expect(body.aliases.map(({ alias }) => alias)).toEqual(["*"]);
    const catchAll = await world.v3.get<{ alias: Fields }>("/domains/fresh.test/aliases/*");
    expect(catchAll.body.alias.alias).toBe("*");
    expect((await world.v3.get("/domains/fresh.test/aliases/%2A")).body).toEqual(catchAll.body);
  });

  test("v3 shows a domain with its aliases, but never more than 200", async () => {
    const embedded = async (): Promise<Fields[]> =>
      succeeded(await world.v3.get<{ domain: { aliases: Fields[] } }>(DOMAIN)).domain.aliases;
    expect((await embedded()).map(({ alias }) => alias).sort()).toEqual(["info", "sales"]);
    const aliases = Array.from({ length: 210 }, (_, index) => ({
      alias: `n${index}`,
      forward: "x@dest.test",
    }));
    succeeded(await world.v4.post(`${DOMAIN}/aliases/batch`, { aliases }));
    expect(await embedded()).toHaveLength(200);
    const listed = await world.v3.get<{ domains: { aliases: Fields[] }[] }>("/domains");
    expect(listed.body.domains[0]!.aliases).toHaveLength(200);
  });

  test("behind a domain that is deleted nothing is left", async () => {
    expect((await world.v4.delete(DOMAIN)).status).toBe(204);
    for (const child of ["", "/aliases", "/rules", "/logs", "/credentials", "/templates"]) {
      expectProblem("v4", await world.v4.get(DOMAIN + child), 404);
    }
    expectProblem("v3", await world.v3.get(DOMAIN), 404);
  });
});

describe.skipIf(absence !== null)(`rules${WHY}`, () => {
  test.each(["v4", "v3"] as const)("%s: without a rank a rule comes last", async (version) => {
    const add = async (more: Fields): Promise<Fields> =>
      succeeded(
        await world[version].post<{ rule: Fields }>(`${DOMAIN}/rules`, aliasRule("new", more)),
      ).rule;
    expect((await add({ rank: 12.25 })).rank).toBe(12.25);
    expect((await add({})).rank).toBeGreaterThan(12.25);
    expect(await add({ rank: -1 })).toMatchObject({ rank: -1, active: true });
  });

  test("a rule's own id is kept, and what an update leaves out stays", async () => {
    const id = "3d5f7a52-9d1c-4f0e-8b4e-2f6a1c0d9e88";
    const rule = aliasRule("new", { id, rank: 8, active: false });
    const made = await world.v4.post<{ rule: Fields }>(`${DOMAIN}/rules`, rule);
    expect(made.body.rule).toMatchObject(rule);
    const path = `${DOMAIN}/rules/${id}`;
    const active = await world.v4.put<{ rule: Fields }>(path, { active: true });
    expect(active.body.rule).toMatchObject({ ...rule, active: true });
    const config = aliasRule("other").config;
    const configured = await world.v4.put<{ rule: Fields }>(path, { config });
    expect(configured.body.rule).toMatchObject({ id, config, rank: 8, active: true });
    const ranked = await world.v3.put<{ rule: Fields }>(path, { rank: 0.5 });
    expect(ranked.body.rule).toMatchObject({ id, config, rank: 0.5, active: true });
  });
});

describe.skipIf(absence !== null)(`domains and credentials${WHY}`, () => {
  test("only v3 takes a webhook", async () => {
    const webhook = "https://hooks.test/events";
    const put = await world.v3.put<{ domain: Fields }>(DOMAIN, { webhook });
    expect(put.body.domain.webhook).toBe(webhook);
    expect((await world.v3.get<{ domain: Fields }>(DOMAIN)).body.domain.webhook).toBe(webhook);
    expect((await world.v4.get<{ domain: Fields }>(DOMAIN)).body.domain.webhook).toBeUndefined();
  });

  test("notifications go to the account's address unless said otherwise", async () => {
    const { account } = succeeded(await world.v4.get<{ account: Fields }>("/account"));
    const made = await world.v4.post<{ domain: Fields }>("/domains", { domain: "fresh.test" });
    expect(made.body.domain).toMatchObject({
      notification_email: account.email,
      whitelabel: null,
    });
    const body = { domain: "said.test", notification_email: "ops@dest.test", whitelabel: "b.test" };
    const said = await world.v4.post<{ domain: Fields }>("/domains", body);
    expect(said.body.domain).toMatchObject(body);
  });

  test("verifying is POST in v4, and GET /check in v3; both tell the same records", async () => {
    const v4 = succeeded(await world.v4.post<{ records: Fields }>(`${DOMAIN}/verify`));
    const v3 = succeeded(await world.v3.get(`${DOMAIN}/check`));
    expect(v3.records).toEqual(v4.records);
    expect(v3.success).toBe((v4.records.mx as Fields).valid);
    expect((await world.v4.get(`${DOMAIN}/verify`)).status).toBeGreaterThanOrEqual(404);
    expect((await world.v4.get(`${DOMAIN}/check`)).status).toBe(404);
  });

  test("send and templates are not there in v3", async () => {
    const letter = { from: "info", to: "x@dest.test", subject: "x", text: "x" };
    expectProblem("v3", await world.v3.post(`${DOMAIN}/emails/outbound`, letter), 404);
    expectProblem("v3", await world.v3.get(`${DOMAIN}/templates`), 404);
    expectProblem("v4", await world.v4.get("/account/whitelabels"), 404);
  });

  test.each(["v4", "v3"] as const)(
    "%s: the first credential asks for DNS records",
    async (version) => {
      const simulator = await openSimulator();
      const api = client(simulator, version);
      succeeded(await api.post("/domains", { domain: "own.test" }));
      const password = "s3cret-enough";
      const answers: string[] = [];
      for (const username of ["one", "two"]) {
        const alias = { alias: username, forward: "x@dest.test" };
        succeeded(await api.post(`${DOMAIN}/aliases`, alias));
        const made = succeeded(await api.post(`${DOMAIN}/credentials`, { username, password }));
        expect(made.requires_new_mx_check).toBe(username === "one");
        answers.push(JSON.stringify(made));
      }
      answers.push(JSON.stringify(succeeded(await api.get(`${DOMAIN}/credentials`))));
      expect(answers.join("\n")).not.toContain(password);
      await simulator.close();
    },
  );
});
