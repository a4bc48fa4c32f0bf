/** The store in memory: instant, gone with the process, and the measure for every other one. */
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
import type { Row, Snapshot, Store, Table, TableSchema } from "./store.ts";
import { storedValue } from "./stored-value.ts";
import { createTransactionLane, type NoteUndo, type RunStep } from "./transaction-lane.ts";

interface NamedTable {
  readonly schema: TableSchema<Row>;
  content: TableContent;
  readonly table: Table<Row>;
}

/** Uses a copy that is made now; a copy that cannot be made is a rejection. */
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

function createTable(
  schema: TableSchema<Row>,
  contentNow: () => TableContent,
  step: RunStep,
): Table<Row> {
  const add = (row: Row, noteUndo: NoteUndo): void => {
    addRow(schema, contentNow(), row);
    noteUndo(() => removeRow(schema, contentNow(), row));
  };
  const remove = (row: Row, noteUndo: NoteUndo): void => {
    removeRow(schema, contentNow(), row);
    noteUndo(() => addRow(schema, contentNow(), row));
  };
  // Arguments are copied before the turn is awaited: the caller may change them meanwhile.
  return {
    get: (key) => step(() => contentNow().rows.get(storedValue(key))),
    insert: (row) =>
      copied(
        () => storableRow(schema, row),
        (stored) => step((noteUndo) => add(stored, noteUndo)),
      ),
    replace: (row) =>
      copied(
        () => storableRow(schema, row),
        (stored) =>
          step((noteUndo) => {
            const key = stored[schema.key] as string;
            const before = contentNow().rows.get(key);
            if (before === undefined) throw missingIn(schema, key);
            replaceRow(schema, contentNow(), before, stored);
            noteUndo(() => replaceRow(schema, contentNow(), stored, before));
          }),
      ),
    delete: (key) =>
      step((noteUndo) => {
        const row = contentNow().rows.get(storedValue(key));
        if (row !== undefined) remove(row, noteUndo);
        return row !== undefined;
      }),
    deleteWhere: (where) =>
      copied(
        () => storedValue(where),
        (wanted) =>
          step((noteUndo) => {
            const rows = rowsWhere(schema, contentNow(), wanted);
            for (const row of rows) remove(row, noteUndo);
            return rows.length;
          }),
      ),
    dropMonths: (ms) =>
      step((noteUndo) => {
        assertMonths(schema);
        for (const [key, row] of contentNow().rows) {
          const month = monthOf(key);
          if (month !== undefined && hasEnded(month.name, ms)) remove(row, noteUndo);
        }
      }),
    find: (query) =>
      copied(
        () => storedValue(query),
        (wanted) => step(() => findRows(schema, contentNow(), wanted)),
      ),
    count: (filter) =>
      copied(
        () => storedValue(filter),
        (wanted) => step(() => countRows(schema, contentNow(), wanted)),
      ),
    search: (search) =>
      copied(
        () => storedValue(search),
        (wanted) => step(() => searchRows(schema, contentNow(), wanted)),
      ),
  };
}

/** A new, empty store. */
export function createMemoryStore(): Store {
  const tables = new Map<string, NamedTable>();
  /** Schemas are asked for at every step, nearly always as the same objects: comparing them took a quarter of an intake. */
  const bySchema = new WeakMap<object, NamedTable>();
  /** Restored rows of tables that nobody has named yet. */
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
    if (describeSchema(named.schema) !== describeSchema(given)) {
      throw new Error(`\`${given.name}\` has another schema already: name the table differently`);
    }
    bySchema.set(schema, named);
    return named;
  }

  /** The store as the work of one transaction sees it. */
  function storeInside(inside: RunStep): Store {
    const refuse = async (): Promise<never> => {
      throw new Error("a transaction is open already: do this work within it");
    };
    return {
      table<R extends Row>(schema: TableSchema<R>): Table<R> {
        const named = namedTable(schema as unknown as TableSchema<Row>);
        const table = createTable(named.schema, () => named.content, inside);
        return table as unknown as Table<R>;
      },
      transaction: refuse,
      transactionOn: refuse,
      read: (work) => work(),
      snapshot: () => inside(snapshotNow),
      restore: refuse,
      close: refuse,
    };
  }

  function makeTable(schema: TableSchema<Row>): NamedTable {
    assertSchema(schema);
    const named: NamedTable = {
      schema,
      content: contentOf(schema, unclaimed.get(schema.name) ?? []),
      table: createTable(schema, () => named.content, step),
    };
    unclaimed.delete(schema.name);
    tables.set(schema.name, named);
    return named;
  }

  function snapshotNow(): Snapshot {
    const named = [...tables].map(([name, { content }]): [string, readonly Row[]] => [
      name,
      [...content.sorted[0]!.walk(0, content.rows.size, "asc")],
    ]);
    const all = [...named, ...unclaimed].sort(([a], [b]) => compareText(a, b));
    return Object.fromEntries(all);
  }

  function restoreNow(given: Map<string, readonly Row[]>): void {
    // All are built before one is changed: a snapshot that is wrong changes nothing.
    const contents = [...tables].map(([name, named]) => {
      const rows = given.get(name) ?? [];
      given.delete(name);
      return [named, contentOf(named.schema, rows)] as const;
    });
    for (const [named, content] of contents) named.content = content;
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
    async restore(pages) {
      if (lane.isOpen()) throw new Error("a transaction is open already: restore outside of it");
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
