/** What every store owes: the answers of a plain reference to random commands, and the promises of the port. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DuplicateKeyError,
  MissingRowError,
  pagesOf,
  type Row,
  type Store,
  type Table,
  type TableSchema,
} from "../../src/simulator/store/store.ts";
import { type Command, type World, world } from "./store-commands.ts";
import * as reference from "./store-reference.ts";
import { restoreContract } from "./store-restores.ts";

const UNDO = new Error("undo this");

/** A value, or the name of the error, so that both sides can be compared. */
async function outcome(work: () => unknown): Promise<unknown> {
  try {
    return { value: await work() };
  } catch (error) {
    for (const kind of [DuplicateKeyError, MissingRowError]) {
      if (error instanceof kind) return { error: kind.name };
    }
    throw error;
  }
}

function expected(table: reference.ReferenceTable, command: Command): unknown {
  const { rows, schema } = table;
  switch (command.kind) {
    case "insert":
      return reference.insert(table, command.row);
    case "replace":
      return reference.replace(table, command.row);
    case "get":
      return rows.find((row) => row[schema.key] === command.key);
    case "delete":
      return reference.removeWhere(table, { [schema.key]: command.key }) > 0;
    case "deleteWhere":
      return reference.removeWhere(table, command.where);
    case "find":
      return reference.find(table, command.query);
    case "count":
      return rows.filter((row) => reference.passes(row, command.filter)).length;
    case "search":
      return reference.search(table, command.search);
    default:
      throw new Error(command.kind);
  }
}

function actual(table: Table<Row>, command: Command): Promise<unknown> {
  switch (command.kind) {
    case "insert":
      return table.insert(command.row);
    case "replace":
      return table.replace(command.row);
    case "get":
      return table.get(command.key);
    case "delete":
      return table.delete(command.key);
    case "deleteWhere":
      return table.deleteWhere(command.where);
    case "find":
      return table.find(command.query);
    case "count":
      return table.count(command.filter);
    case "search":
      return table.search(command.search);
    default:
      throw new Error(command.kind);
  }
}

async function compareWorld(
  { schema, commands }: World,
  open: () => Promise<Store>,
): Promise<void> {
  let store = await open();
  let table = store.table(schema);
  const plain = reference.createReferenceTable(schema);

  const compare = async (command: Command): Promise<void> => {
    const wanted = await outcome(() => expected(plain, command));
    expect(await outcome(() => actual(table, command)), JSON.stringify(command)).toEqual(wanted);
  };

  for (const command of commands) {
    if (command.kind === "reopen") {
      const text = JSON.stringify(await store.snapshot());
      await store.close();
      store = await open();
      await store.restore(pagesOf(JSON.parse(text)));
      table = store.table(schema);
    } else if (command.kind === "transaction") {
      const before = plain.rows;
      const done = store.transaction(async () => {
        for (const inner of command.commands) await compare(inner);
        if (command.end === "undo") throw UNDO;
      });
      await done.catch((error) => {
        if (error !== UNDO) throw error;
      });
      if (command.end === "undo") plain.rows = before;
    } else {
      await compare(command);
    }
  }
  const all = { where: {}, order: { column: schema.key, direction: "asc" }, limit: 100 } as const;
  expect(await store.snapshot()).toEqual({ [schema.name]: reference.find(plain, all) });
  await store.close();
}

type Thing = { readonly [name: string]: unknown; readonly id: string; readonly count: number };
const THINGS: TableSchema<Thing> = {
  name: "things",
  key: "id",
  columns: { count: "number" },
  indexes: [["count"]],
};

type Dated = { readonly [name: string]: unknown; readonly id: string; readonly ms: number };
const DATED: TableSchema<Dated> = {
  name: "dated",
  key: "id",
  columns: { ms: "number" },
  indexes: [["ms"]],
  partition: { by: "month", time: "ms" },
};

type Work<Result> = (inside: Store) => Promise<Result>;

/** Both ways to take part in a transaction. */
const TRANSACTIONS: readonly [
  string,
  <Result>(store: Store, work: Work<Result>) => Promise<Result>,
][] = [
  ["of all that is called", (store, work) => store.transaction(() => work(store))],
  ["on a store of their own", (store, work) => store.transactionOn(work)],
];

