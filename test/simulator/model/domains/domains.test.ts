import { describe, expect, test } from "vitest";
import { createDomain } from "../../../../src/simulator/model/domains/create-domain.ts";
import {
  type DomainFilter,
  getDomain,
  listDomains,
  type NameOrder,
  updateDomain,
} from "../../../../src/simulator/model/domains/domains.ts";
import { listAliases } from "../../../../src/simulator/model/routing/aliases.ts";
import { ALL, exampleFixture, fixtureOf, problemOf, START_MS } from "../fixture.ts";

const OWNER = "owner@account.example";

describe("creating a domain", () => {
  test("fills in what the API says: the account's email, aliases, and a default alias (default-alias, new-domain-engine, new-domain-ready)", async () => {
    const { service, events } = await fixtureOf({});
    const row = await createDomain(service, { domain: "Shop.Example" });
    expect(row).toEqual({
      domain: "shop.example",
      createdMs: START_MS,
      updatedMs: START_MS,
      notificationEmail: OWNER,
      notifyWhenSpamBlocked: false,
      routingEngine: "alias",
      rulesFallbackEmail: null,
      strictMxes: false,
      banned: false,
      whitelabel: null,
      webhook: null,
      dkimSelector: "dkim",
      forwardingReady: false,
      sendReady: false,
    });
    expect(await getDomain(service, "SHOP.example")).toEqual(row);
    const { rows } = await listAliases(service, "shop.example", {}, "name_asc", ALL);
    expect(rows.map(({ alias, forward }) => [alias, forward])).toEqual([["*", OWNER]]);
    expect(events).toEqual([
      { kind: "changed", atMs: START_MS, domain: "shop.example", id: "domain" },
    ]);
  });

  test("gives the domain of the account's own mailbox no default alias (default-alias)", async () => {
    const { service } = await fixtureOf({});
    await createDomain(service, { domain: "account.example" });
    const { total } = await listAliases(service, "account.example", {}, "name_asc", ALL);
    expect(total).toBe(0);
  });

  test("keeps a name with U-labels as A-labels", async () => {
    const { service } = await fixtureOf({});
    expect((await createDomain(service, { domain: "Bücher.example" })).domain).toBe(
      "xn--bcher-kva.example",
    );
    expect((await getDomain(service, "bücher.EXAMPLE")).domain).toBe("xn--bcher-kva.example");
  });

  test.each([
    [undefined, "`domain` is missing: give a name such as `example.com`"],
    ["localhost", "`localhost` is not a domain name: write it as `example.com`"],
    [7, "this is not a domain name: write it as `example.com`"],
    ["EXAMPLE.com", "`example.com` is already in the account: update it instead"],
  ])("refuses the name %j", async (domain, message) => {
    const { service } = await exampleFixture();
    const problem = await problemOf(service, () => createDomain(service, { domain }));
    expect([problem.status, problem.message, problem.errors]).toEqual([
      400,
      message,
      { domain: [message] },
    ]);
  });

  test("stops at the plan's limit with 403 (plan-limits)", async () => {
    const { service } = await fixtureOf({ plan: { domains_limit: 1 } });
    await createDomain(service, { domain: "one.example" });
    const problem = await problemOf(service, () =>
      createDomain(service, { domain: "two.example" }),
    );
    expect([problem.status, problem.message]).toEqual([
      403,
      "Your account is limited to 1 domain: delete some, or change the plan",
    ]);
  });

  test("leaves no domain behind when its default alias finds no room", async () => {
    const { service } = await fixtureOf({ plan: { aliases_limit: 0 } });
    const problem = await problemOf(service, () =>
      createDomain(service, { domain: "one.example" }),
    );
    expect(problem.status).toBe(403);
  });
});

