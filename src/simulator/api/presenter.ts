/** Shows a record: the schema and the source of each field, in the order of the output. */
import { z } from "zod";

/** One field of a record that is shown. */
export interface Field<Row> {
  readonly schema: z.ZodType;
  of(row: Row): unknown;
}

export interface Presenter<Row> {
  readonly schema: z.ZodType;
  readonly present: (row: Row) => Readonly<Record<string, unknown>>;
}

export function field<Row, Value>(schema: z.ZodType<Value>, of: (row: Row) => Value): Field<Row> {
  return { schema, of };
}

/** `name` is the component's name in the OpenAPI document, unique among all versions. */
export function presenter<Row>(
  name: string,
  fields: Readonly<Record<string, Field<Row>>>,
): Presenter<Row> {
  const entries = Object.entries(fields);
  const shape = Object.fromEntries(entries.map(([key, { schema }]) => [key, schema]));
  return {
    schema: z.strictObject(shape).meta({ id: name }),
    present(row) {
      const shown: Record<string, unknown> = {};
      for (const [key, { of }] of entries) shown[key] = of(row);
      return shown;
    },
  };
}
