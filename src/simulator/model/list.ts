/** A page of a list, as operations return it: the rows, and how many there are on all pages. */
import type { Filter, Query, Row, Table } from "../store/store.ts";

/** The wanted part of a list; the edge has checked both numbers against its version's bounds. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export interface Listed<R> {
  readonly rows: readonly R[];
  readonly total: number;
}

export async function listRows<R extends Row>(
  table: Table<R>,
  filter: Filter<R>,
  order: Query<R>["order"],
  { limit, offset }: Page,
): Promise<Listed<R>> {
  const total = await table.count(filter);
  return { rows: await table.find({ ...filter, order, limit, offset }), total };
}

/** The filter for a substring, if there is one. */
export function containing<R extends Row>(
  columns: readonly (keyof R & string)[],
  text: string | undefined,
): Pick<Filter<R>, "contains"> {
  return text === undefined || text === "" ? {} : { contains: [{ columns, text }] };
}
