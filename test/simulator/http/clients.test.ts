/** What programs written for this API rely on, beyond its texts: each of these details stopped one of them. */
import { describe, expect, test } from "vitest";
import { createSimulator } from "../../../src/simulator/index.ts";
import { json } from "../client.ts";
import { type Answer, type Fields, openSite, type Site } from "./fixture.ts";

const OWN = "/domains/own.test";

describe.each(["v4", "v3"] as const)("%s", (version) => {
  const at = (path: string): string => `/${version}${path}`;
  const call = (site: Site, method: string, path: string, json?: unknown): Promise<Answer> =>
    site.send(method, at(path), json === undefined ? {} : { json });

  test("an empty text of an optional field of a domain means null, on create and on update", async () => {
    const site = await openSite();
    const empty = { notification_email: "", whitelabel: "", webhook: "", rules_fallback_email: "" };
    const shown = { notification_email: null, whitelabel: null };
    const made = await call(site, "POST", "/domains", { domain: "new.test", ...empty });
    expect([made.status, made.body.domain]).toEqual([200, expect.objectContaining(shown)]);
    const set = { notification_email: "ops@dest.test", whitelabel: "brand.example" };
    expect((await call(site, "PUT", "/domains/new.test", set)).body.domain).toMatchObject(set);
    expect((await call(site, "PUT", "/domains/new.test", empty)).body.domain).toMatchObject(shown);
    const { body } = await site.send("GET", "/v3/domains/new.test");
    expect(body.domain).toMatchObject({ ...shown, webhook: null });
  });

  test("a batch entry that fails on its type is told what a single rule is told", async () => {
    const site = await openSite();
    for (const rule of [{ type: "spam", config: { forward: "?" } }, { config: {} }, { type: 7 }]) {
      const single = await call(site, "POST", `${OWN}/rules`, rule);
      const batch = await call(site, "POST", `${OWN}/rules/batch`, { rules: [rule] });
      const [said] = (single.body.errors as Record<string, string[]>).type!;
      const [failed] = batch.body.failed as Fields[];
      expect(said).toMatch(/type/);
      expect(version === "v4" ? failed!.message : failed!.error).toBe(said);
    }
  });

  test("an update of a part of a rule's config keeps the rest (rule-config-merged)", async () => {
    const site = await openSite();
    const path = `${OWN}/rules/6f1c2f0e-4b58-4d0c-9a55-0c9d1c8b7a10`;
    const changed = await call(site, "PUT", path, { config: { forward: "other@dest.test" } });
    expect((changed.body.rule as Fields).config).toEqual({
      regex: "^Re:",
      scopes: ["subject"],
      forward: "other@dest.test",
    });
    const rules = [{ id: path.split("/").at(-1), config: { regex: "^Fwd:" } }];
    const batch = await call(site, "PUT", `${OWN}/rules/batch`, { rules });
    const [updated] = batch.body.updated as { config: Fields }[];
    expect(updated!.config).toMatchObject({ regex: "^Fwd:", forward: "other@dest.test" });
  });

  test("aliases are found in any letter case, and shown as they were sent", async () => {
    const site = await openSite();
    await call(site, "POST", `${OWN}/aliases`, { alias: "Ann.Lee", forward: "a@dest.test" });
    const query = version === "v4" ? "query=ANN" : "alias=aNN.l";
    const { body } = await call(site, "GET", `${OWN}/aliases?${query}`);
    expect((body.aliases as Fields[]).map(({ alias }) => alias)).toEqual(["Ann.Lee"]);
    const twice = await call(site, "POST", `${OWN}/aliases`, {
      alias: "ANN.LEE",
      forward: "a@dest.test",
    });
    expect(twice.status).toBe(400);
    for (const name of ["ann.lee", "ANN.LEE", "Ann.Lee"]) {
      const found = await site.send("GET", `/v3${OWN}/aliases/${name}`);
      expect(found.body.alias).toMatchObject({ alias: "Ann.Lee" });
    }
  });

  test.each([".", ".."])("an alias `%s` is refused, for no path can name it", async (alias) => {
    const site = await openSite();
    const made = await call(site, "POST", `${OWN}/aliases`, { alias, forward: "a@dest.test" });
    expect([made.status, Object.keys(made.body.errors as Fields)]).toEqual([400, ["alias"]]);
  });

  test("a limit's message names the account, in the singular for one", async () => {
    const site = await openSite({ plan: { domains_limit: 1 }, domains: [{ domain: "own.test" }] });
    const refused = await call(site, "POST", "/domains", { domain: "two.test" });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("Your account is limited to 1 domain: delete some");
  });

  test("a password of one character is told so", async () => {
    const site = await openSite();
    const sent = { username: "x", password: "x" };
    const refused = await call(site, "POST", `${OWN}/credentials`, sent);
    expect(refused.text).toContain("has 1 character:");
  });

  test("the plan of a seed that says only that it is free is the free one (free-plan)", async () => {
    const site = await openSite({ plan: { kind: "free" }, domains: [{ domain: "own.test" }] });
    const { account } = (await call(site, "GET", "/account")).body as { account: Fields };
    if (version === "v4") {
      expect(account.plan).toMatchObject({
        name: "free",
        price: 0,
        domains_limit: 1,
        aliases_limit: 25,
        daily_receive_limit: 500,
        daily_send_limit: 0,
      });
      expect(account.over_quota).toBe(false);
    } else {
      expect(account.premium).toBe(false);
      const plan = { name: "free", display: "free", kind: "free", price: 0, domains_limit: 1 };
      expect(account.plan).toMatchObject(plan);
      expect(account.limits).toMatchObject({ domains: 1, aliases: 25, ratelimit: 30 });
    }
    const aliases = [{ alias: "a", forward: "a@dest.test" }];
    const batch = await call(site, "POST", `${OWN}/aliases/batch`, { aliases });
    expect([batch.status, batch.text]).toEqual([403, expect.stringContaining("`free` is a free")]);
  });
});

