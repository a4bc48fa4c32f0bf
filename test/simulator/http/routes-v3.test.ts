/** Version 3's account, domains, aliases and rules, with the fields of their answers in order (API v3 §4). */
import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, type Fields, FREE, openSite, type Site, START_MS } from "./fixture.ts";

let site: Site;
beforeEach(async () => {
  site = await openSite();
});

const call = (method: string, path: string, json?: unknown): Promise<Answer> =>
  site.send(method, `/v3${path}`, json === undefined ? {} : { json });

const OWN = "/domains/own.test";
const RULE_ID = "6f1c2f0e-4b58-4d0c-9a55-0c9d1c8b7a10";
const OFF_ID = "7a1c2f0e-4b58-4d0c-9a55-0c9d1c8b7a10";
const SECONDS = Math.floor(START_MS / 1_000);
const OK = '{"success":true}';

const INFO = { id: 10000001, alias: "info", forward: "info@dest.test", created: START_MS };
const SALES = {
  id: 10000002,
  alias: "sales",
  forward: "sales@dest.test, https://hooks.test/in",
  created: START_MS,
};

describe("account", () => {
  test("v3-account-shape, v3-account-limits, v3-account-fields: version 3's own shape", async () => {
    const { text } = await call("GET", "/account");
    expect(text).toBe(
      `{"account":{"billing_email":null,"cancels_on":null,"card_brand":"visa","company_details":"",` +
        `"company_name":"","company_vat":null,"country":"US","created":${START_MS},` +
        `"email":"owner@account.example","last4":"4242","limits":{"aliases":100000,"daily_quota":1000000,` +
        `"daily_send":100000,"domains":1000,"ratelimit":200,"redirections":100,"subdomains":1000,"api":200,` +
        `"credentials":100000,"destinations":100},"lock_reason":null,"locked":null,"password":true,` +
        `"plan":{"aliases_limit":100000,"daily_quota":1000000,"domains_limit":1000,"price":49,` +
        `"display":"business","kind":"premium","name":"business","yearly":false},"premium":true,` +
        `"privacy_level":0,"renew_date":${START_MS + 30 * 86_400_000}},"success":true}`,
    );
  });

  test("v3-price: a price with a fraction is rounded", async () => {
    site = await openSite({ plan: { price: 8.5 } });
    const { body } = await call("GET", "/account");
    expect((body.account as { plan: Fields }).plan.price).toBe(9);
  });

  test("whitelabels", async () => {
    expect((await call("GET", "/account/whitelabels")).text).toBe(
      '{"whitelabels":[{"name":"brand.example"}],"success":true}',
    );
  });
});

