/** The store in memory: fast, gone with the process, and the reference for every other store. */
import { compareText } from "./column-order.ts";
import {
  addRow,
  contentOf,
  countRows,
  findRows,
  removeRow,
  replaceRow,
  rowsWhere,
  searchRows,
  type TableContent,
} from "./memory-table.ts";
import { hasEnded, monthOf } from "./months.ts";
import {
  assertMonths,
  assertSchema,
  describeSchema,
  missingIn,
  storableRow,
} from "./storable-row.ts";
import {
  type Filter,
  pagesOf,
  type Query,
  type Row,
  type Search,
  type Snapshot,
  type Store,
  type Table,
  type TableSchema,
} from "./store.ts";
import { storedValue } from "./stored-value.ts";
import { createTransactionLane, type NoteUndo, type RunStep } from "./transaction-lane.ts";

interface Held {
  readonly schema: TableSchema<Row>;
  content: TableContent;
}

interface NamedTable {
  readonly held: Held;
  readonly table: Table<Row>;
}

/** Copies the argument now; if it cannot be copied, the returned promise rejects. */
function copied<Value, Result>(
  copy: () => Value,
  use: (value: Value) => Promise<Result>,
): Promise<Result> {
  try {
    return use(copy());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** A class, since each transaction makes its own: closures for every operation would cost more than the operations. */
class MemoryTable implements Table<Row> {
  readonly #held: Held;
  readonly #step: RunStep;

  constructor(held: Held, step: RunStep) {
    this.#held = held;
    this.#step = step;
  }

  #add(row: Row, noteUndo: NoteUndo): Row {
    const held = this.#held;
    addRow(held.schema, held.content, row);
    noteUndo(() => removeRow(held.schema, held.content, row));
    return row;
  }

  #remove(row: Row, noteUndo: NoteUndo): void {
    const held = this.#held;
    removeRow(held.schema, held.content, row);
    noteUndo(() => addRow(held.schema, held.content, row));
  }

  /** Copies the argument before the turn is awaited: the caller may change it meanwhile. */
  #ask<Asked, Result>(
    asked: Asked,
    answer: (schema: TableSchema<Row>, content: TableContent, wanted: Asked) => Result,
  ): Promise<Result> {
    const held = this.#held;
    return copied(
      () => storedValue(asked),
      (wanted) => this.#step(() => answer(held.schema, held.content, wanted)),
    );
  }

  get(key: string): Promise<Row | undefined> {
    return this.#step(() => this.#held.content.rows.get(storedValue(key)));
  }

  insert(row: Row): Promise<Row> {
    return copied(
      () => storableRow(this.#held.schema, row),
      (stored) => this.#step((noteUndo) => this.#add(stored, noteUndo)),
    );
  }

  replace(row: Row): Promise<Row> {
    const held = this.#held;
    const { schema } = held;
    return copied(
      () => storableRow(schema, row, held.content.rows.get(row[schema.key] as string)),
      (stored) =>
        this.#step((noteUndo) => {
          const key = stored[schema.key] as string;
          const before = held.content.rows.get(key);
          if (before === undefined) throw missingIn(schema, key);
          replaceRow(schema, held.content, before, stored);
          noteUndo(() => replaceRow(schema, held.content, stored, before));
          return stored;
        }),
    );
  }

  delete(key: string): Promise<boolean> {
    return this.#step((noteUndo) => {
      const row = this.#held.content.rows.get(storedValue(key));
      if (row !== undefined) this.#remove(row, noteUndo);
      return row !== undefined;
    });
  }

  deleteWhere(where: Row): Promise<number> {
    const held = this.#held;
    return copied(
      () => storedValue(where),
      (wanted) =>
        this.#step((noteUndo) => {
          const rows = rowsWhere(held.schema, held.content, wanted);
          for (const row of rows) this.#remove(row, noteUndo);
          return rows.length;
        }),
    );
  }

  dropMonths(ms: number): Promise<void> {
    return this.#step((noteUndo) => {
      assertMonths(this.#held.schema);
      for (const [key, row] of this.#held.content.rows) {
        const month = monthOf(key);
        if (month !== undefined && hasEnded(month.name, ms)) this.#remove(row, noteUndo);
      }
    });
  }

  find(query: Query<Row>): Promise<readonly Row[]> {
    return this.#ask(query, findRows);
  }

  count(filter: Filter<Row>): Promise<number> {
    return this.#ask(filter, countRows);
  }

  search(search: Search<Row>): ReturnType<Table<Row>["search"]> {
    return this.#ask(search, searchRows);
  }
}

