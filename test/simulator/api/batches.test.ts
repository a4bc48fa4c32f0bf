/** Batches and bulk calls: sizes, partial failures, the guard before a wipe (API v4 §2, §4, §8; v3 §4, §8). */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  aliasRule,
  type Client,
  type Fields,
  openWorld,
  type Version,
  type World,
} from "./fixtures.ts";
import { expectProblem } from "./problem.ts";
import { mismatches } from "./shape.ts";
import { batchFailureV4 } from "./shapes-v4.ts";
import { absence } from "./simulator-port.ts";

const WHY = absence === null ? "" : ` (skipped: ${absence})`;
const DOMAIN = "/domains/own.test";
const BATCH_MAX = 500;

let world: World;
afterEach(() => world?.simulator.close());

const alias = (name: string): Fields => ({ alias: name, forward: `${name}@dest.test` });
const numbered = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));
const ruleUuid = (index: number): string =>
  `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;

async function countOf(api: Client, list: "aliases" | "rules"): Promise<unknown> {
  return (await api.get<{ total: unknown }>(`${DOMAIN}/${list}`)).body.total;
}

interface Batch {
  readonly version: Version;
  readonly method: "post" | "put" | "delete";
  readonly path: string;
  readonly field: "aliases" | "rules" | "ids";
  readonly entry: (index: number) => unknown;
}

const V4_AND_V3 = ["v4", "v3"] as const;

const BATCHES: readonly Batch[] = [
  ...V4_AND_V3.flatMap((version): Batch[] => [
    {
      version,
      method: "post",
      path: "/aliases/batch",
      field: "aliases",
      entry: (i) => alias(`n${i}`),
    },
    {
      version,
      method: "put",
      path: "/aliases/batch",
      field: "aliases",
      entry: (i) => ({ id: String(900_000 + i), forward: "m@dest.test" }),
    },
    {
      version,
      method: "delete",
      path: "/aliases/batch",
      field: "ids",
      entry: (i) => String(900_000 + i),
    },
    {
      version,
      method: "post",
      path: "/rules/batch",
      field: "rules",
      entry: (i) => aliasRule(`n${i}`),
    },
    {
      version,
      method: "put",
      path: "/rules/batch",
      field: "rules",
      entry: (i) => ({ id: ruleUuid(i), rank: i }),
    },
    { version, method: "delete", path: "/rules/batch", field: "ids", entry: ruleUuid },
  ]),
  {
    version: "v3",
    method: "post",
    path: "/aliases/bulk",
    field: "aliases",
    entry: (i) => alias(`n${i}`),
  },
  {
    version: "v3",
    method: "post",
    path: "/rules/bulk",
    field: "rules",
    entry: (i) => aliasRule(`n${i}`),
  },
];

describe.skipIf(absence !== null)(`the size of a batch${WHY}`, () => {
  test.each(BATCHES)("$version $method $path: 500 entries, not 501", async (batch) => {
    world = await openWorld(batch.version);
    const before = [await countOf(world.api, "aliases"), await countOf(world.api, "rules")];
    const send = (count: number) =>
      world.api[batch.method](DOMAIN + batch.path, { [batch.field]: numbered(count, batch.entry) });
    expectProblem(batch.version, await send(BATCH_MAX + 1), 400);
    expect([await countOf(world.api, "aliases"), await countOf(world.api, "rules")]).toEqual(
      before,
    );
    const full = await send(BATCH_MAX);
    // Entries that name nothing fail one by one: 207 in version 4, 200 in version 3.
    const failing = batch.method !== "post";
    expect(full.status).toBe(failing && batch.version === "v4" ? 207 : 200);
    const lists = Object.values(full.body).filter(Array.isArray);
    expect(lists.reduce((sum, entries) => sum + entries.length, 0)).toBe(BATCH_MAX);
  });
});

interface BatchAnswer extends Fields {
  readonly failed: Fields[];
  readonly failed_count: number;
}

describe.skipIf(absence !== null)(`v4: partial failure${WHY}`, () => {
  const send = async (
    method: "post" | "put" | "delete",
    path: string,
    body: Fields,
    verb: string,
  ): Promise<{ done: Fields[]; failed: Fields[] }> => {
    const { status, body: answer } = await world.v4[method]<BatchAnswer>(DOMAIN + path, body);
    const done = answer[verb] as Fields[];
    expect(status).toBe(answer.failed.length === 0 ? 200 : 207);
    expect(answer[`${verb}_count`]).toBe(done.length);
    expect(answer.failed_count).toBe(answer.failed.length);
    for (const failure of answer.failed) expect(mismatches(batchFailureV4, failure)).toEqual([]);
    return { done, failed: answer.failed };
  };
  const indexes = (failed: Fields[]): unknown[] => failed.map(({ index }) => index);
  const absentId = "999999999";

  beforeEach(async () => {
    world = await openWorld("v4");
  });

  test("aliases added: the good ones stay, the bad ones are told by index", async () => {
    const bad = { alias: "bad", forward: "no address" };
    const aliases = [alias("a"), bad, alias("b"), alias("info"), alias("a"), { alias: "c" }];
    const { done, failed } = await send("post", "/aliases/batch", { aliases }, "added");
    expect(done.map(({ alias: name }) => name)).toEqual(["a", "b"]);
    expect(indexes(failed)).toEqual([1, 3, 4, 5]);
    expect(failed[0]).toMatchObject({ errors: {} });
    expect(failed[0]!.message).toMatch(/^invalid forward address$/i);
    expect(await countOf(world.v4, "aliases")).toBe(4);
  });

  test("aliases updated", async () => {
    const { aliasId } = world.names;
    const aliases = [
      { id: absentId, forward: "x@dest.test" },
      { id: aliasId, forward: "x@dest.test" },
    ];
    await world.simulator.clock.advance(2_000);
    const { done, failed } = await send("put", "/aliases/batch", { aliases }, "updated");
    expect(done).toHaveLength(1);
    expect(done[0]).toMatchObject({ id: aliasId, alias: "info", forward: "x@dest.test" });
    expect(done[0]!.updated_at).not.toBe(done[0]!.created_at);
    expect(failed).toEqual([
      { index: 0, message: expect.stringMatching(/^alias not found$/i), errors: {} },
    ]);
  });

  test("aliases deleted", async () => {
    const { aliasId } = world.names;
    const ids = [aliasId, absentId];
    const { done, failed } = await send("delete", "/aliases/batch", { ids }, "deleted");
    expect(done).toEqual([aliasId]);
    expect(failed).toEqual([
      { index: 1, message: expect.stringMatching(/^alias not found$/i), errors: {} },
    ]);
    expect(await countOf(world.v4, "aliases")).toBe(1);
  });

  test("rules added", async () => {
    const rules = [
      aliasRule("a", { id: ruleUuid(7), rank: 9 }),
      { type: "regex", config: { regex: "(", scopes: ["subject"], forward: "m@dest.test" } },
      { type: "cel", config: { expression: "1 + 1", forward: "m@dest.test" } },
      { type: "sieve", config: {} },
      aliasRule("b"),
    ];
    const { done, failed } = await send("post", "/rules/batch", { rules }, "added");
    expect(done).toHaveLength(2);
    expect(done[0]).toMatchObject({ id: ruleUuid(7), rank: 9, active: true });
    expect(done[1]!.rank).toBeGreaterThan(9);
    expect(indexes(failed)).toEqual([1, 2, 3]);
  });

  test("rules updated and deleted", async () => {
    const { ruleId } = world.names;
    const rules = [
      { id: ruleUuid(1), rank: 1 },
      { id: ruleId, rank: 3.5, active: false },
    ];
    const updated = await send("put", "/rules/batch", { rules }, "updated");
    expect(updated.done).toMatchObject([{ id: ruleId, rank: 3.5, active: false }]);
    expect(updated.done[0]!.config).toEqual(aliasRule("first").config);
    const gone = { message: expect.stringMatching(/^rule not found$/i), errors: {} };
    expect(updated.failed).toEqual([{ index: 0, ...gone }]);
    const ids = [ruleUuid(1), ruleId];
    const deleted = await send("delete", "/rules/batch", { ids }, "deleted");
    expect(deleted.done).toEqual([ruleId]);
    expect(deleted.failed).toEqual([{ index: 0, ...gone }]);
  });

  test("a batch that fails whole is 207 still", async () => {
    const { done, failed } = await send(
      "delete",
      "/rules/batch",
      { ids: [ruleUuid(1)] },
      "deleted",
    );
    expect([done.length, failed.length]).toEqual([0, 1]);
  });
});

describe.skipIf(absence !== null)(`v3: partial failure${WHY}`, () => {
  beforeEach(async () => {
    world = await openWorld("v3");
  });
  const error = expect.any(String);

  test("batches answer 200 and tell what failed by its content", async () => {
    const { aliasId, ruleId } = world.names;
    const forward = "x@dest.test";
    const updated = await world.v3.put(`${DOMAIN}/aliases/batch`, {
      aliases: [
        { id: "999999999", forward },
        { id: aliasId, forward },
      ],
    });
    expect(updated.status).toBe(200);
    expect(updated.body).toEqual({
      updated: [expect.objectContaining({ id: aliasId, alias: "info", forward })],
      failed: [{ id: "999999999", forward, error }],
    });
    const gone = await world.v3.delete(`${DOMAIN}/aliases/batch`, { ids: [aliasId, "999999999"] });
    expect(gone.body).toEqual({ deleted: [aliasId], failed: [{ id: "999999999", error }] });
    const bad = { type: "cel", config: { expression: "(", forward } };
    const rules = await world.v3.post(`${DOMAIN}/rules/batch`, { rules: [bad, aliasRule("new")] });
    expect(rules.status).toBe(200);
    expect(rules.body).toMatchObject({ added: [aliasRule("new")], failed: [{ ...bad, error }] });
    const ids = [ruleUuid(1), ruleId];
    const removed = await world.v3.delete(`${DOMAIN}/rules/batch`, { ids });
    expect(removed.body).toEqual({ deleted: [ruleId], failed: [{ id: ruleUuid(1), error }] });
  });

  test("a batch of rules that are updated", async () => {
    const { ruleId } = world.names;
    const { config } = aliasRule("other");
    const rules = [
      { id: ruleUuid(1), config },
      { id: ruleId, config },
    ];
    const answer = await world.v3.put(`${DOMAIN}/rules/batch`, { rules });
    expect(answer.body).toMatchObject({
      updated: [{ id: ruleId, config }],
      failed: [{ id: ruleUuid(1), config, error }],
    });
  });

  test("bulk of aliases: add fails where one exists, update writes it, delete takes it", async () => {
    const aliases = [alias("info"), alias("new")];
    const bulk = (behavior: string) =>
      world.v3.post<{ added: Fields[]; updated: Fields[]; deleted: Fields[]; failed: Fields[] }>(
        `${DOMAIN}/aliases/bulk`,
        { aliases, behavior },
      );
    const names = (entries: Fields[]): unknown[] => entries.map(({ alias: name }) => name);
    const added = await bulk("add");
    expect(added.status).toBe(200);
    expect(names(added.body.added)).toEqual(["new"]);
    expect([added.body.updated.length, added.body.failed.length]).toEqual([0, 1]);
    const updated = await bulk("update");
    expect(names(updated.body.updated)).toEqual(["info", "new"]);
    expect(updated.body.failed).toEqual([]);
    const deleted = await bulk("delete");
    expect(Object.keys(deleted.body).sort()).toEqual(["deleted", "failed", "success"]);
    expect(names(deleted.body.deleted)).toEqual(["info", "new"]);
    const again = await bulk("delete");
    expect(again.body.failed).toMatchObject([{ alias: "info" }, { alias: "new" }]);
  });

  test("bulk of rules: one result for each, told by operation", async () => {
    const { ruleId } = world.names;
    const bulk = (behavior: string, rules: unknown[]) =>
      world.v3.post<{ errors: unknown[]; results: Fields[] }>(`${DOMAIN}/rules/bulk`, {
        rules,
        behavior,
      });
    const added = await bulk("add", [aliasRule("new")]);
    expect(added.body).toMatchObject({ errors: [], success: true });
    expect(added.body.results).toMatchObject([{ operation: "add", success: true }]);
    const change = { id: ruleId, ...aliasRule("other") };
    const updated = await bulk("update", [change]);
    expect(updated.body.results).toMatchObject([{ operation: "update", rule: change }]);
    const deleted = await bulk("delete", [{ id: ruleId }]);
    expect(deleted.body.results).toMatchObject([{ operation: "delete", success: true }]);
    expect((await world.v3.get(`${DOMAIN}/rules/${ruleId}`)).status).toBe(404);
  });
});

const WIPES: readonly [version: Version, path: string, list: "aliases" | "rules"][] = [
  ["v4", "/aliases", "aliases"],
  ["v4", "/rules", "rules"],
  ["v3", "/aliases/aliases-all", "aliases"],
  ["v3", "/rules-all", "rules"],
];

describe.skipIf(absence !== null)(`deleting all${WHY}`, () => {
  test.each(WIPES)("%s %s asks for all=true, and counts", async (version, path, list) => {
    world = await openWorld(version);
    for (const query of ["", "?all=", "?all=false", "?all=1", "?ALL=true"]) {
      expectProblem(version, await world.api.delete(`${DOMAIN}${path}${query}`), 400);
    }
    expectProblem(version, await world.api.delete(`${DOMAIN}${path}`, { all: true }), 400);
    expect(await countOf(world.api, list)).toBe(2);
    const wiped = await world.api.delete(`${DOMAIN}${path}?all=true`);
    expect([wiped.status, wiped.body]).toEqual([200, { deleted: 2 }]);
    expect(await countOf(world.api, list)).toBe(0);
    const again = await world.api.delete(`${DOMAIN}${path}?all=true`);
    expect(again.body).toEqual({ deleted: 0 });
  });
});
