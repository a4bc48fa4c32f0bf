/** Version 4's account, domains, aliases and rules, with the fields of their answers in order (API v4 §4). */
import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, type Fields, FREE, openSite, type Site } from "./fixture.ts";

let site: Site;
beforeEach(async () => {
  site = await openSite();
});

const call = (method: string, path: string, json?: unknown): Promise<Answer> =>
  site.send(method, `/v4${path}`, json === undefined ? {} : { json });

const OWN = "/domains/own.test";
const RULE_ID = "6f1c2f0e-4b58-4d0c-9a55-0c9d1c8b7a10";
const OFF_ID = "7a1c2f0e-4b58-4d0c-9a55-0c9d1c8b7a10";
const AT = "2026-11-20T09:00:00Z";
const LATER = "2026-11-20T09:00:02Z";
const NEXT_SECOND = "2026-11-20T09:00:01Z";
const stamps = { created_at: AT, updated_at: AT };
const later = (): Promise<void> => site.clock.advance(2_000);

const INFO = { id: "10000001", alias: "info", forward: "info@dest.test", ...stamps };
const SALES = {
  id: "10000002",
  alias: "sales",
  forward: "sales@dest.test, https://hooks.test/in",
  ...stamps,
};

test("GET /account; account-locked: a lock reason shows as `locked`", async () => {
  const { status, body } = await call("GET", "/account");
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toBe(
    '{"account":{"address":"1 Example Street","billing_email":null,"cancels_at":null,"company_vat":null,' +
      '"country":"US","created_at":"2026-11-20T09:00:00Z","email":"owner@account.example",' +
      '"email_log_retention_days":90,"lock_reason":null,"locked":null,"name":"Account Owner","over_quota":false,' +
      '"plan":{"name":"business","price":49,"billing_cycle":"monthly","domains_limit":1000,"aliases_limit":100000,' +
      '"rules_limit":100000,"daily_receive_limit":1000000,"daily_send_limit":100000,"monthly_receive_limit":0,' +
      '"monthly_send_limit":0},"privacy_level":0,"renews_at":"2026-12-20T09:00:00Z"}}',
  );
  site = await openSite({ account: { lock_reason: "unpaid" } });
  const locked = await call("GET", "/account");
  expect(locked.body.account).toMatchObject({ lock_reason: "unpaid", locked: true });
});

describe("domains", () => {
  const OWN_TEST = {
    domain: "own.test",
    forwarding_ready: true,
    send_ready: true,
    banned: false,
    notification_email: "owner@account.example",
    notify_when_spam_blocked: false,
    routing_engine: "alias",
    rules_fallback_email: null,
    strict_mxes: false,
    whitelabel: null,
    ...stamps,
  };

  test("list and get", async () => {
    const listed = await call("GET", "/domains");
    expect(listed.text).toBe(JSON.stringify({ domains: [OWN_TEST], total: 1, limit: 20, page: 1 }));
    expect((await call("GET", OWN)).text).toBe(JSON.stringify({ domain: OWN_TEST }));
    expect((await call("GET", "/domains/OWN.test/")).body).toEqual({ domain: OWN_TEST });
    const missing = await call("GET", "/domains/none.test");
    expect([missing.status, missing.text]).toEqual([
      404,
      '{"message":"domain not found","errors":{}}',
    ]);
  });

  test("create-status: a create answers 200, with all that can be set", async () => {
    const settings = {
      notification_email: null,
      notify_when_spam_blocked: true,
      routing_engine: "rules",
      rules_fallback_email: "rest@dest.test",
      strict_mxes: true,
      whitelabel: "brand.example",
    };
    const made = await call("POST", "/domains", { domain: "New.Test", ...settings });
    expect(made.status).toBe(200);
    expect(made.body.domain).toEqual({
      ...OWN_TEST,
      ...settings,
      domain: "new.test",
      forwarding_ready: false,
      send_ready: false,
    });
    const again = await call("POST", "/domains", { domain: "new.test" });
    expect([again.status, Object.keys(again.body.errors as Fields)]).toEqual([400, ["domain"]]);
  });

  test("update moves updated_at; verify answers the records; delete answers nothing", async () => {
    await later();
    const changed = await call("PUT", OWN, { routing_engine: null, whitelabel: "brand.example" });
    expect(changed.body.domain).toEqual({
      ...OWN_TEST,
      routing_engine: null,
      whitelabel: "brand.example",
      updated_at: LATER,
    });
    const verified = await call("POST", `${OWN}/verify`);
    expect(Object.keys(verified.body.records as Fields)).toEqual([
      "provider",
      "advanced",
      "dkim1",
      "dkim2",
      "dmarc",
      "mx",
      "spf",
      "error",
      "valid",
    ]);
    const gone = await call("DELETE", OWN);
    expect([gone.status, gone.text, gone.headers.get("content-type")]).toEqual([204, "", null]);
    expect((await call("GET", OWN)).status).toBe(404);
  });

  test("every filter of the list", async () => {
    site.zone.set({ type: "MX", name: "bare.test", values: [] });
    for (const more of [
      { domain: "bare.test", whitelabel: "brand.example", routing_engine: null },
      { domain: "rules.test", routing_engine: "rules" },
    ]) {
      await later();
      await call("POST", "/domains", more);
    }
    await call("POST", "/domains/bare.test/verify");
    const found = async (query: string): Promise<unknown> => {
      const { body } = await call("GET", `/domains?${query}`);
      return (body.domains as Fields[]).map((each) => each.domain);
    };
    expect(await found("order=name_desc")).toEqual(["rules.test", "own.test", "bare.test"]);
    expect(await found("order=created_asc")).toEqual(["own.test", "bare.test", "rules.test"]);
    expect(await found("query=ULE")).toEqual(["rules.test"]);
    expect(await found("forwarding_ready=true")).toEqual(["own.test"]);
    expect(await found("send_ready=true")).toEqual(["bare.test", "own.test"]);
    expect(await found("send_ready=false")).toEqual(["rules.test"]);
    expect(await found("whitelabel=null")).toEqual(["own.test", "rules.test"]);
    expect(await found("whitelabel=brand.example")).toEqual(["bare.test"]);
    expect(await found("routing_engine=null")).toEqual(["bare.test"]);
    expect(await found("routing_engine=rules")).toEqual(["rules.test"]);
    expect(await found("limit=1&page=2")).toEqual(["own.test"]);
  });
});

