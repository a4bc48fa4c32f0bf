import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createMemoryStore } from "../../../src/simulator/store/memory-store.ts";
import { pagesOf, type Query, type TableSchema } from "../../../src/simulator/store/store.ts";

type Log = {
  readonly [name: string]: unknown;
  readonly id: string;
  readonly domain: string;
  readonly createdMs: number;
};
const LOGS: TableSchema<Log> = {
  name: "log",
  key: "id",
  columns: { domain: "text", createdMs: "number" },
  indexes: [["domain", "createdMs"]],
};
const UNDO = new Error("undo this");
const log = (id: string, createdMs: number): Log => ({ id, domain: "a.test", createdMs });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function page(direction: "asc" | "desc", more: Partial<Query<Log>> = {}): Query<Log> {
  return {
    where: { domain: "a.test" },
    order: { column: "createdMs", direction },
    limit: 2,
    ...more,
  };
}

describe("pages of a memory store", () => {
  async function filled(): Promise<ReturnType<ReturnType<typeof createMemoryStore>["table"]>> {
    const table = createMemoryStore().table(LOGS);
    for (const [id, ms] of [
      ["c", 1],
      ["a", 1],
      ["b", 1],
      ["d", 2],
      ["e", 0],
    ] as const) {
      await table.insert(log(id, ms));
    }
    await table.insert({ id: "z", domain: "b.test", createdMs: 1 });
    return table as never;
  }
  const ids = (rows: readonly { readonly [name: string]: unknown }[]) => rows.map(({ id }) => id);

  test("ties go by key, in the direction of the order", async () => {
    const table = await filled();
    expect(ids(await table.find(page("asc", { limit: 9 })))).toEqual(["e", "a", "b", "c", "d"]);
    expect(ids(await table.find(page("desc", { limit: 9 })))).toEqual(["d", "c", "b", "a", "e"]);
  });

  test("start at a row, even when it is gone", async () => {
    const table = await filled();
    const from = { value: 1, key: "b" };
    expect(ids(await table.find(page("asc", { from })))).toEqual(["b", "c"]);
    expect(ids(await table.find(page("desc", { from })))).toEqual(["b", "a"]);
    await table.delete("b");
    expect(ids(await table.find(page("asc", { from })))).toEqual(["c", "d"]);
    expect(ids(await table.find(page("desc", { from })))).toEqual(["a", "e"]);
    expect(ids(await table.find(page("desc", { from, offset: 1 })))).toEqual(["e"]);
  });

  test("an exclusive range and a start hold together", async () => {
    const table = await filled();
    const range = { column: "createdMs", above: 0, below: 2 };
    expect(ids(await table.find(page("desc", { range, limit: 9 })))).toEqual(["c", "b", "a"]);
    const from = { value: 9, key: "" };
    expect(ids(await table.find(page("desc", { range, from })))).toEqual(["c", "b"]);
    expect(ids(await table.find(page("asc", { range, from })))).toEqual([]);
    expect(await table.count({ where: { domain: "a.test" }, range })).toBe(3);
    const empty = { column: "createdMs", above: 2, below: 0 };
    expect(await table.count({ where: { domain: "a.test" }, range: empty })).toBe(0);
  });
});