describe("domains", () => {
  const OWN_TEST = {
    active: true,
    domain: "own.test",
    display: "own.test",
    dkim_selector: "dkim",
    notification_email: "owner@account.example",
    webhook: null,
    whitelabel: null,
    routing_engine: "alias",
    added: START_MS,
    aliases: [INFO, SALES],
  };

  test("v3-routing-engine: the aliases are shown also when rules route", async () => {
    const { body } = await call("PUT", OWN, { routing_engine: "rules" });
    const shown = { ...OWN_TEST, routing_engine: "rules" };
    expect(body.domain).toEqual(shown);
    expect((await call("GET", OWN)).body.domain).toEqual(shown);
  });

  test("list and get", async () => {
    const listed = await call("GET", "/domains");
    expect(listed.text).toBe(
      JSON.stringify({ domains: [OWN_TEST], total: 1, limit: 50, page: 1, success: true }),
    );
    expect((await call("GET", OWN)).text).toBe(JSON.stringify({ domain: OWN_TEST, success: true }));
    const missing = await call("GET", "/domains/none.test");
    expect([missing.status, missing.text]).toEqual([
      404,
      '{"errors":{"domain":["domain not found"]},"success":false,"error":"domain not found","code":404}',
    ]);
  });

  test("v3-display, v3-active: names in Unicode; active once it may forward", async () => {
    const made = await call("POST", "/domains", { domain: "bücher.test" });
    expect(made.body.domain).toMatchObject({
      active: false,
      domain: "xn--bcher-kva.test",
      display: "bücher.test",
      aliases: [{ alias: "*", forward: "owner@account.example" }],
    });
    const active = async (flag: string): Promise<unknown> =>
      ((await call("GET", `/domains?is_active=${flag}`)).body.domains as Fields[]).map(
        (each) => each.domain,
      );
    expect(await active("1")).toEqual(["own.test"]);
    expect(await active("0")).toEqual(["xn--bcher-kva.test"]);
    const checked = await call("GET", "/domains/bücher.test/check");
    expect(checked.body).toMatchObject({ records: { error: null }, success: true });
    expect(await active("0")).toEqual([]);
  });

  test("check answers success false, with 200, when MX is not right", async () => {
    site.zone.set({ type: "MX", name: "own.test", values: [] });
    const { status, body } = await call("GET", `${OWN}/check`);
    expect([status, body.success]).toEqual([200, false]);
    expect((body.records as Fields).error).toMatch(/MX/);
  });

  test("v3-embedded-aliases: of more than 200 aliases the first by name", async () => {
    const aliases = Array.from({ length: 201 }, (_, index) => ({
      alias: `a${String(index).padStart(3, "0")}`,
      forward: "a@dest.test",
    }));
    await call("POST", `${OWN}/aliases/batch`, { aliases });
    const { body } = await call("GET", OWN);
    const shown = (body.domain as { aliases: Fields[] }).aliases;
    expect(shown).toHaveLength(200);
    expect(shown.at(-1)!.alias).toBe("a199");
  });

  test("update and delete", async () => {
    const webhook = "https://hooks.test/events";
    const changed = await call("PUT", OWN, { webhook, notification_email: "ops@dest.test" });
    expect(changed.body.domain).toEqual({
      ...OWN_TEST,
      webhook,
      notification_email: "ops@dest.test",
    });
    expect((await call("DELETE", OWN)).text).toBe(OK);
    expect((await call("DELETE", OWN)).status).toBe(404);
  });
});

