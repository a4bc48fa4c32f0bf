import { describe, expect, test } from "vitest";
import { ALIASES } from "../../../../src/simulator/model/records.ts";
import {
  type AliasResults,
  addAliases,
  bulkAliases,
  deleteAliases,
  updateAliases,
} from "../../../../src/simulator/model/routing/alias-batches.ts";
import {
  createAlias,
  deleteAlias,
  deleteAllAliases,
  getAlias,
  getAliasByNameOrId,
  getAliasNamed,
  listAliases,
  updateAlias,
} from "../../../../src/simulator/model/routing/aliases.ts";
import { ALL, exampleFixture, fixtureOf, problemOf, START_MS } from "../fixture.ts";

const DOMAIN = "example.com";
const FORWARD = "ann@mail.example";

describe("one alias", () => {
  test("is created, found by id and by name, updated, deleted", async () => {
    const { service, events, tick } = await exampleFixture();
    const input = { alias: "Info", forward: "ann@mail.example, https://hooks.example/x " };
    const row = await createAlias(service, "EXAMPLE.com", input);
    expect(row).toEqual({
      id: "10000002",
      domain: DOMAIN,
      alias: "Info",
      name: "info",
      forward: "ann@mail.example, https://hooks.example/x",
      createdMs: START_MS,
      updatedMs: START_MS,
    });
    expect(await getAlias(service, DOMAIN, row.id)).toEqual(row);
    expect(await getAliasNamed(service, DOMAIN, "INFO")).toEqual(row);
    tick();
    const updated = await updateAlias(service, DOMAIN, row.id, { forward: "bob@mail.example" });
    expect(updated).toEqual({ ...row, forward: "bob@mail.example", updatedMs: START_MS + 1_000 });
    await deleteAlias(service, DOMAIN, row.id);
    expect((await problemOf(service, () => getAlias(service, DOMAIN, row.id))).message).toBe(
      "alias not found",
    );
    expect(events.map(({ domain, id }) => `${domain} ${id}`)).toEqual(
      Array.from({ length: 3 }, () => "example.com aliases"),
    );
  });

  test("takes no notice of fields that are not its own", async () => {
    const { service } = await exampleFixture();
    const input = { alias: "info", forward: FORWARD, id: 5, created_at: "long ago" };
    expect((await createAlias(service, DOMAIN, input)).id).toBe("10000002");
  });

  test("keeps a pattern as written (alias-spelling)", async () => {
    const { service } = await exampleFixture();
    const input = { alias: "Order-(\\d+)", forward: "orders+$1@mail.example" };
    expect((await createAlias(service, DOMAIN, input)).alias).toBe("Order-(\\d+)");
  });

  test("named like another one's id is what the name finds (alias-name-or-id)", async () => {
    const { service } = await exampleFixture();
    const sales = await getAliasNamed(service, DOMAIN, "sales");
    expect(await getAliasByNameOrId(service, DOMAIN, "sales")).toEqual(sales);
    expect(await getAliasByNameOrId(service, DOMAIN, sales.id)).toEqual(sales);
    const decoy = await createAlias(service, DOMAIN, { alias: sales.id, forward: FORWARD });
    expect(await getAliasByNameOrId(service, DOMAIN, sales.id)).toEqual(decoy);
    const problem = await problemOf(service, () => getAliasByNameOrId(service, DOMAIN, "none"));
    expect(problem.status).toBe(404);
  });

  test("of another domain is not found", async () => {
    const { service } = await fixtureOf({
      domains: [{ domain: "one.example" }, { domain: "two.example" }],
    });
    const { id } = await getAliasNamed(service, "one.example", "*");
    for (const work of [
      () => getAlias(service, "two.example", id),
      () => updateAlias(service, "two.example", id, { forward: FORWARD }),
      () => deleteAlias(service, "two.example", id),
    ]) {
      expect((await problemOf(service, work)).status).toBe(404);
    }
  });

  test.each([
    [{}, { alias: /`alias` is missing/, forward: /`forward` is missing/ }],
    [{ alias: "a@b", forward: FORWARD }, { alias: /before the `@`.* \(line 1, column 2\)$/ }],
    [{ alias: "(", forward: FORWARD }, { alias: /\(line 1, column 1\)$/ }],
    [{ alias: 7, forward: FORWARD }, { alias: /`alias` is a number/ }],
    [{ alias: "a", forward: "x@y.example, nonsense" }, { forward: /`nonsense`.*column 14\)$/ }],
    [{ alias: "a", forward: "me@example.com" }, { forward: /loop/ }],
    [
      { alias: "Sales", forward: FORWARD },
      { alias: /^`Sales` is already an alias of `example.com`/ },
    ],
  ])("refuses %j", async (input, expected) => {
    const { service } = await exampleFixture();
    const problem = await problemOf(service, () => createAlias(service, DOMAIN, input));
    expect(problem.status).toBe(400);
    expect(Object.keys(problem.errors)).toEqual(Object.keys(expected));
    for (const [field, message] of Object.entries(expected)) {
      expect(problem.errors[field]?.[0]).toMatch(message);
    }
    expect(problem.message).toBe(Object.values(problem.errors)[0]?.[0]);
  });

  test("a forward that is refused on update changes nothing", async () => {
    const { service } = await exampleFixture();
    const { id } = await getAliasNamed(service, DOMAIN, "sales");
    const problem = await problemOf(service, () => updateAlias(service, DOMAIN, id, {}));
    expect(problem.errors).toEqual({ forward: ["`forward` is missing: give a string"] });
  });

  test("beyond the plan's limit, over all domains, is a 403 (plan-limits)", async () => {
    const { service } = await fixtureOf({
      plan: { aliases_limit: 2 },
      domains: [{ domain: "one.example" }, { domain: "two.example" }],
    });
    const problem = await problemOf(service, () =>
      createAlias(service, "one.example", { alias: "more", forward: FORWARD }),
    );
    expect([problem.status, problem.message]).toEqual([
      403,
      "Your account is limited to 2 aliases: delete some, or change the plan",
    ]);
  });
});