describe("aliases", () => {
  test("list, get, create, update, delete", async () => {
    const listed = await call("GET", `${OWN}/aliases?query=DEST&order=name_desc&limit=1`);
    expect(listed.text).toBe(JSON.stringify({ aliases: [SALES], limit: 1, page: 1, total: 2 }));
    expect((await call("GET", `${OWN}/aliases/10000001`)).text).toBe(
      JSON.stringify({ alias: INFO }),
    );
    const made = await call("POST", `${OWN}/aliases`, { alias: "New", forward: "a@dest.test" });
    expect(made.body.alias).toEqual({
      ...INFO,
      id: "10000003",
      alias: "New",
      forward: "a@dest.test",
    });
    await later();
    const changed = await call("PUT", `${OWN}/aliases/10000001`, { forward: "b@dest.test" });
    expect(changed.body.alias).toEqual({ ...INFO, forward: "b@dest.test", updated_at: LATER });
    const gone = await call("DELETE", `${OWN}/aliases/10000001`);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    const missing = await call("GET", `${OWN}/aliases/10000001`);
    expect([missing.status, missing.body]).toEqual([
      404,
      { message: "alias not found", errors: {} },
    ]);
  });

  test("on validation failures the message is the first field's", async () => {
    const { status, body } = await call("POST", `${OWN}/aliases`, {
      alias: "x",
      forward: "nobody",
    });
    expect(status).toBe(400);
    expect(Object.keys(body.errors as Fields)).toEqual(["forward"]);
    expect(body.message).toBe((body.errors as { forward: string[] }).forward[0]);
  });

  test("batches: 200 or 207, failures by index and nothing else", async () => {
    const forward = "c@dest.test";
    const whole = await call("POST", `${OWN}/aliases/batch`, {
      aliases: [{ alias: "c", forward }],
    });
    expect(whole.status).toBe(200);
    expect(whole.text).toBe(
      JSON.stringify({
        added: [{ ...INFO, id: "10000003", alias: "c", forward }],
        added_count: 1,
        failed: [],
        failed_count: 0,
      }),
    );
    const part = await call("PUT", `${OWN}/aliases/batch`, {
      aliases: [
        { id: "9", forward },
        "x",
        { id: "10000001", forward: "?" },
        { id: "10000002", forward },
      ],
    });
    expect(part.status).toBe(207);
    expect(part.body).toEqual({
      updated: [{ ...SALES, forward, updated_at: NEXT_SECOND }],
      updated_count: 1,
      failed: [
        { index: 0, message: "alias not found", errors: {} },
        { index: 1, message: "an entry of a batch is an object: give its fields", errors: {} },
        { index: 2, message: "invalid forward address", errors: {} },
      ],
      failed_count: 3,
    });
    const gone = await call("DELETE", `${OWN}/aliases/batch`, { ids: ["10000002", "9"] });
    expect([gone.status, gone.text]).toEqual([
      207,
      '{"deleted":["10000002"],"deleted_count":1,"failed":[{"index":1,"message":"alias not found","errors":{}}],"failed_count":1}',
    ]);
  });

  test("adding a batch needs a paid plan; the other batches do not", async () => {
    site = await openSite({ plan: FREE ?? {}, domains: [{ domain: "own.test" }] });
    const entry = { alias: "c", forward: "c@dest.test" };
    expect((await call("POST", `${OWN}/aliases/batch`, { aliases: [entry] })).status).toBe(403);
    expect((await call("PUT", `${OWN}/aliases/batch`, { aliases: [] })).status).toBe(200);
    expect((await call("DELETE", `${OWN}/aliases/batch`, { ids: [] })).status).toBe(200);
  });

  test("deleting all needs all=true", async () => {
    const refused = await call("DELETE", `${OWN}/aliases`);
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      { all: ["`all` is missing: give `true`"] },
    ]);
    const wiped = await call("DELETE", `${OWN}/aliases?all=true`);
    expect([wiped.status, wiped.text]).toEqual([200, '{"deleted":2}']);
  });

  test("literal-segments: `batch` is the operation where there is one, and an id elsewhere", async () => {
    expect((await call("GET", `${OWN}/aliases/batch`)).body.message).toBe("alias not found");
    expect(
      (await call("PUT", `${OWN}/aliases/batch`, { forward: "x@dest.test" })).body.errors,
    ).toEqual({
      aliases: ["`aliases` is missing: give an array of at most 500 entries"],
    });
  });
});