test("updated-later: `updated_at` moves on with every change, within one second and while time stands", async () => {
  const site = await openSite();
  const send = (method: string, path: string, json?: unknown): Promise<Answer> =>
    site.send(method, `/v4${path}`, json === undefined ? {} : { json });
  const rule = `${OWN}/rules/6f1c2f0e-4b58-4d0c-9a55-0c9d1c8b7a10`;
  for (const [what, path, change] of [
    ["domain", OWN, { notification_email: "a@dest.test" }],
    ["alias", `${OWN}/aliases/10000001`, { forward: "b@dest.test" }],
    ["rule", rule, { rank: 9 }],
    ["template", `${OWN}/templates/welcome`, { description: "x" }],
  ] as const) {
    const times: string[] = [];
    times.push(((await send("GET", path)).body[what] as Fields).updated_at as string);
    for (const _ of [1, 2, 3]) {
      const { body } = await send("PUT", path, change);
      times.push((body[what] as Fields).updated_at as string);
    }
    expect(times, what).toEqual([...new Set(times)].sort());
    expect(times).toHaveLength(4);
    expect(((await send("GET", path)).body[what] as Fields).updated_at).toBe(times.at(-1));
  }
});

test("version 3 reads JSON under any Content-Type, and forms as before", async () => {
  const site = await openSite();
  const types = [
    "application/x-www-form-urlencoded",
    "text/plain",
    "multipart/form-data; boundary=x",
  ];
  for (const [index, type] of types.entries()) {
    const raw = ` ${JSON.stringify({ alias: `json${index}`, forward: "a@dest.test" })}`;
    const sent = { raw, headers: { "content-type": type } };
    expect((await site.send("POST", `/v3${OWN}/aliases`, sent)).status, type).toBe(200);
  }
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const raw = "alias=form&forward=a%40dest.test";
  expect((await site.send("POST", `/v3${OWN}/aliases`, { raw, headers })).status).toBe(200);
});

