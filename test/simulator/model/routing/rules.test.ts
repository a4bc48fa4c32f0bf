import { describe, expect, test } from "vitest";
import {
  addRules,
  bulkRules,
  deleteRules,
  type RuleResults,
  updateRules,
} from "../../../../src/simulator/model/routing/rule-batches.ts";
import {
  createRule,
  deleteAllRules,
  deleteRule,
  getRule,
  listRules,
  updateRule,
} from "../../../../src/simulator/model/routing/rules.ts";
import { ALL, exampleFixture, fixtureOf, problemOf, START_MS } from "../fixture.ts";

const DOMAIN = "example.com";
const FORWARD = "ann@mail.example";
const ID = "0A1b2c3d-0000-4000-8000-000000000001";
const alias = (name: string): { type: string; config: object } => ({
  type: "alias",
  config: { alias: name, forward: FORWARD },
});

describe("one rule", () => {
  test("is created with a UUID, the next rank, active; got, updated, deleted", async () => {
    const { service, tick } = await exampleFixture();
    const config = { regex: "invoice #(\\d+)", scopes: ["subject", "body"], forward: FORWARD };
    const row = await createRule(service, DOMAIN, {
      type: "regex",
      config: { ...config, more: 1 },
    });
    expect(row).toEqual({
      key: `example.com/${row.id}`,
      id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      domain: DOMAIN,
      type: "regex",
      config,
      configText: "invoice #(\\d+)\nsubject\nbody\nann@mail.example",
      rank: 1,
      active: true,
      createdMs: START_MS,
      updatedMs: START_MS,
    });
    expect(await getRule(service, DOMAIN, row.id.toUpperCase())).toEqual(row);
    tick();
    expect(await updateRule(service, DOMAIN, row.id, { rank: 0.5, active: false })).toEqual({
      ...row,
      rank: 0.5,
      active: false,
      updatedMs: START_MS + 1_000,
    });
    const other = { regex: "^x", scopes: ["sender"], forward: FORWARD };
    expect(await updateRule(service, DOMAIN, row.id, { config: other })).toMatchObject({
      config: other,
      configText: "^x\nsender\nann@mail.example",
      rank: 0.5,
      active: false,
    });
    await deleteRule(service, DOMAIN, row.id);
    const problem = await problemOf(service, () => getRule(service, DOMAIN, row.id));
    expect([problem.status, problem.message]).toEqual([404, "rule not found"]);
  });

  test("takes the id, rank and state it is given", async () => {
    const { service } = await exampleFixture();
    const given = { ...alias("a"), id: ID, rank: -2.5, active: false };
    const row = await createRule(service, DOMAIN, given);
    expect([row.id, row.rank, row.active]).toEqual([ID.toLowerCase(), -2.5, false]);
  });

  test("without a rank comes after the largest, and never before 1", async () => {
    const { service } = await exampleFixture();
    const ranks: number[] = [];
    for (const rank of [-5, undefined, 7.25, undefined, 3, undefined]) {
      ranks.push((await createRule(service, DOMAIN, { ...alias("a"), rank })).rank);
    }
    expect(ranks).toEqual([-5, 1, 7.25, 8.25, 3, 9.25]);
  });

  test("ids are unique within a domain, not beyond", async () => {
    const { service } = await fixtureOf({
      domains: [{ domain: "one.example" }, { domain: "two.example" }],
    });
    await createRule(service, "one.example", { ...alias("a"), id: ID });
    await createRule(service, "two.example", { ...alias("b"), id: ID });
    expect((await getRule(service, "two.example", ID)).config.alias).toBe("b");
    const problem = await problemOf(service, () =>
      createRule(service, "one.example", { ...alias("a"), id: ID.toUpperCase() }),
    );
    expect(problem.errors.id?.[0]).toMatch(/is already the id of a rule/);
  });

  test.each<[unknown, Record<string, RegExp>]>([
    [{}, { config: /missing/, type: /missing/ }],
    [{ type: "magic", config: { forward: FORWARD } }, { type: /not a rule type/ }],
    [{ type: "alias", config: "x" }, { config: /give an object/ }],
    [
      { type: "alias", config: {} },
      { "config.alias": /missing/, "config.forward": /missing/ },
    ],
    [
      { type: "regex", config: { regex: "a(b", scopes: ["subject", "to"], forward: "x" } },
      {
        "config.forward": /`x` is neither/,
        "config.regex": /\(line 1, column \d+\)$/,
        "config.scopes[1]": /`to` is not a scope/,
      },
    ],
    [
      { type: "cel", config: { expression: "subject ==\n  1", forward: FORWARD } },
      { "config.expression": /\(line \d, column \d+\)$/ },
    ],
    [{ ...alias("a"), rank: "1" }, { rank: /write 1, without quotes/ }],
    [{ ...alias("a"), rank: Number.NaN }, { rank: /not a finite number/ }],
    [{ ...alias("a"), active: "yes" }, { active: /write true, without quotes/ }],
    [{ ...alias("a"), id: "1" }, { id: /^`1` is not a UUID/ }],
  ])("refuses %j", async (input, expected) => {
    const { service } = await exampleFixture();
    const problem = await problemOf(service, () => createRule(service, DOMAIN, input as object));
    expect(problem.status).toBe(400);
    expect(Object.keys(problem.errors).sort()).toEqual(Object.keys(expected));
    for (const [field, message] of Object.entries(expected)) {
      expect(problem.errors[field]?.[0]).toMatch(message);
    }
  });

  test("an update is checked against the rule's type, and changes nothing when refused", async () => {
    const { service } = await exampleFixture();
    const { id } = await createRule(service, DOMAIN, alias("a"));
    for (const [config, field] of [
      [{ alias: 5 }, "config.alias"],
      [{ expression: "true", forward: FORWARD }, "config.expression"],
    ] as const) {
      const problem = await problemOf(service, () => updateRule(service, DOMAIN, id, { config }));
      expect(Object.keys(problem.errors)).toEqual([field]);
    }
    for (const changes of [{ config: null }, { rank: null }, { active: null }]) {
      const refused = await problemOf(service, () => updateRule(service, DOMAIN, id, changes));
      expect(Object.keys(refused.errors)).toEqual(Object.keys(changes));
    }
  });

  test("an update of a part of the config keeps the rest (rule-config-merged)", async () => {
    const { service } = await exampleFixture();
    const regex = { regex: "a", scopes: ["subject"], forward: FORWARD };
    const { id } = await createRule(service, DOMAIN, { type: "regex", config: regex });
    const changed = await updateRule(service, DOMAIN, id, { config: { regex: "b" } });
    expect(changed).toMatchObject({ config: { ...regex, regex: "b" } });
    expect(changed.configText).toContain("b");
  });

  test.each([
    [2 ** 53, 2 ** 53 + 2],
    [1e300, 1.0000000000000002e300],
    [Number.MAX_SAFE_INTEGER, 2 ** 53],
    [-5, 1],
    [0.5, 1.5],
  ])("after the rank %d comes %d", async (rank, next) => {
    const { service } = await exampleFixture();
    await createRule(service, DOMAIN, { ...alias("a"), rank });
    expect((await createRule(service, DOMAIN, alias("b"))).rank).toBe(next);
  });

  test("no rank comes after the largest number", async () => {
    const { service } = await exampleFixture();
    await createRule(service, DOMAIN, { ...alias("a"), rank: Number.MAX_VALUE });
    const problem = await problemOf(service, () => createRule(service, DOMAIN, alias("b")));
    expect(Object.keys(problem.errors)).toEqual(["rank"]);
  });

  test("beyond the plan's limit is a 403 (plan-limits)", async () => {
    const { service } = await fixtureOf({
      plan: { rules_limit: 0 },
      domains: [{ domain: DOMAIN }],
    });
    const problem = await problemOf(service, () => createRule(service, DOMAIN, alias("a")));
    expect(problem.status).toBe(403);
  });
});