describe("rules", () => {
  const REGEX = {
    id: RULE_ID,
    type: "regex",
    config: { regex: "^Re:", scopes: ["subject"], forward: "re@dest.test" },
    rank: 1,
    active: true,
    ...stamps,
  };
  const ALIAS = {
    id: OFF_ID,
    type: "alias",
    config: { alias: "info", forward: "rule@dest.test" },
    rank: 2,
    active: false,
    ...stamps,
  };

  test("list, get, create, delete", async () => {
    const listed = await call("GET", `${OWN}/rules`);
    expect(listed.text).toBe(
      JSON.stringify({ rules: [REGEX, ALIAS], limit: 20, page: 1, total: 2 }),
    );
    const filtered = await call("GET", `${OWN}/rules?query=rule@&order=rank_desc`);
    expect(filtered.body.rules).toEqual([ALIAS]);
    expect((await call("GET", `${OWN}/rules/${RULE_ID}`)).text).toBe(
      JSON.stringify({ rule: REGEX }),
    );
    const config = { expression: 'subject == "x"', forward: "cel@dest.test" };
    const made = await call("POST", `${OWN}/rules`, {
      type: "cel",
      config,
      rank: 1.5,
      active: false,
    });
    expect(made.body.rule).toEqual({
      ...REGEX,
      id: expect.any(String),
      type: "cel",
      config,
      rank: 1.5,
      active: false,
    });
    expect((await call("DELETE", `${OWN}/rules/${RULE_ID}`)).status).toBe(204);
    expect((await call("GET", `${OWN}/rules/${RULE_ID}`)).body.message).toBe("rule not found");
  });

  test("rule-config-kept: an update without `config` keeps it", async () => {
    await later();
    const { body } = await call("PUT", `${OWN}/rules/${RULE_ID}`, { rank: 9, active: false });
    expect(body.rule).toEqual({ ...REGEX, rank: 9, active: false, updated_at: LATER });
  });

  test("a config is refused with the place in it", async () => {
    const config = { regex: "(", scopes: ["subject"], forward: "x@dest.test" };
    const { status, body } = await call("POST", `${OWN}/rules`, { type: "regex", config });
    expect([status, Object.keys(body.errors as Fields)]).toEqual([400, ["config.regex"]]);
  });

  test("batches and delete all", async () => {
    const config = { alias: "x", forward: "x@dest.test" };
    const added = await call("POST", `${OWN}/rules/batch`, {
      rules: [{ type: "alias", config }, {}],
    });
    expect([added.status, added.body.added_count, added.body.failed_count]).toEqual([207, 1, 1]);
    const updated = await call("PUT", `${OWN}/rules/batch`, {
      rules: [{ id: OFF_ID, active: true }],
    });
    expect([updated.status, updated.body.updated]).toEqual([
      200,
      [{ ...ALIAS, active: true, updated_at: NEXT_SECOND }],
    ]);
    const deleted = await call("DELETE", `${OWN}/rules/batch`, { ids: [OFF_ID, OFF_ID] });
    expect([deleted.status, deleted.body.deleted, deleted.body.failed]).toEqual([
      207,
      [OFF_ID],
      [{ index: 1, message: "rule not found", errors: {} }],
    ]);
    expect((await call("DELETE", `${OWN}/rules?all=1`)).status).toBe(400);
    expect((await call("DELETE", `${OWN}/rules?all=true`)).text).toBe('{"deleted":2}');
  });
});

test("checked-before-found: 400 comes before 404", async () => {
  expect((await call("POST", "/domains/none.test/aliases", {})).status).toBe(400);
  const entry = { alias: "a", forward: "a@dest.test" };
  expect((await call("POST", "/domains/none.test/aliases", entry)).status).toBe(404);
});