test("version 3's `filter=failure` works on plain logs, of a domain and of an alias", async () => {
  const world = {
    domains: [
      {
        domain: "own.test",
        aliases: [
          { alias: "good", forward: "a@dest.test" },
          { alias: "bad", forward: "550@bounce.test" },
        ],
      },
    ],
  };
  const simulator = await createSimulator({ world });
  for (const [alias, subject] of [
    ["good", "arrives"],
    ["bad", "bounces"],
  ]) {
    const envelope = { sender: "ann@source.test", recipients: [`${alias}@own.test`] };
    await simulator.receive({ envelope, message: `Subject: ${subject}\n\nx` });
    await simulator.clock.advance(1_000);
  }
  for (const [path, subjects] of [
    [`${OWN}/logs?filter=failure`, ["bounces"]],
    [`${OWN}/logs?filter=all`, ["bounces", "arrives"]],
    [`${OWN}/logs/bad?filter=failure`, ["bounces"]],
    [`${OWN}/logs/good?filter=failure`, []],
  ] as const) {
    const { logs } = await json<{ logs: Fields[] }>(simulator, `GET /v3${path}`);
    expect(logs.map(({ subject }) => subject)).toEqual(subjects);
  }
  await simulator.close();
});

test("login-link: version 3 answers a link to the local page", async () => {
  const site = await openSite();
  const { status, body } = await site.send("GET", "/v3/account/generate-login-link");
  expect([status, body.success]).toEqual([200, true]);
  expect(body.link).toMatch(/^http:\/\/[^/]+\/_sim\/$/);
});

test("log-per-destination: a recipient with two destinations has an entry for each of them", async () => {
  const site = await openSite();
  await site.receive("sales@own.test", "both");
  const { body } = await site.send("GET", `/v4${OWN}/logs`);
  const logs = body.logs as { recipient: Fields; forward: Fields; events: Fields[] }[];
  expect(logs.map(({ recipient }) => recipient.email)).toEqual([
    "sales@own.test",
    "sales@own.test",
  ]);
  expect(logs.map(({ forward }) => forward.email).sort()).toEqual([
    "https://hooks.test/in",
    "sales@dest.test",
  ]);
});

test("search finds words with two letters swapped", async () => {
  const site = await openSite();
  await site.receive("info@own.test", "Your receipt for the payment");
  for (const query of ["reciept", "pyament", "receitp", "paymetn", "yuor reciept"]) {
    const { body } = await site.send(
      "GET",
      `/v4${OWN}/logs/search?query=${encodeURIComponent(query)}`,
    );
    expect([query, body.total]).toEqual([query, 1]);
  }
});

test("the names of the service are a setting", async () => {
  const hostnames = { mx: ["in1.mail.test", "in2.mail.test"], dkim: "keys.test", spf: "spf.test" };
  const simulator = await createSimulator({
    hostnames,
    world: { domains: [{ domain: "own.test" }] },
  });
  const headers = { authorization: `Basic ${btoa(`api:${simulator.apiKey}`)}` };
  const request = new Request("http://x/v3/domains/own.test/check", { headers });
  const { records, success } = (await (await simulator.fetch(request)).json()) as {
    records: Record<string, { expected: unknown }>;
    success: boolean;
  };
  expect(success).toBe(true);
  expect([records.mx, records.dkim1, records.spf].map((record) => record!.expected)).toEqual([
    hostnames.mx,
    "dkim1.keys.test",
    "v=spf1 include:spf.test ~all",
  ]);
  await simulator.close();
  await expect(createSimulator({ hostnames: { mx: ["not a name"] } })).rejects.toThrow("hostnames");
  await expect(createSimulator({ hostnames: { mx: [] } })).rejects.toThrow("hostnames");
});