test("rules are listed by rank and by creation, filtered by type and texts", async () => {
  const { service, tick } = await exampleFixture();
  const add = async (rank: number, rule: object): Promise<void> => {
    await createRule(service, DOMAIN, { ...rule, rank });
    tick();
  };
  await add(2, alias("two"));
  await add(1, { type: "cel", config: { expression: 'subject == "Alpha"', forward: FORWARD } });
  await add(3, { type: "regex", config: { regex: "alpha", scopes: ["body"], forward: FORWARD } });
  const ranks = async (
    order: Parameters<typeof listRules>[3],
    query?: string,
  ): Promise<readonly number[]> => {
    const filter = query === undefined ? {} : { query };
    const { rows, total } = await listRules(service, DOMAIN, filter, order, ALL);
    expect(total).toBe(rows.length);
    return rows.map(({ rank }) => rank);
  };
  expect(await ranks("rank_asc")).toEqual([1, 2, 3]);
  expect(await ranks("rank_desc")).toEqual([3, 2, 1]);
  expect(await ranks("created_asc")).toEqual([2, 1, 3]);
  expect(await ranks("created_desc")).toEqual([3, 1, 2]);
  expect(await ranks("rank_asc", "ALPHA")).toEqual([1, 3]);
  expect(await ranks("rank_asc", "cel")).toEqual([1]);
  expect(await ranks("rank_asc", "forward")).toEqual([]);
  const page = await listRules(service, DOMAIN, {}, "rank_asc", { limit: 1, offset: 1 });
  expect([page.rows.map(({ rank }) => rank), page.total]).toEqual([[2], 3]);
  expect(await deleteAllRules(service, DOMAIN)).toBe(3);
  expect(await deleteAllRules(service, DOMAIN)).toBe(0);
});