describe("aliases", () => {
  test("list with its filters", async () => {
    const listed = await call("GET", `${OWN}/aliases`);
    expect(listed.text).toBe(
      JSON.stringify({ aliases: [INFO, SALES], limit: 20, page: 1, total: 2, success: true }),
    );
    expect((await call("GET", `${OWN}/aliases?q=hooks`)).body.aliases).toEqual([SALES]);
    expect((await call("GET", `${OWN}/aliases?alias=SA`)).body.aliases).toEqual([SALES]);
    expect((await call("GET", `${OWN}/aliases?alias=ales`)).body.aliases).toEqual([]);
  });

  test("by name, by id, and the catch-all", async () => {
    for (const name of ["info", "INFO", "10000001"]) {
      expect((await call("GET", `${OWN}/aliases/${name}`)).text).toBe(
        JSON.stringify({ alias: INFO, success: true }),
      );
    }
    const forward = "all@dest.test";
    const made = await call("POST", `${OWN}/aliases`, { alias: "*", forward });
    expect(made.text).toBe(
      JSON.stringify({ alias: { alias: "*", forward, id: 10000003 }, success: true }),
    );
    expect((await call("GET", `${OWN}/aliases/*`)).body.alias).toMatchObject({ alias: "*" });
    expect((await call("GET", `${OWN}/aliases/%2A`)).body.alias).toMatchObject({ alias: "*" });
    const changed = await call("PUT", `${OWN}/aliases/*`, { forward: "b@dest.test" });
    expect(changed.body.alias).toEqual({ alias: "*", forward: "b@dest.test", id: 10000003 });
    expect((await call("DELETE", `${OWN}/aliases/*`)).text).toBe(OK);
    expect((await call("DELETE", `${OWN}/aliases/*`)).status).toBe(404);
  });

  test("v3-batch-alias, v3-failed-aliases: string ids, no timestamps; failures as they were sent", async () => {
    const forward = "n@dest.test";
    const added = await call("POST", `${OWN}/aliases/batch`, {
      aliases: [{ alias: "n", forward }, { alias: "info", forward }, 7],
    });
    expect(added.body).toEqual({
      added: [{ alias: "n", forward, id: "10000003" }],
      failed: [
        { alias: "info", forward, error: expect.stringContaining("already an alias") },
        { alias: null, forward: null, error: expect.stringContaining("is an object") },
      ],
    });
    const updated = await call("PUT", `${OWN}/aliases/batch`, {
      aliases: [
        { id: "10000003", forward: "m@dest.test" },
        { id: "9", forward },
      ],
    });
    expect(updated.text).toBe(
      '{"updated":[{"alias":"n","forward":"m@dest.test","id":"10000003"}],' +
        '"failed":[{"id":"9","forward":"n@dest.test","error":"alias not found"}]}',
    );
    const deleted = await call("DELETE", `${OWN}/aliases/batch`, { ids: ["10000003", "9"] });
    expect(deleted.text).toBe(
      '{"deleted":["10000003"],"failed":[{"id":"9","error":"alias not found"}]}',
    );
  });

  test("v3-bulk-alias: add, update, delete", async () => {
    const forward = "n@dest.test";
    const aliases = [
      { alias: "info", forward },
      { alias: "n", forward },
    ];
    const bulk = (behavior?: string): Promise<Answer> =>
      call("POST", `${OWN}/aliases/bulk`, { aliases, behavior });
    expect((await bulk()).body).toEqual({
      added: [{ alias: "n", forward, id: 10000003 }],
      updated: [],
      failed: [{ alias: "info", forward, error: expect.any(String) }],
      success: true,
    });
    expect((await bulk("update")).body).toEqual({
      added: [],
      updated: [
        { alias: "info", forward, id: 10000001 },
        { alias: "n", forward, id: 10000003 },
      ],
      failed: [],
      success: true,
    });
    await call("DELETE", `${OWN}/aliases/n`);
    expect((await bulk("delete")).body).toEqual({
      deleted: [{ ...INFO, forward }],
      failed: [{ alias: "n" }],
      success: true,
    });
    expect((await bulk("replace")).body.errors).toEqual({
      behavior: ["`behavior` is `replace`: give one of `add`, `update`, `delete`"],
    });
  });

  test("batch and bulk add need a paid plan, bulk update and delete do not", async () => {
    site = await openSite({ plan: FREE ?? {}, domains: [{ domain: "own.test" }] });
    const aliases = [{ alias: "*", forward: "a@dest.test" }];
    expect((await call("POST", `${OWN}/aliases/batch`, { aliases })).status).toBe(403);
    expect((await call("POST", `${OWN}/aliases/bulk`, { aliases })).status).toBe(403);
    for (const behavior of ["update", "delete"]) {
      expect((await call("POST", `${OWN}/aliases/bulk`, { aliases, behavior })).status).toBe(200);
    }
  });

  test("deleting all needs all=true", async () => {
    const refused = await call("DELETE", `${OWN}/aliases/aliases-all`);
    expect([refused.status, refused.text]).toEqual([
      400,
      '{"errors":{"all":["`all` is missing: give `true`"]},"success":false}',
    ]);
    expect((await call("DELETE", `${OWN}/aliases/aliases-all?all=true`)).text).toBe(
      '{"deleted":2}',
    );
  });
});

