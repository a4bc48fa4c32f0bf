/** What every store owes a restore: all rows or none, whatever pages they come in, and no page held for longer than it takes. */
import { expect, test } from "vitest";
import {
  DuplicateKeyError,
  pagesOf,
  type Row,
  type Store,
  type TablePage,
  type TableSchema,
} from "../../src/simulator/store/store.ts";
import { collectGarbage } from "../simulator/collect-garbage.ts";

type Thing = { readonly [name: string]: unknown; readonly id: string; readonly count: number };
const THINGS: TableSchema<Thing> = {
  name: "things",
  key: "id",
  columns: { count: "number" },
  indexes: [["count"]],
};

const thing = (count: number): Thing => ({ id: `${count}`.padStart(8, "0"), count });
const OLD: Thing = { id: "old", count: 1 };

const PAGES = 20;
const PAGE_ROWS = 100;

function* pagesOfThings(pages: number): Generator<TablePage> {
  for (let page = 0; page < pages; page++) {
    const rows = Array.from({ length: PAGE_ROWS }, (_, at) => thing(page * PAGE_ROWS + at));
    yield { table: "things", rows };
  }
}

function* cutOff(): Generator<TablePage> {
  yield* pagesOfThings(3);
  throw new Error("cut off");
}

function* followedBy(row: Row): Generator<TablePage> {
  yield* pagesOfThings(3);
  yield { table: "things", rows: [row] };
}

const BROKEN: readonly [string, () => Iterable<TablePage>, string][] = [
  ["that are cut off", cutOff, "cut off"],
  ["with a key that an earlier page has", () => followedBy(thing(7)), "`things`"],
  ["with a row without a key", () => followedBy({ count: 1 }), "lacks its key"],
  ["with a column of another kind", () => followedBy({ id: "x", count: "1" }), "store a number"],
];

/** Restores `PAGES` pages; how many of the rows that were given were in memory at once. */
async function mostHeld(store: Store): Promise<number> {
  const given: WeakRef<Row>[] = [];
  const counts: number[] = [];
  async function* pages(): AsyncGenerator<TablePage> {
    for (const page of pagesOfThings(PAGES)) {
      given.push(...page.rows.map((row) => new WeakRef(row)));
      yield page;
      // What a WeakRef has shown stays until the turn is over.
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
      counts.push(given.filter((row) => row.deref() !== undefined).length);
    }
  }
  await store.restore(pages());
  return Math.max(...counts);
}

/** Reads all pages; how many of the rows that were handed out were in memory at once. */
async function mostHanded(store: Store, all: number): Promise<number> {
  const handed: WeakRef<Row>[] = [];
  const counts: number[] = [];
  await store.readPages(async ({ rows }) => {
    handed.push(...rows.map((row) => new WeakRef(row)));
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    counts.push(handed.filter((row) => row.deref() !== undefined).length);
  });
  expect(handed).toHaveLength(all);
  return Math.max(...counts);
}

/** Few rows of this length fill a page. */
const LONG = "x".repeat(1_000_000);