describe("listing aliases", () => {
  const world = {
    domains: [
      {
        domain: DOMAIN,
        aliases: [
          { alias: "sales", forward: "ann@mail.example" },
          { alias: "presales", forward: "bob@mail.example" },
          { alias: "info", forward: "sales@crm.example" },
          { alias: "b", forward: "carol@mail.example" },
        ],
      },
      { domain: "other.example" },
    ],
  };

  test.each([
    ["name_asc", {}, ["b", "info", "presales", "sales"]],
    ["name_desc", {}, ["sales", "presales", "info", "b"]],
    ["created_asc", {}, ["sales", "presales", "info", "b"]],
    ["created_desc", {}, ["b", "info", "presales", "sales"]],
    ["name_asc", { query: "SALES" }, ["info", "presales", "sales"]],
    ["name_asc", { prefix: "SAL" }, ["sales"]],
    ["name_asc", { prefix: "p", query: "mail" }, ["presales"]],
    ["name_asc", { prefix: "zz" }, []],
  ] as const)("by %s with %j", async (order, filter, expected) => {
    const { service } = await fixtureOf(world);
    const { rows, total } = await listAliases(service, DOMAIN, filter, order, ALL);
    expect(rows.map(({ alias }) => alias)).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  test.each([{}, { prefix: "" }, { query: "sales" }, { prefix: "s" }])(
    "cuts pages of %j like a slice",
    async (filter) => {
      const { service } = await fixtureOf(world);
      const all = await listAliases(service, DOMAIN, filter, "name_asc", ALL);
      const page = await listAliases(service, DOMAIN, filter, "name_asc", { limit: 2, offset: 1 });
      expect(page).toEqual({ rows: all.rows.slice(1, 3), total: all.total });
    },
  );

  test("of a domain that is not there is a 404", async () => {
    const { service } = await fixtureOf(world);
    const problem = await problemOf(service, () =>
      listAliases(service, "none.example", {}, "name_asc", ALL),
    );
    expect(problem.status).toBe(404);
  });
});

test("deleting all answers how many there were, and touches no other domain", async () => {
  const { service } = await fixtureOf({
    domains: [{ domain: "one.example" }, { domain: "two.example" }],
  });
  await createAlias(service, "one.example", { alias: "a", forward: FORWARD });
  expect(await deleteAllAliases(service, "one.example")).toBe(2);
  expect(await deleteAllAliases(service, "one.example")).toBe(0);
  expect(await service.store.table(ALIASES).count({ where: {} })).toBe(1);
});

/** `ok name` or `index message`. */
const told = (results: AliasResults): string[] =>
  results.map((result) =>
    result.ok ? `ok ${result.row.alias}` : `${result.index} ${result.problem.message}`,
  );

describe("batches", () => {
  test("add what is right and tell of the rest, in order", async () => {
    const { service, events } = await exampleFixture();
    const results = await addAliases(service, DOMAIN, [
      { alias: "one", forward: FORWARD },
      { alias: "two", forward: "nonsense" },
      null,
      { alias: "ONE", forward: FORWARD },
      { alias: "sales", forward: FORWARD },
      { alias: "three", forward: FORWARD, extra: true },
    ]);
    expect(told(results)).toEqual([
      "ok one",
      "1 invalid forward address",
      "2 an entry of a batch is an object: give its fields",
      "3 `ONE` is already an alias of `example.com`: update it instead",
      "4 `sales` is already an alias of `example.com`: update it instead",
      "ok three",
    ]);
    const refused = results[1];
    expect(refused?.ok === false && refused.problem.errors.forward?.[0]).toMatch(/`nonsense`/);
    const { rows } = await listAliases(service, DOMAIN, {}, "created_asc", ALL);
    expect(rows.map(({ alias }) => alias)).toEqual(["sales", "one", "three"]);
    expect(events).toHaveLength(1);
  });

  test("stop adding at the plan's limit (plan-limits)", async () => {
    const { service } = await fixtureOf({
      plan: { aliases_limit: 2 },
      domains: [{ domain: DOMAIN }],
    });
    const entries = ["a", "b"].map((alias) => ({ alias, forward: FORWARD }));
    expect(told(await addAliases(service, DOMAIN, entries))).toEqual([
      "ok a",
      "1 Your account is limited to 2 aliases: delete some, or change the plan",
    ]);
  });

  test("update and delete by id, whole numbers welcome, once each", async () => {
    const { service } = await exampleFixture();
    const { id } = await getAliasNamed(service, DOMAIN, "sales");
    expect(
      told(
        await updateAliases(service, DOMAIN, [
          { id, forward: "bob@mail.example" },
          { id: Number(id), forward: "carol@mail.example" },
          { id: "999", forward: FORWARD },
          { forward: FORWARD },
          { id, forward: "" },
        ]),
      ),
    ).toEqual([
      "ok sales",
      "ok sales",
      "2 alias not found",
      "3 `id` is missing: give it as a string",
      "4 invalid forward address",
    ]);
    expect((await getAlias(service, DOMAIN, id)).forward).toBe("carol@mail.example");
    expect(told(await deleteAliases(service, DOMAIN, [id, id, true]))).toEqual([
      "ok sales",
      "1 alias not found",
      "2 `id` is missing: give it as a string",
    ]);
  });

  test("need a paid plan to add, whether batch or bulk, not to update or delete", async () => {
    const { service } = await fixtureOf({
      plan: { kind: "free", name: "free" },
      domains: [{ domain: DOMAIN }],
    });
    const entries = [{ alias: "*", forward: FORWARD }];
    for (const work of [
      () => addAliases(service, DOMAIN, entries),
      () => bulkAliases(service, DOMAIN, "add", entries),
    ]) {
      const problem = await problemOf(service, work);
      expect([problem.status, problem.message]).toEqual([
        403,
        "adding aliases in one request needs a paid plan: `free` is a free one",
      ]);
    }
    expect(told(await bulkAliases(service, DOMAIN, "update", entries))).toEqual(["ok *"]);
    expect(told(await bulkAliases(service, DOMAIN, "delete", entries))).toEqual(["ok *"]);
  });

  test("bulk goes by name, and updates only what is there (bulk-update-existing)", async () => {
    const { service } = await exampleFixture();
    const entries = [
      { alias: "SALES", forward: "bob@mail.example" },
      { alias: "new", forward: FORWARD },
      {},
    ];
    const missing = "2 `alias` is missing: give the name as a string";
    expect(told(await bulkAliases(service, DOMAIN, "update", entries))).toEqual([
      "ok sales",
      "1 alias not found",
      missing,
    ]);
    expect((await getAliasNamed(service, DOMAIN, "sales")).forward).toBe("bob@mail.example");
    expect(told(await bulkAliases(service, DOMAIN, "delete", entries))).toEqual([
      "ok sales",
      "1 alias not found",
      missing,
    ]);
    expect(
      told(await bulkAliases(service, DOMAIN, "add", [{ alias: "new", forward: FORWARD }])),
    ).toEqual(["ok new"]);
  });

  test.each([
    [undefined, "`aliases` is missing: give the entries as an array"],
    ["sales", "`aliases` is not an array: give the entries as an array"],
    [
      Array.from({ length: 501 }, () => ({})),
      "`aliases` has 501 entries: at most 500 are allowed in one request",
    ],
  ])("refuse what is no list of at most 500", async (entries, message) => {
    const { service } = await exampleFixture();
    const problem = await problemOf(service, () => addAliases(service, DOMAIN, entries));
    expect([problem.status, problem.errors]).toEqual([400, { aliases: [message] }]);
  });

  test("take 500 entries", async () => {
    const { service } = await exampleFixture();
    const entries = Array.from({ length: 500 }, (_, index) => ({
      alias: `a${index}`,
      forward: FORWARD,
    }));
    const results = await addAliases(service, DOMAIN, entries);
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect((await listAliases(service, DOMAIN, {}, "name_asc", ALL)).total).toBe(501);
  });
});