describe("rules", () => {
  const REGEX = {
    id: RULE_ID,
    type: "regex",
    config: { regex: "^Re:", scopes: ["subject"], forward: "re@dest.test" },
    rank: 1,
    active: true,
  };
  const ALIAS = {
    id: OFF_ID,
    type: "alias",
    config: { alias: "info", forward: "rule@dest.test" },
    rank: 2,
    active: false,
  };
  const iso = { created_at: "2026-11-20T09:00:00Z", updated_at: "2026-11-20T09:00:00Z" };

  test("v3-rule-created: list, get unwrapped, create: seconds", async () => {
    const created = SECONDS;
    expect((await call("GET", `${OWN}/rules`)).text).toBe(
      JSON.stringify({
        limit: 100,
        page: 1,
        rules: [
          { ...REGEX, created },
          { ...ALIAS, created },
        ],
        total: 2,
        success: true,
      }),
    );
    expect((await call("GET", `${OWN}/rules?search=rule@`)).body.total).toBe(1);
    expect((await call("GET", `${OWN}/rules/${RULE_ID}`)).text).toBe(
      JSON.stringify({ ...REGEX, created }),
    );
    const { config, type } = ALIAS;
    const made = await call("POST", `${OWN}/rules`, { type, config });
    expect(made.body).toMatchObject({ rule: { rank: 3, active: true, created }, success: true });
  });

  test("update: seconds, and the config kept; delete", async () => {
    const changed = await call("PUT", `${OWN}/rules/${RULE_ID}`, { rank: 0.5 });
    expect(changed.text).toBe(
      JSON.stringify({ rule: { ...REGEX, rank: 0.5, created: SECONDS }, success: true }),
    );
    expect((await call("DELETE", `${OWN}/rules/${RULE_ID}`)).text).toBe(OK);
    expect((await call("GET", `${OWN}/rules/${RULE_ID}`)).status).toBe(404);
  });

  test("batches: ISO timestamps, failures as they were sent", async () => {
    const bad = { type: "cel", config: { expression: "(", forward: "x@dest.test" } };
    const { type, config } = ALIAS;
    const added = await call("POST", `${OWN}/rules/batch`, { rules: [{ type, config }, bad] });
    expect(added.body).toEqual({
      added: [{ id: expect.any(String), type, config, rank: 3, active: true, ...iso }],
      failed: [{ ...bad, error: expect.any(String) }],
    });
    const updated = await call("PUT", `${OWN}/rules/batch`, {
      rules: [{ id: OFF_ID, active: true }, { id: "x" }],
    });
    expect(updated.text).toBe(
      JSON.stringify({
        updated: [{ ...ALIAS, active: true, ...iso, updated_at: "2026-11-20T09:00:01Z" }],
        failed: [{ id: "x", config: null, error: "rule not found" }],
      }),
    );
    const deleted = await call("DELETE", `${OWN}/rules/batch`, { ids: [OFF_ID, "x"] });
    expect(deleted.text).toBe(
      `{"deleted":["${OFF_ID}"],"failed":[{"id":"x","error":"rule not found"}]}`,
    );
  });

  test("v3-bulk-rules: results in seconds, failures in errors", async () => {
    const bulk = (behavior: string, ...rules: unknown[]): Promise<Answer> =>
      call("POST", `${OWN}/rules/bulk`, { rules, behavior });
    const updated = await bulk("update", { id: OFF_ID, rank: 7 }, { id: "x" });
    expect(updated.text).toBe(
      JSON.stringify({
        errors: [{ operation: "update", rule: { id: "x" }, error: "rule not found" }],
        results: [
          { operation: "update", rule: { ...ALIAS, rank: 7, created: SECONDS }, success: true },
        ],
        success: true,
      }),
    );
    const { type, config } = ALIAS;
    expect((await bulk("add", { type, config })).body.results).toHaveLength(1);
    const deleted = await bulk("delete", OFF_ID, { id: RULE_ID });
    expect(deleted.body).toMatchObject({ errors: [], results: [{}, {}] });
  });

  test("deleting all needs all=true", async () => {
    expect((await call("DELETE", `${OWN}/rules-all`)).status).toBe(400);
    expect((await call("DELETE", `${OWN}/rules-all?all=true`)).text).toBe('{"deleted":2}');
  });
});
