import { describe, expect, test } from "vitest";
import { getAccount } from "../../../../src/simulator/model/account.ts";
import { getDomain } from "../../../../src/simulator/model/domains/domains.ts";
import { getAliasNamed, listAliases } from "../../../../src/simulator/model/routing/aliases.ts";
import { listRules } from "../../../../src/simulator/model/routing/rules.ts";
import { DEFAULT_WORLD, seedWorld } from "../../../../src/simulator/model/seed/seed-world.ts";
import { listCredentials } from "../../../../src/simulator/model/sending/credentials.ts";
import { getTemplate } from "../../../../src/simulator/model/sending/templates.ts";
import { ALL, contentOf, emptyFixture, fixtureOf, problemOf } from "../fixture.ts";

const WORLD = {
  account: { email: "me@account.example" },
  whitelabels: ["brand.example"],
  domains: [
    {
      domain: "Shop.example",
      whitelabel: "brand.example",
      routing_engine: "rules",
      rules_fallback_email: "rest@mail.example",
      aliases: [{ alias: "sales", forward: "ann@mail.example" }],
      rules: [
        { type: "alias", config: { alias: "sales", forward: "ann@mail.example" } },
        { type: "cel", config: { expression: 'subject == "x"', forward: "null" }, rank: 0.5 },
      ],
      credentials: [{ username: "sales", password: "long enough" }],
      templates: [{ name: "hello", subject: "Hi" }],
    },
    { domain: "plain.example", banned: true },
  ],
  dns: [{ type: "MX", name: "plain.example", values: ["elsewhere.example"] }],
};

test("a world is seeded whole, through the checks of the operations, and verified", async () => {
  const { service, zone } = emptyFixture();
  await seedWorld(service, zone, WORLD);
  const shop = await getDomain(service, "shop.example");
  expect(shop).toMatchObject({
    whitelabel: "brand.example",
    routingEngine: "rules",
    rulesFallbackEmail: "rest@mail.example",
    notificationEmail: "me@account.example",
    forwardingReady: true,
    sendReady: true,
  });
  expect((await listAliases(service, "shop.example", {}, "name_asc", ALL)).total).toBe(1);
  const { rows } = await listRules(service, "shop.example", {}, "rank_asc", ALL);
  expect(rows.map(({ rank, type }) => [rank, type])).toEqual([
    [0.5, "cel"],
    [1, "alias"],
  ]);
  expect((await listCredentials(service, "shop.example", ALL)).rows[0]?.username).toBe("sales");
  expect((await getTemplate(service, "shop.example", "hello")).subject).toBe("Hi");
  expect((await getAliasNamed(service, "plain.example", "*")).forward).toBe("me@account.example");
  expect(await getDomain(service, "plain.example")).toMatchObject({
    banned: true,
    forwardingReady: false,
  });
  expect(shop.banned).toBe(false);
});

test("the same world makes the same content", async () => {
  const contents = await Promise.all(
    [1, 2].map(async () => {
      const { service, zone } = emptyFixture();
      await seedWorld(service, zone, WORLD);
      return contentOf(service);
    }),
  );
  expect(contents[0]).toEqual(contents[1]);
});

test("the default world is a paid account with room, and without domains", async () => {
  const { service } = await fixtureOf(DEFAULT_WORLD);
  const { row } = await getAccount(service);
  expect(row).toMatchObject({
    email: "owner@account.example",
    whitelabels: ["mail.brand.example"],
  });
  expect(row.plan).toMatchObject({ kind: "premium", domains_limit: 1_000, monthly_send_limit: 0 });
  expect(Object.keys((await contentOf(service)) as object)).toEqual(["account"]);
});

describe("a wrong world leaves nothing, and is told with paths", () => {
  const alias = { alias: "a", forward: "ann@mail.example" };
  test.each<[unknown, Record<string, RegExp>]>([
    [null, { "(root)": /^\(root\): invalid input: expected object/ }],
    [{ domain: [] }, { domain: /unknown field: remove it/ }],
    [{ account: { email: 7 } }, { "account.email": /expected string/ }],
    [{ account: { email: "me" } }, { "account.email": /not a mailbox/ }],
    [{ plan: { kind: "gold" } }, { "plan.kind": /"free"/ }],
    [{ plan: { aliases_limit: 1e9 } }, { "plan.aliases_limit": /<=100000/ }],
    [{ plan: { rules_limit: -1 } }, { "plan.rules_limit": />=0/ }],
    [{ whitelabels: ["x"] }, { "whitelabels[0]": /not a domain name/ }],
    [{ dns: [{ type: "A", name: "x", values: [] }] }, { "dns[0].type": /"MX"/ }],
    [
      { domains: [{ domain: "a.example", rule: [] }] },
      { "domains[0].rule": /unknown field: remove it/ },
    ],
    [
      { domains: [{ domain: "a.example", aliases: [{ to: "x" }] }] },
      { "domains[0].aliases[0].to": /unknown field: remove it/ },
    ],
    [{ domains: [{}] }, { "domains[0].domain": /^domains\[0\]\.domain: `domain` is missing/ }],
    [
      { domains: [{ domain: "a.example" }, { domain: "A.example" }] },
      { "domains[1].domain": /already in the account/ },
    ],
    [
      { domains: [{ domain: "a.example", aliases: [alias, alias] }] },
      { "domains[0].aliases[1].alias": /already an alias/ },
    ],
    [
      {
        domains: [
          {
            domain: "a.example",
            rules: [{ type: "regex", config: { regex: "(", scopes: [], forward: "x" } }],
          },
        ],
      },
      {
        "domains[0].rules[0].config.forward": /`x`/,
        "domains[0].rules[0].config.regex": /\(line 1, column 1\)/,
        "domains[0].rules[0].config.scopes": /empty/,
      },
    ],
    [
      { domains: [{ domain: "a.example", credentials: [{ username: "a", password: "b" }] }] },
      { "domains[0].credentials[0].password": /8 to 256/ },
    ],
    [
      { domains: [{ domain: "a.example", templates: [{ name: "A" }] }] },
      { "domains[0].templates[0].name": /lowercase/ },
    ],
    [
      {
        plan: { aliases_limit: 1 },
        domains: [{ domain: "a.example", aliases: [alias, { ...alias, alias: "b" }] }],
      },
      { "domains[0].aliases[1]": /Your account is limited to 1 alias:/ },
    ],
  ])("%j", async (world, expected) => {
    const { service, zone } = emptyFixture();
    const problem = await problemOf(service, () => seedWorld(service, zone, world));
    expect(problem.status).toBe(400);
    expect(Object.keys(problem.errors).sort()).toEqual(Object.keys(expected));
    for (const [path, message] of Object.entries(expected)) {
      expect(problem.errors[path]?.[0]).toMatch(message);
    }
    expect(problem.message).toBe(Object.values(problem.errors)[0]?.[0]);
    expect(await contentOf(service)).toEqual({});
  });

  test("one that is there already is not seeded over", async () => {
    const { service, zone } = await fixtureOf({});
    const problem = await problemOf(service, () => seedWorld(service, zone, {}));
    expect(problem.message).toBe("the service has a world already: empty it first");
  });
});