/** Part of the contract of stores. */
export function restoreContract(open: () => Promise<Store>): void {
  test("a restore replaces all, and keeps tables that nobody has named yet", async () => {
    const store = await open();
    const table = store.table(THINGS);
    await table.insert(OLD);
    const others = [{ id: "x", any: null }];
    await store.restore(pagesOf({ others, things: [{ id: "new", count: 2 }] }));
    expect(await table.get("old")).toBeUndefined();
    const all = { others, things: [{ id: "new", count: 2 }] };
    expect(await store.snapshot()).toEqual(all);
    const named = store.table<Row>({ name: "others", key: "id", columns: {}, indexes: [] });
    expect(await named.get("x")).toEqual(others[0]);
    expect(await store.snapshot()).toEqual(all);
    await table.insert({ id: "newer", count: 3 });
    expect((await store.snapshot()).things).toHaveLength(2);
    await store.restore([]);
    expect(await store.snapshot()).toEqual({ others: [], things: [] });
    await store.close();
  });

  test("a wrong snapshot changes nothing", async () => {
    const store = await open();
    const table = store.table(THINGS);
    await table.insert(OLD);
    const twice = pagesOf({ things: [thing(1), { ...thing(2), id: thing(1).id }] });
    await expect(store.restore(twice)).rejects.toBeInstanceOf(DuplicateKeyError);
    expect(await store.snapshot()).toEqual({ things: [OLD] });
    const within = store.transaction(() => store.restore([]));
    await expect(within).rejects.toThrow("a transaction is already open");
    await store.close();
  });

  test("a restore takes the rows of a table in several pages", async () => {
    const store = await open();
    const table = store.table(THINGS);
    const others = [{ id: "x" }, { id: "a" }, { id: "m" }];
    await store.restore([
      { table: "things", rows: [thing(1)] },
      { table: "others", rows: others.slice(0, 2) },
      { table: "things", rows: [thing(3), thing(2)] },
      { table: "others", rows: others.slice(2) },
    ]);
    expect(await table.count({ where: {} })).toBe(3);
    expect(await store.snapshot()).toEqual({ others, things: [thing(1), thing(2), thing(3)] });
    await store.close();
  });

  test.each(BROKEN)("pages %s change nothing", async (_, pages, message) => {
    const store = await open();
    const table = store.table(THINGS);
    await table.insert(OLD);
    await expect(store.restore(pages())).rejects.toThrow(message);
    expect(await store.snapshot()).toEqual({ things: [OLD] });
    await table.insert(thing(2));
    expect(await table.count({ where: {} })).toBe(2);
    await store.close();
  });

  test("a restore lets go of each page once it is stored", async () => {
    const store = await open();
    const table = store.table(THINGS);
    const held = await mostHeld(store);
    expect(await table.count({ where: {} })).toBe(PAGES * PAGE_ROWS);
    // The page that was stored last may still be on the stack.
    expect(held).toBeLessThanOrEqual(2 * PAGE_ROWS);
    await store.close();
  });

  test("pages are of one moment: what is written while they are read is not among them", async () => {
    const store = await open();
    const table = store.table(THINGS);
    await store.restore([...pagesOfThings(PAGES), { table: "others", rows: [{ id: "x" }] }]);
    const read: Record<string, Row[]> = {};
    const writes: Promise<unknown>[] = [];
    const last = PAGES * PAGE_ROWS;
    await store.readPages(async ({ table: name, rows }) => {
      if (writes.length === 0) {
        writes.push(table.delete(thing(last - 1).id));
        writes.push(table.insert(thing(last)));
        writes.push(table.replace({ ...thing(last - 2), count: -1 }));
      }
      read[name] = [...(read[name] ?? []), ...rows];
    });
    await Promise.all(writes);
    const things = Array.from({ length: last }, (_, at) => thing(at));
    expect(read).toEqual({ others: [{ id: "x" }], things });
    const now = (await store.snapshot()).things!;
    expect(now).toHaveLength(last);
    expect(now.slice(-2)).toEqual([{ ...thing(last - 2), count: -1 }, thing(last)]);
    await store.close();
  });

  test("a reader of pages that fails ends the reading, and the store goes on", async () => {
    const store = await open();
    const table = store.table(THINGS);
    await table.insert(OLD);
    const failing = store.readPages(() => Promise.reject(new Error("the disk is full")));
    await expect(failing).rejects.toThrow("the disk is full");
    await table.insert(thing(2));
    expect(await table.count({ where: {} })).toBe(2);
    await store.close();
  });
}

/** Part of the contract of stores whose rows are not in memory. */
export function pagesContract(open: () => Promise<Store>): void {
  // One page, and one that may still be on the stack.
  test.each([
    ["of few rows that are large", 20, LONG, 8],
    ["of many rows that are small", 4_000, "", 2_000],
  ])("pages %s are let go of once they are taken", async (_, count, text, heldMax) => {
    const store = await open();
    const rows = Array.from({ length: count }, (_, at) => ({ ...thing(at), text }));
    store.table(THINGS);
    await store.restore(pagesOf({ things: rows, others: rows }));
    expect(await mostHanded(store, 2 * count)).toBeLessThanOrEqual(heldMax);
    await store.close();
  });
}