/** Runs the suite on stores that `open` makes, each of them empty and its own. */
export function storeContract(name: string, open: () => Promise<Store>, numRuns: number): void {
  describe(`the contract of a store: ${name}`, () => {
    test("answers as the reference does", { timeout: 300_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(world, (made) => compareWorld(made, open)),
        { seed: 20261120, numRuns },
      );
    });

    describe.each(TRANSACTIONS)("transactions %s", (_, transaction) => {
      test("run one after another, and nothing sees the middle of one", async () => {
        const store = await open();
        const table = store.table(THINGS);
        await table.insert({ id: "one", count: 0 });
        const addTwo = (): Promise<void> =>
          transaction(store, async (inside) => {
            const own = inside.table(THINGS);
            for (let step = 0; step < 2; step++) {
              const row = await own.get("one");
              await new Promise((resolve) => setImmediate(resolve));
              await own.replace({ id: "one", count: row!.count + 1 });
            }
          });
        const seen: number[] = [];
        const look = async (): Promise<void> => {
          for (let times = 0; times < 20; times++) {
            seen.push((await table.get("one"))!.count);
            await new Promise((resolve) => setImmediate(resolve));
          }
        };
        await Promise.all([addTwo(), look(), addTwo(), addTwo(), look()]);
        expect((await table.get("one"))!.count).toBe(6);
        expect(seen.filter((count) => count % 2 === 1)).toEqual([]);
        await store.close();
      });

      test("that are undone leave what was written beside them", async () => {
        const store = await open();
        const table = store.table(THINGS);
        const undone = transaction(store, async (inside) => {
          await inside.table(THINGS).insert({ id: "mine", count: 1 });
          await new Promise((resolve) => setImmediate(resolve));
          throw UNDO;
        });
        await Promise.all([
          expect(undone).rejects.toBe(UNDO),
          table.insert({ id: "theirs", count: 2 }),
        ]);
        expect(await store.snapshot()).toEqual({ things: [{ id: "theirs", count: 2 }] });
        await store.close();
      });

      test("give their result, and refuse another within", async () => {
        const store = await open();
        await expect(transaction(store, async () => 7)).resolves.toBe(7);
        for (const [, nested] of TRANSACTIONS) {
          const within = transaction(store, (inside) => nested(inside, async () => 7));
          await expect(within).rejects.toThrow("a transaction is already open");
        }
        await expect(transaction(store, async () => 8)).resolves.toBe(8);
        await store.close();
      });
    });

    test("shares nothing with those who write and read", async () => {
      const store = await open();
      const table = store.table<Row>({ name: "things", key: "id", columns: {}, indexes: [] });
      const row = { id: "one", nested: { list: ["a"] } };
      await table.insert(row);
      row.nested.list.push("b");
      const read = await table.get("one");
      expect(read).toEqual({ id: "one", nested: { list: ["a"] } });
      expect(() => (read as typeof row).nested.list.push("c")).toThrow(TypeError);
      await store.close();
    });

    test("keeps what every SQL text can hold", async () => {
      const store = await open();
      const table = store.table<Row>({
        name: "things",
        key: "id",
        columns: { text: "text" },
        indexes: [],
        text: ["text"],
      });
      const row = { id: "a\0b", text: "x\0y\ud800z", nested: { "k\0": "\udc00" } };
      const kept = { id: "ab", text: "xy\uFFFDz", nested: { k: "\uFFFD" } };
      expect(await table.insert(row)).toEqual(kept);
      expect(await table.replace(row)).toEqual(kept);
      expect(await table.get("ab")).toEqual(kept);
      expect(await table.get("a\0b")).toEqual(kept);
      const contains = [{ columns: ["text"], text: "Y\ud800" }];
      expect(await table.count({ where: {}, contains })).toBe(1);
      await store.close();
    });

    test.each([
      [{ id: "one", count: Number.NaN }, "`NaN` cannot be stored"],
      [{ id: "one", count: Number.POSITIVE_INFINITY }, "`Infinity` cannot be stored"],
      [{ id: "one", count: undefined }, "type `undefined` cannot be stored"],
      [{ id: "one", when: new Date(0) }, "a `Date` cannot be stored"],
      [{ id: "one", bytes: new Uint8Array(1) }, "a `Uint8Array` cannot be stored"],
      [{ id: 1, count: 1 }, "lacks its key `id`"],
      [{ count: 1 }, "lacks its key `id`"],
      [
        { id: "one", count: [1] },
        "`count` of a row of `things` is an object: store a number or null",
      ],
    ])("refuses the row %o", async (row, message) => {
      const store = await open();
      const table = store.table(THINGS as unknown as TableSchema<Row>);
      await expect(table.insert(row)).rejects.toThrow(message);
      expect(await table.count({ where: {} })).toBe(0);
      await table.insert({ id: "one", count: 5 });
      await expect(table.replace(row)).rejects.toThrow(message);
      expect(await table.get("one")).toEqual({ id: "one", count: 5 });
      await store.close();
    });

    test("refuses what no index serves", async () => {
      const store = await open();
      const schema: TableSchema<Row> = {
        name: "t",
        key: "id",
        columns: { a: "number", b: "number", c: "number", d: "number", x: "text" },
        indexes: [["a", "b", "c"], ["d"]],
        text: ["x"],
      };
      const table = store.table(schema);
      const asc = (column: string) => ({ column, direction: "asc" as const });
      const page = { limit: 1 };
      const find = (where: Row, column: string) =>
        table.find({ where, order: asc(column), ...page });
      await expect(find({}, "a")).rejects.toThrow("no index of `t` serves that order: declare `a`");
      await expect(find({ a: 1 }, "b")).rejects.toThrow("declare `a`, `b`");
      await expect(find({ a: 1, c: 1 }, "b")).rejects.toThrow("no index");
      await expect(find({ a: 1 }, "id")).rejects.toThrow("no index");
      await expect(find({ d: 1 }, "d")).rejects.toThrow("no index");
      await expect(table.count({ where: { b: 1 } })).rejects.toThrow(
        "no index of `t` begins with `b`",
      );
      await expect(table.deleteWhere({ x: 1 })).rejects.toThrow("no index");
      await expect(table.deleteWhere({ a: undefined })).rejects.toThrow("cannot be stored");
      await expect(table.count({ where: { a: ["x"] } })).rejects.toThrow("give a scalar");
      const contains = [{ columns: ["a"], text: "x" }];
      await expect(table.count({ where: {}, contains })).rejects.toThrow("not a text column of");
      const search = { where: {}, columns: ["a"], text: "x", offset: 0, limit: 1 };
      await expect(table.search(search)).rejects.toThrow("not a text column");
      for (const limit of [-1, 0.5]) {
        await expect(table.find({ where: {}, order: asc("id"), limit })).rejects.toThrow("`limit`");
        await expect(table.search({ ...search, columns: ["x"], limit })).rejects.toThrow("`limit`");
      }
      await expect(
        table.find({ where: {}, order: asc("id"), limit: 1, offset: -1 }),
      ).rejects.toThrow("`offset`");
      await store.close();
    });

    test("a search gives the best first, equals by key from the last, or any order asked for", async () => {
      const store = await open();
      const schema: TableSchema<Row> = {
        name: "t",
        key: "id",
        columns: { n: "number", x: "text", y: "text" },
        indexes: [["n"]],
        text: ["x", "y"],
      };
      const table = store.table(schema);
      const rows = [
        ["z", 3, "invoise of May", null],
        ["b", 1, "your invoice", "none"],
        ["c", 4, null, "INVOICE 7"],
        ["d", 2, "something else", "inn"],
      ] as const;
      for (const [id, n, x, y] of rows) await table.insert({ id, n, x, y });
      const ask = async (more: object): Promise<unknown> => {
        const search = { where: {}, columns: ["x", "y"], text: "invoice", offset: 0, limit: 9 };
        const found = await table.search({ ...search, ...more });
        return [found.rows.map(({ id }) => id).join(""), found.total];
      };
      expect(await ask({})).toEqual(["cbz", 3]);
      expect(await ask({ offset: 1, limit: 1 })).toEqual(["b", 3]);
      expect(await ask({ order: { column: "n", direction: "asc" } })).toEqual(["bzc", 3]);
      expect(await ask({ order: { column: "n", direction: "desc" } })).toEqual(["czb", 3]);
      expect(await ask({ columns: ["y"] })).toEqual(["c", 1]);
      expect(await ask({ range: { column: "n", below: 4 } })).toEqual(["bz", 2]);
      await store.close();
    });

    test("months that ended go whole, and what has no time stays", async () => {
      const store = await open();
      const table = store.table(DATED);
      const at = (...date: [number, number, number]): number => Date.UTC(...date);
      const keyOf = (ms: number): string => `${ms.toString(16).padStart(14, "0")}a`;
      const times = [
        at(2025, 11, 31),
        at(2026, 0, 1),
        at(2026, 0, 31) + 86_399_999,
        at(2026, 1, 1),
      ];
      for (const ms of times) await table.insert({ id: keyOf(ms), ms });
      await table.insert({ id: "no time", ms: 0 });
      const left = async (): Promise<unknown> => {
        const order = { column: "id", direction: "asc" } as const;
        const rows = await table.find({ where: {}, order, limit: 9 });
        expect(await table.count({ where: {} })).toBe(rows.length);
        return rows.map(({ id }) =>
          id === "no time" ? id : times.findIndex((ms) => keyOf(ms) === id),
        );
      };
      await table.dropMonths(at(2026, 0, 1) - 1);
      expect(await left()).toEqual([0, 1, 2, 3, "no time"]);
      await table.dropMonths(at(2026, 0, 31));
      expect(await left()).toEqual([1, 2, 3, "no time"]);
      await expect(
        store.transaction(async () => {
          await table.dropMonths(at(2026, 1, 1));
          throw UNDO;
        }),
      ).rejects.toBe(UNDO);
      expect(await left()).toEqual([1, 2, 3, "no time"]);
      await table.dropMonths(at(2026, 1, 1));
      expect(await left()).toEqual([3, "no time"]);
      expect(await table.get(keyOf(times[1]!))).toBeUndefined();
      const range = { column: "ms", above: times[2]!, below: times[3]! + 0.5 } as const;
      expect(await table.count({ where: {}, range })).toBe(1);
      await table.insert({ id: keyOf(times[1]!), ms: times[1]! });
      expect(await left()).toEqual([1, 3, "no time"]);
      await expect(store.table(THINGS).dropMonths(0)).rejects.toThrow("`things` has no months");
      await store.close();
    });

    test("rows under fresh keys are there at once, within their transaction and after", async () => {
      const store = await open();
      const table = store.table({ ...THINGS, name: "fresh", keys: "fresh" });
      await store.transaction(async () => {
        await table.insert({ id: "one", count: 1 });
        expect(await table.get("one")).toEqual({ id: "one", count: 1 });
        await table.insert({ id: "two", count: 2 });
        expect(await table.count({ where: {} })).toBe(2);
        await table.delete("two");
      });
      const undone = store.transaction(async () => {
        await table.insert({ id: "three", count: 3 });
        throw UNDO;
      });
      await expect(undone).rejects.toBe(UNDO);
      expect(await store.snapshot()).toEqual({ fresh: [{ id: "one", count: 1 }] });
      await store.close();
    });

    test("a table can be read while it is being made", async () => {
      const store = await open();
      const table = store.table(THINGS);
      const reads = [];
      for (let turn = 0; turn < 50; turn++) {
        reads.push(table.get("none"));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await Promise.all(reads)).toEqual(reads.map(() => undefined));
      await store.close();
    });

    test("a table has one schema", async () => {
      const store = await open();
      expect(store.table(THINGS)).toBe(store.table({ ...THINGS, text: [] }));
      expect(() => store.table({ ...THINGS, indexes: [] })).toThrow(
        "`things` already has another schema",
      );
      await store.close();
    });

    restoreContract(open);

    test("a closed store answers nothing", async () => {
      const store = await open();
      const table = store.table(THINGS);
      await store.close();
      await expect(table.get("one")).rejects.toThrow("the store is closed");
      await expect(table.insert({ id: "one", count: 1 })).rejects.toThrow("the store is closed");
      await expect(store.snapshot()).rejects.toThrow("the store is closed");
      await expect(store.transaction(async () => 1)).rejects.toThrow("the store is closed");
    });
  });
}
