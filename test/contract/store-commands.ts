/** Random tables, rows and commands for the contract of stores. */
import fc from "fast-check";
import type { Filter, Query, Row, Search, TableSchema } from "../../src/simulator/store/store.ts";

export type Command =
  | { readonly kind: "insert" | "replace"; readonly row: Row }
  | { readonly kind: "get" | "delete"; readonly key: string }
  | { readonly kind: "deleteWhere"; readonly where: Row }
  | { readonly kind: "find"; readonly query: Query<Row> }
  | { readonly kind: "count"; readonly filter: Filter<Row> }
  | { readonly kind: "search"; readonly search: Search<Row> }
  | { readonly kind: "reopen" }
  | {
      readonly kind: "transaction";
      readonly commands: readonly Command[];
      readonly end: "keep" | "undo";
    };

export interface World {
  readonly schema: TableSchema<Row>;
  readonly commands: readonly Command[];
}

const KEYS = ["a", "b", "B", "é", "z😀", "z\uFFFD", "0", "10", "9"];
const TEXTS = [
  "",
  "a",
  "A b",
  "Straße",
  "ΟΔΟΣ",
  "οδος οδοσα",
  "İx ix",
  "😀",
  "\uFFFD",
  "invoice",
  "invioce 7",
];
const NUMBERS = [-1.5, -1, 0, 2, 10, 1e12];
const TAGS = ["x", "y", "Z"];
const COLUMNS = {
  text: "text",
  other: "text",
  number: "number",
  flag: "boolean",
  tags: "texts",
} as const;
const SCALARS = ["text", "other", "number", "flag"];

const text = fc.constantFrom(...TEXTS);
const cells = {
  id: fc.constantFrom(...KEYS),
  text: fc.option(text),
  other: fc.option(text),
  number: fc.option(fc.constantFrom(...NUMBERS)),
  flag: fc.boolean(),
};

const cellOf = (column: string): fc.Arbitrary<string | number | boolean | null> =>
  cells[column as keyof typeof cells];

const row: fc.Arbitrary<Row> = fc.record(
  {
    id: fc.constantFrom(...KEYS),
    text: cells.text,
    other: cells.other,
    number: cells.number,
    flag: cells.flag,
    tags: fc.option(fc.subarray(TAGS)),
    nested: fc.constantFrom({ deep: [1, null, { text: "x" }] }, []),
  },
  { requiredKeys: ["id"] },
);

const schema: fc.Arbitrary<TableSchema<Row>> = fc
  .array(fc.shuffledSubarray(SCALARS, { minLength: 1, maxLength: 3 }), { maxLength: 3 })
  .map((indexes) => ({
    name: "things",
    key: "id",
    columns: COLUMNS,
    indexes,
    text: ["text", "other"],
  }));

/** Values for the first `count` columns, in any order. */
function whereOf(columns: readonly string[], count: number): fc.Arbitrary<Row> {
  const lead = columns.slice(0, count);
  return fc
    .tuple(
      fc.record(Object.fromEntries(lead.map((name) => [name, cellOf(name)]))),
      fc.shuffledSubarray(lead, { minLength: count }),
    )
    .map(([where, names]) => Object.fromEntries(names.map((name) => [name, where[name]])));
}

const range = fc
  .record(
    { above: fc.constantFrom(...NUMBERS), below: fc.constantFrom(...NUMBERS) },
    { requiredKeys: [] },
  )
  .map((bounds) => ({ column: "number", ...bounds }));

/** Of the filters beside `where`; a range half the time when an index goes on with its column. */
function restOf(next: string | undefined): fc.Arbitrary<Omit<Filter<Row>, "where">> {
  if (next !== "number") return rest;
  return fc.oneof(rest, fc.record({ range }));
}

const rest = fc.record(
  {
    anyOf: fc.record(
      {
        text: fc.array(cells.text, { maxLength: 3 }),
        number: fc.array(cells.number, { maxLength: 3 }),
        flag: fc.array(cells.flag, { maxLength: 1 }),
      },
      { requiredKeys: [] },
    ),
    overlaps: fc.record({ column: fc.constant("tags"), values: fc.subarray(TAGS) }),
    contains: fc.array(
      fc.record({
        columns: fc.subarray(["text", "other"]),
        text: fc.constantFrom("", "A", "ß", "σ", "οδοσ", "iX", "VOICE", "😀"),
      }),
      { maxLength: 2 },
    ),
    range,
  },
  { requiredKeys: [] },
);

const direction = fc.constantFrom("asc" as const, "desc" as const);

/** A filter and, of one of the indexes, an order that it serves. */
function served(schema: TableSchema<Row>): fc.Arbitrary<Pick<Query<Row>, "order"> & Filter<Row>> {
  return fc
    .tuple(fc.constantFrom(["id"], ...schema.indexes), fc.boolean())
    .chain(([index, isLast]) => {
      const count = isLast ? index.length - 1 : index.length;
      const column = isLast ? index[count]! : "id";
      return fc
        .tuple(whereOf(index, count), direction, restOf(index[count]), fc.boolean())
        .map(([where, along, more, isPlain]) => ({
          ...(isPlain ? {} : more),
          where,
          order: { column, direction: along },
        }));
    });
}

function filterOf(schema: TableSchema<Row>): fc.Arbitrary<Filter<Row>> {
  return fc.constantFrom(["id"], ...schema.indexes).chain((index) =>
    fc
      .nat(index.length)
      .chain((count) => fc.tuple(whereOf(index, count), restOf(index[count])))
      .map(([where, more]) => ({ ...more, where })),
  );
}

function queryOf(schema: TableSchema<Row>): fc.Arbitrary<Query<Row>> {
  return served(schema).chain((base) =>
    fc
      .record(
        {
          limit: fc.nat(5),
          offset: fc.nat(3),
          from: fc.record({ value: cellOf(base.order.column), key: cells.id }),
        },
        { requiredKeys: ["limit"] },
      )
      .map((page) => ({ ...base, ...page })),
  );
}

function searchOf(schema: TableSchema<Row>): fc.Arbitrary<Search<Row>> {
  const page = fc.record({
    columns: fc.subarray(["text", "other"], { minLength: 1 }),
    text: fc.constantFrom("invoice", "strase", "οδός", "", "a b", "ix"),
    offset: fc.nat(2),
    limit: fc.nat(4),
  });
  return fc
    .tuple(fc.oneof(served(schema), filterOf(schema)), page)
    .map(([base, more]) => ({ ...base, ...more }));
}

function simpleCommand(schema: TableSchema<Row>): fc.Arbitrary<Command> {
  const key = fc.constantFrom(...KEYS);
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("insert" as const), row }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("replace" as const), row }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom("get" as const, "delete" as const), key }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("deleteWhere" as const),
        where: filterOf(schema).map(({ where }) => where),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant("find" as const), query: queryOf(schema) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("count" as const), filter: filterOf(schema) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("search" as const), search: searchOf(schema) }),
    },
  );
}

export const world: fc.Arbitrary<World> = schema.chain((made) => {
  const simple = simpleCommand(made);
  const transaction = fc.record({
    kind: fc.constant("transaction" as const),
    commands: fc.array(simple, { maxLength: 6 }),
    end: fc.constantFrom("keep" as const, "undo" as const),
  });
  const reopen = fc.constant({ kind: "reopen" as const });
  const command = fc.oneof(
    { weight: 20, arbitrary: simple },
    { weight: 3, arbitrary: transaction },
    { weight: 1, arbitrary: reopen },
  );
  return fc.record({
    schema: fc.constant(made),
    commands: fc.array(command, { maxLength: 40, size: "max" }),
  });
});
