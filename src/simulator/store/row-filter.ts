/** The parts of a filter that indexes do not answer, as one test of a row. */
import { foldCase } from "./fold-case.ts";
import type { ColumnKind, Filter, Row, TableSchema } from "./store.ts";

type RowTest = (row: Row) => boolean;

/** Text is searched in declared columns only, so that a SQL store can index them. */
export function assertTextColumns<R extends Row>(
  schema: TableSchema<R>,
  columns: readonly string[],
): void {
  const stranger = columns.find((column) => !schema.text?.includes(column));
  if (stranger === undefined) return;
  throw new Error(
    `\`${stranger}\` is not a text column of \`${schema.name}\`: declare it in \`text\``,
  );
}

/** Throws for a column that the schema does not declare for this use. */
export function assertColumns<R extends Row>(schema: TableSchema<R>, filter: Filter<R>): void {
  const { anyOf = {}, overlaps, range } = filter;
  const kindOf = (column: string): ColumnKind | undefined =>
    column === schema.key ? "text" : schema.columns[column];
  const wrong =
    Object.keys(anyOf).find((column) => (kindOf(column) ?? "texts") === "texts") ??
    (overlaps !== undefined && kindOf(overlaps.column) !== "texts" ? overlaps.column : undefined) ??
    (range !== undefined && kindOf(range.column) !== "number" ? range.column : undefined);
  if (wrong === undefined) return;
  throw new Error(
    `\`${schema.name}\` does not declare \`${wrong}\` for this filter: see \`columns\``,
  );
}

export function assertCount(name: string, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return;
  throw new RangeError(`\`${name}\` is \`${count}\`: give a whole number from 0`);
}

function anyOfTest(column: string, values: readonly unknown[]): RowTest {
  const wanted = new Set(values);
  return (row) => wanted.has(row[column] ?? null);
}

function overlapTest({ column, values }: NonNullable<Filter<Row>["overlaps"]>): RowTest {
  const wanted = new Set<unknown>(values);
  return (row) => {
    const held = row[column];
    return Array.isArray(held) && held.some((value) => wanted.has(value));
  };
}

function containsTest({ columns, text }: NonNullable<Filter<Row>["contains"]>[number]): RowTest {
  const wanted = foldCase(text);
  return (row) =>
    columns.some((column) => {
      const held = row[column];
      return typeof held === "string" && foldCase(held).includes(wanted);
    });
}

function rangeTest({ column, above, below }: NonNullable<Filter<Row>["range"]>): RowTest {
  const [low, high] = [above ?? Number.NEGATIVE_INFINITY, below ?? Number.POSITIVE_INFINITY];
  return (row) => {
    const held = row[column];
    return typeof held === "number" && held > low && held < high;
  };
}

/** Tests everything that remains after the index has answered `where` and the range of `ranged`. */
export function restTest<R extends Row>(
  schema: TableSchema<R>,
  filter: Filter<R>,
  ranged: string | undefined,
): RowTest | undefined {
  const { anyOf, overlaps, contains, range } = filter as Filter<Row>;
  // Most queries have `where` alone.
  if ((anyOf ?? overlaps ?? contains ?? range) === undefined) return undefined;
  const tests: RowTest[] = [];
  assertColumns(schema, filter);
  for (const [column, values] of Object.entries(anyOf ?? {})) {
    tests.push(anyOfTest(column, values as readonly unknown[]));
  }
  if (overlaps !== undefined) tests.push(overlapTest(overlaps));
  for (const sought of contains ?? []) {
    assertTextColumns(schema, sought.columns);
    tests.push(containsTest(sought));
  }
  if (range !== undefined && range.column !== ranged) tests.push(rangeTest(range));
  return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row));
}