describe("transactions of a memory store", () => {
  test("an undo takes back inserts, replacements and deletions, and leaves the indexes whole", async () => {
    const store = createMemoryStore();
    const table = store.table(LOGS);
    for (let ms = 0; ms < 5; ms++) await table.insert(log(`old ${ms}`, ms));
    const before = await store.snapshot();
    const undone = store.transaction(async () => {
      await table.replace(log("old 1", 99));
      await table.delete("old 2");
      await table.insert(log("old 2", -1));
      await table.insert(log("new", 2));
      await expect(table.insert(log("new", 3))).rejects.toThrow("`log` already has a row");
      await expect(table.replace(log("none", 3))).rejects.toThrow("`log` has no row");
      expect(await table.deleteWhere({ domain: "a.test" })).toBe(6);
      await table.insert(log("last", 7));
      throw UNDO;
    });
    await expect(undone).rejects.toBe(UNDO);
    expect(await store.snapshot()).toEqual(before);
    const rows = await table.find(page("desc", { limit: 9 }));
    expect(rows.map(({ id }) => id)).toEqual(["old 4", "old 3", "old 2", "old 1", "old 0"]);
    expect(await table.count({ where: { domain: "a.test" } })).toBe(5);
  });

  test("work that throws at once is undone like any other", async () => {
    const store = createMemoryStore();
    const thrown = store.transaction(() => {
      throw UNDO;
    });
    await expect(thrown).rejects.toBe(UNDO);
    await expect(store.transaction(async () => "next")).resolves.toBe("next");
  });

  test("a step that comes after its transaction was undone is refused", async () => {
    const store = createMemoryStore();
    const table = store.table(LOGS);
    let straggler: Promise<unknown> = Promise.resolve();
    const undone = store.transaction(async () => {
      straggler = turn().then(() => table.insert(log("late", 1)));
      throw UNDO;
    });
    await expect(undone).rejects.toBe(UNDO);
    await expect(straggler).rejects.toThrow("await each step");
    expect(await store.snapshot()).toEqual({ log: [] });
  });

  test("the store that a transaction was given takes no steps after it", async () => {
    const store = createMemoryStore();
    const kept = await store.transactionOn(async (inside) => inside.table(LOGS));
    await expect(kept.insert(log("late", 1))).rejects.toThrow("was kept before all its steps");
    let undone = kept;
    const undoing = store.transactionOn(async (inside) => {
      undone = inside.table(LOGS);
      await undone.insert(log("undone", 1));
      throw UNDO;
    });
    await expect(undoing).rejects.toBe(UNDO);
    await expect(undone.insert(log("late", 1))).rejects.toThrow("was undone before all its steps");
    expect(await store.snapshot()).toEqual({ log: [] });
  });

  test("what a kept transaction leaves running goes on outside of it", async () => {
    const store = createMemoryStore();
    const table = store.table(LOGS);
    let later: Promise<unknown> = Promise.resolve();
    await store.transaction(async () => {
      later = turn().then(() => store.transaction(() => table.insert(log("late", 1))));
    });
    await later;
    expect(await table.get("late")).toEqual(log("late", 1));
  });

  test("calls keep their order while they wait", async () => {
    const store = createMemoryStore();
    const table = store.table(LOGS);
    const open = store.transaction(turn);
    const row = { ...log("a", 1) };
    const calls = [
      table.insert(row),
      table.replace(log("a", 2)),
      table.get("a"),
      table.delete("a"),
    ];
    Object.assign(row, { createdMs: 5 });
    expect(await Promise.all([open, ...calls])).toEqual([
      undefined,
      log("a", 1),
      log("a", 2),
      log("a", 2),
      true,
    ]);
  });

  test("two stores have nothing to do with each other", async () => {
    const [one, two] = [createMemoryStore(), createMemoryStore()];
    const table = two.table(LOGS);
    const undone = one.transaction(async () => {
      await two.transaction(() => table.insert(log("kept", 1)));
      throw UNDO;
    });
    await expect(undone).rejects.toBe(UNDO);
    expect(await table.get("kept")).toEqual(log("kept", 1));
  });
});

test("a row nests no deeper than the bound", async () => {
  const table = createMemoryStore().table(LOGS);
  const nested = (depth: number): unknown => (depth === 0 ? "x" : [nested(depth - 1)]);
  const row = { ...log("a", 1), nested: nested(LIMITS.storedDepthMax - 1) };
  await table.insert(row);
  expect(await table.get("a")).toEqual(row);
  const deeper = { ...log("b", 1), nested: nested(LIMITS.storedDepthMax) };
  await expect(table.insert(deeper)).rejects.toThrow("deeper than `64` levels");
});

test("names that objects inherit are names like any other", async () => {
  const store = createMemoryStore();
  const table = store.table(LOGS);
  const headers = JSON.parse('{"__proto__": ["x"], "constructor": ["y"]}');
  await table.insert({ ...log("__proto__", 1), headers });
  const text = JSON.stringify(await store.snapshot());
  const other = createMemoryStore();
  await other.restore(pagesOf(JSON.parse(text)));
  expect(JSON.stringify((await other.table(LOGS).get("__proto__"))?.headers)).toBe(
    '{"__proto__":["x"],"constructor":["y"]}',
  );
});
