/** Finds the declared index that serves a query. A query without one is a defect, in every store. */
import type { Query, Row, TableSchema } from "./store.ts";

export interface Serving {
  /** Place in `indexesOf`. */
  readonly position: number;
  readonly columns: readonly string[];
  /** How many of the columns have a value in `where`. */
  readonly leadCount: number;
}

/** All indexes of a table; the first is that of the key. */
export function indexesOf<R extends Row>(schema: TableSchema<R>): readonly (readonly string[])[] {
  return [[schema.key], ...schema.indexes];
}

const quote = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

function assertScalars(where: Row): void {
  const column = Object.keys(where).find((name) => typeof (where[name] ?? "") === "object");
  if (column === undefined) return;
  throw new TypeError(`\`where\` has an object in \`${column}\`: give a scalar`);
}

/** Results by query: programs make few different ones. */
const found = new WeakMap<object, Map<string, Serving>>();

/**
 * The index that begins with the columns of `where`, in any order, and then has the column of `order` as its last (or ends
 * there, for the order of the key). Without an order, an index that continues with `ranged` is preferred. Throws if there is
 * none.
 */
export function servingIndex<R extends Row>(
  schema: TableSchema<R>,
  where: Partial<R>,
  wanted: { readonly order?: Query<R>["order"] | undefined; readonly ranged?: string | undefined },
): Serving {
  assertScalars(where);
  const { order, ranged } = wanted;
  const asked = `${Object.keys(where).join()}/${order?.column ?? ""}/${ranged ?? ""}`;
  const kept = found.get(schema)?.get(asked);
  if (kept !== undefined) return kept;
  const serving = findServing(schema, where, wanted);
  const bySchema = found.get(schema) ?? new Map<string, Serving>();
  found.set(schema, bySchema.set(asked, serving));
  return serving;
}

function findServing<R extends Row>(
  schema: TableSchema<R>,
  where: Partial<R>,
  wanted: { readonly order?: Query<R>["order"] | undefined; readonly ranged?: string | undefined },
): Serving {
  const fixed = Object.keys(where);
  const leadCount = fixed.length;
  const leading = indexesOf(schema)
    .map((columns, position) => ({ position, columns, leadCount }))
    .filter(({ columns }) => {
      const lead = columns.slice(0, leadCount);
      return lead.length === leadCount && fixed.every((name) => lead.includes(name));
    });
  const { order, ranged } = wanted;
  if (order === undefined) {
    const serving = leading.find(({ columns }) => columns[leadCount] === ranged) ?? leading[0];
    if (serving !== undefined) return serving;
    throw new Error(`no index of \`${schema.name}\` begins with ${quote(fixed)}: declare one`);
  }
  const serving = leading.find(({ columns }) =>
    columns.length === leadCount
      ? order.column === schema.key
      : columns.length === leadCount + 1 && columns[leadCount] === order.column,
  );
  if (serving !== undefined) return serving;
  const missing = quote([...fixed, order.column]);
  throw new Error(`no index of \`${schema.name}\` serves that order: declare ${missing}`);
}