const told = (results: RuleResults): string[] =>
  results.map((result) =>
    result.ok ? `ok ${result.row.rank}` : `${result.index} ${result.problem.message}`,
  );

describe("batches", () => {
  test("add, update and delete what is right, and tell of the rest", async () => {
    const { service } = await exampleFixture();
    const added = await addRules(service, DOMAIN, [
      { ...alias("a"), id: ID },
      { type: "alias", config: { alias: "b", forward: "nonsense" } },
      { ...alias("c"), id: ID },
      alias("d"),
      7,
    ]);
    expect(told(added)).toEqual([
      "ok 1",
      "1 invalid forward address",
      `2 \`${ID.toLowerCase()}\` is already the id of a rule: update it instead`,
      "ok 2",
      "4 an entry of a batch is an object: give its fields",
    ]);
    const updated = await updateRules(service, DOMAIN, [
      { id: ID, rank: 9, type: "cel" },
      { id: "none", rank: 1 },
      { rank: 1 },
      { id: ID, rank: "x" },
    ]);
    expect(told(updated)).toEqual([
      "ok 9",
      "1 rule not found",
      "2 `id` is missing: give it as a string",
      "3 `rank` is not a finite number: give one, decimals allowed, lower is tried first",
    ]);
    expect((await getRule(service, DOMAIN, ID)).type).toBe("alias");
    expect(told(await deleteRules(service, DOMAIN, [ID, ID]))).toEqual([
      "ok 9",
      "1 rule not found",
    ]);
  });

  test("stop adding at the plan's limit (plan-limits)", async () => {
    const { service } = await fixtureOf({
      plan: { rules_limit: 1 },
      domains: [{ domain: DOMAIN }],
    });
    const results = await addRules(service, DOMAIN, [alias("a"), alias("b")]);
    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
  });

  test("bulk adds, updates, and deletes by id or by objects with one (bulk-rules-delete)", async () => {
    const { service } = await exampleFixture();
    expect(
      told(await bulkRules(service, DOMAIN, "add", [{ ...alias("a"), id: ID }, alias("b")])),
    ).toEqual(["ok 1", "ok 2"]);
    expect(told(await bulkRules(service, DOMAIN, "update", [{ id: ID, rank: 5 }]))).toEqual([
      "ok 5",
    ]);
    const { rows } = await listRules(service, DOMAIN, {}, "rank_asc", ALL);
    expect(told(await bulkRules(service, DOMAIN, "delete", [ID, { id: rows[0]?.id }, {}]))).toEqual(
      ["ok 5", "ok 2", "2 `id` is missing: give it as a string"],
    );
  });

  test("refuse what is no list of at most 500, by the name of the field", async () => {
    const { service } = await exampleFixture();
    for (const [work, field] of [
      [() => addRules(service, DOMAIN, undefined), "rules"],
      [() => updateRules(service, DOMAIN, {}), "rules"],
      [
        () =>
          deleteRules(
            service,
            DOMAIN,
            Array.from({ length: 501 }, () => ID),
          ),
        "ids",
      ],
    ] as const) {
      const problem = await problemOf(service, work);
      expect([problem.status, Object.keys(problem.errors)]).toEqual([400, [field]]);
    }
  });
});
