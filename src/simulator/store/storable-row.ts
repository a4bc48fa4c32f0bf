/** The checks that every store makes before it accepts a row. */
import { DuplicateKeyError, MissingRowError, type Row, type TableSchema } from "./store.ts";
import { storedValue } from "./stored-value.ts";

type Schema = TableSchema<Row>;

/** Throws if the column of an index or a text is not declared, or has a kind without an order. */
export function assertSchema({ name, key, columns, indexes, text = [] }: Schema): void {
  for (const column of [...indexes.flat(), ...text]) {
    const kind = column === key ? "text" : columns[column];
    if (kind !== undefined && kind !== "texts" && (kind === "text" || !text.includes(column))) {
      continue;
    }
    throw new Error(`\`${name}\` does not declare \`${column}\`: give its kind in \`columns\``);
  }
}

const kindOf = (value: unknown): string => {
  if (typeof value === "string") return "text";
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return "texts";
  return typeof value;
};

/** Throws if a row has no key, or a column has a value of another kind than its schema declares. */
export function assertStorable(schema: Schema, row: Row): void {
  if (typeof row[schema.key] !== "string") {
    throw new TypeError(`a row of \`${schema.name}\` lacks its key \`${schema.key}\`: give a text`);
  }
  for (const column in schema.columns) {
    const wanted = schema.columns[column];
    const value = row[column] ?? null;
    if (value === null || kindOf(value) === wanted) continue;
    throw new TypeError(
      `\`${column}\` of a row of \`${schema.name}\` is ${kindOf(value) === "object" ? "an object" : kindOf(value)}: store a ${wanted} or null`,
    );
  }
}

/** A frozen copy that the table can store; `prior` is the stored row that it replaces. */
export function storableRow(schema: Schema, row: Row, prior?: Row): Row {
  const stored = storedValue(row, prior);
  assertStorable(schema, stored);
  return stored;
}

export function duplicateOf({ name }: Schema, key: string): DuplicateKeyError {
  return new DuplicateKeyError(`\`${name}\` already has a row with the key \`${key}\`: replace it`);
}

export function missingIn({ name }: Schema, key: string): MissingRowError {
  return new MissingRowError(`\`${name}\` has no row with the key \`${key}\`: insert it`);
}

/** Throws for a table that is not partitioned by month. */
export function assertMonths({ name, partition }: Schema): void {
  if (partition === undefined) throw new Error(`\`${name}\` has no months: declare \`partition\``);
}

/** The part of a schema that must be the same when a table is named again. */
export const describeSchema = ({ key, keys, columns, indexes, text, partition }: Schema): string =>
  JSON.stringify([
    ...[key, keys ?? null, Object.entries(columns).sort(), indexes],
    ...[text ?? [], partition ?? null],
  ]);