describe("updating a domain", () => {
  test("changes what is given and the time, keeps the rest (domain-settings)", async () => {
    const { service, tick } = await fixtureOf({
      whitelabels: ["brand.example"],
      domains: [{ domain: "example.com" }],
    });
    const before = await getDomain(service, "example.com");
    tick();
    const changes = {
      notification_email: null,
      whitelabel: "brand.example",
      webhook: "https://hooks.example/mail",
      routing_engine: "rules",
      rules_fallback_email: "late@mail.example",
      notify_when_spam_blocked: true,
      strict_mxes: true,
    };
    const row = await updateDomain(service, "Example.com", changes);
    expect(row).toEqual({
      ...before,
      updatedMs: START_MS + 1_000,
      notificationEmail: null,
      whitelabel: "brand.example",
      webhook: "https://hooks.example/mail",
      routingEngine: "rules",
      rulesFallbackEmail: "late@mail.example",
      notifyWhenSpamBlocked: true,
      strictMxes: true,
    });
    const again = await updateDomain(service, "example.com", {});
    expect(again).toEqual({ ...row, updatedMs: START_MS + 2_000 });
  });

  test.each([
    ["notification_email", "nobody", "`nobody` is not a mailbox: write `user@domain` or null"],
    ["notification_email", 3, "this is not a mailbox: write `user@domain` or null"],
    ["whitelabel", "other", "`other` is not a domain name: write `brand.example` or null"],
    [
      "webhook",
      "ftp://hooks.example",
      "`ftp://hooks.example` is not a URL of at most 2048 characters: write `https://host/path` or null",
    ],
    [
      "routing_engine",
      "magic",
      "`magic` is not a routing engine: give `alias`, `rules`, or null for no routing",
    ],
    ["notify_when_spam_blocked", "yes", "`yes` is not a flag: give true or false"],
    ["strict_mxes", null, "this is not a flag: give true or false"],
  ])("refuses %s: %j (whitelabel-any)", async (field, value, message) => {
    const { service } = await fixtureOf({
      whitelabels: ["brand.example"],
      domains: [{ domain: "example.com" }],
    });
    const problem = await problemOf(service, () =>
      updateDomain(service, "example.com", { [field]: value }),
    );
    expect([problem.status, problem.errors]).toEqual([400, { [field]: [message] }]);
  });

  test("refuses a fallback at the domain itself, with its place, beside the other errors", async () => {
    const { service } = await exampleFixture();
    const { errors, message } = await problemOf(service, () =>
      updateDomain(service, "example.com", {
        strict_mxes: 1,
        rules_fallback_email: "me@example.com",
      }),
    );
    expect(Object.keys(errors)).toEqual(["strict_mxes", "rules_fallback_email"]);
    expect(message).toBe(errors.strict_mxes?.[0]);
    expect(errors.rules_fallback_email?.[0]).toMatch(/loop.*\(line 1, column 1\)$/);
  });

  test("answers 404 for a domain that is not in the account", async () => {
    const { service } = await exampleFixture();
    const problem = await problemOf(service, () => updateDomain(service, "other.example", {}));
    expect([problem.status, problem.message, problem.errors]).toEqual([
      404,
      "domain not found",
      {},
    ]);
  });
});

describe("listing domains", () => {
  const world = {
    whitelabels: ["brand.example"],
    domains: [
      { domain: "beta.example", whitelabel: "brand.example" },
      { domain: "alpha.example", routing_engine: null },
      { domain: "gamma.test", routing_engine: "rules" },
    ],
    dns: [
      { type: "MX" as const, name: "alpha.example", values: [] },
      { type: "TXT" as const, name: "_dmarc.gamma.test", values: [] },
    ],
  };
  const names = async (
    filter: DomainFilter,
    order: NameOrder = "name_asc",
    page = ALL as { limit: number; offset: number },
  ): Promise<unknown> => {
    const { service } = await fixtureOf(world);
    const { rows, total } = await listDomains(service, filter, order, page);
    return [rows.map(({ domain }) => domain.split(".")[0]), total];
  };

  test.each<[string, DomainFilter, string[]]>([
    ["all by default", {}, ["alpha", "beta", "gamma"]],
    ["a substring in any case", { query: "A.EX" }, ["alpha", "beta"]],
    ["ready to forward", { forwardingReady: true }, ["beta", "gamma"]],
    ["not ready to forward", { forwardingReady: false }, ["alpha"]],
    ["not ready to send", { sendReady: false }, ["gamma"]],
    ["a brand", { whitelabel: "brand.example" }, ["beta"]],
    ["no brand", { whitelabel: null }, ["alpha", "gamma"]],
    ["routing by rules", { routingEngine: "rules" }, ["gamma"]],
    ["no routing", { routingEngine: null }, ["alpha"]],
    ["all filters together", { query: "e", sendReady: true, whitelabel: null }, ["alpha"]],
  ])("filters by %s", async (_, filter, expected) => {
    expect(await names(filter)).toEqual([expected, expected.length]);
  });

  test("orders by name and by creation, and cuts pages with the total of all", async () => {
    expect(await names({}, "name_desc")).toEqual([["gamma", "beta", "alpha"], 3]);
    expect(await names({}, "name_asc", { limit: 2, offset: 1 })).toEqual([["beta", "gamma"], 3]);
    expect(await names({}, "name_asc", { limit: 2, offset: 5 })).toEqual([[], 3]);
    const { service, tick } = await fixtureOf({});
    for (const domain of ["b.example", "c.example", "a.example"]) {
      await createDomain(service, { domain });
      tick();
    }
    for (const [order, expected] of [
      ["created_asc", ["b", "c", "a"]],
      ["created_desc", ["a", "c", "b"]],
    ] as const) {
      const { rows } = await listDomains(service, {}, order, ALL);
      expect(rows.map(({ domain }) => domain[0])).toEqual(expected);
    }
  });
});