/** Rows of a page. */
const PAGE_ROWS = 500;

/** A new, empty store. */
export function createMemoryStore(): Store {
  const tables = new Map<string, NamedTable>();
  /**
   * A schema comes with every step, nearly always as the same object; comparing schemas took a quarter of the time to receive
   * a message.
   */
  const bySchema = new WeakMap<object, NamedTable>();
  /** Restored rows of tables that are not in use yet. */
  let unclaimed = new Map<string, readonly Row[]>();
  const lane = createTransactionLane();
  let state: "open" | "closed" = "open";

  function assertOpen(): void {
    if (state === "closed") throw new Error("the store is closed: open a new one");
  }

  const step: RunStep = (work) =>
    lane.step((noteUndo) => {
      assertOpen();
      return work(noteUndo);
    });

  function namedTable(schema: TableSchema<Row>): NamedTable {
    const known = bySchema.get(schema);
    if (known !== undefined) return known;
    const given = storedValue(schema);
    const named = tables.get(given.name) ?? makeTable(given);
    if (describeSchema(named.held.schema) !== describeSchema(given)) {
      throw new Error(`\`${given.name}\` already has another schema: name the table differently`);
    }
    bySchema.set(schema, named);
    return named;
  }

  /** The store as the work of one transaction sees it. */
  function storeInside(inside: RunStep): Store {
    const refuse = async (): Promise<never> => {
      throw new Error("a transaction is already open: do this work within it");
    };
    return {
      table<R extends Row>(schema: TableSchema<R>): Table<R> {
        const named = namedTable(schema as unknown as TableSchema<Row>);
        return new MemoryTable(named.held, inside) as unknown as Table<R>;
      },
      transaction: refuse,
      transactionOn: refuse,
      read: (work) => work(),
      snapshot: () => inside(snapshotNow),
      readPages: refuse,
      restore: refuse,
      close: refuse,
    };
  }

  function makeTable(schema: TableSchema<Row>): NamedTable {
    assertSchema(schema);
    const content = contentOf(schema, unclaimed.get(schema.name) ?? []);
    const held: Held = { schema, content };
    const named: NamedTable = { held, table: new MemoryTable(held, step) };
    unclaimed.delete(schema.name);
    tables.set(schema.name, named);
    return named;
  }

  function snapshotNow(): Snapshot {
    const named = [...tables].map(([name, { held }]): [string, readonly Row[]] => [
      name,
      [...held.content.sorted[0]!.walk(0, held.content.rows.size, "asc")],
    ]);
    const all = [...named, ...unclaimed].sort(([a], [b]) => compareText(a, b));
    return Object.fromEntries(all);
  }

  function restoreNow(given: Map<string, readonly Row[]>): void {
    // All tables are built before any is changed, so that an invalid snapshot changes nothing.
    const contents = [...tables].map(([name, { held }]) => {
      const rows = given.get(name) ?? [];
      given.delete(name);
      return [held, contentOf(held.schema, rows)] as const;
    });
    for (const [held, content] of contents) held.content = content;
    unclaimed = given;
  }

  return {
    table<R extends Row>(schema: TableSchema<R>): Table<R> {
      return namedTable(schema as unknown as TableSchema<Row>).table as unknown as Table<R>;
    },
    transaction: (work) =>
      lane.transaction(() => {
        assertOpen();
        return work();
      }),
    transactionOn: (work) =>
      lane.transactionOn((inside) => {
        assertOpen();
        return work(storeInside(inside));
      }),
    read: async (work) => (lane.isOpen() ? work() : lane.transaction(work)),
    snapshot: () => step(snapshotNow),
    async readPages(take) {
      // Stored rows never change, so a list of them preserves this moment.
      for (const { table, rows } of pagesOf(await step(snapshotNow))) {
        for (let at = 0; at === 0 || at < rows.length; at += PAGE_ROWS) {
          await take({ table, rows: rows.slice(at, at + PAGE_ROWS) });
        }
      }
    },
    async restore(pages) {
      if (lane.isOpen()) throw new Error("a transaction is already open: restore outside it");
      const given = new Map<string, Row[]>();
      for await (const { table, rows } of pages) {
        const kept = given.get(table) ?? [];
        for (const row of rows) kept.push(storedValue(row));
        given.set(table, kept);
      }
      return lane.transaction(() => step(() => restoreNow(given)));
    },
    close: () =>
      lane.step(() => {
        state = "closed";
      }),
  };
}
