/** The route of a list in pages (API v4 §1, v3 §1). */
import { z } from "zod";
import type { Listed } from "../../../model/list.ts";
import type { Service } from "../../../model/service.ts";
import type { AnswerStyle } from "../../answers.ts";
import type { Presenter } from "../../presenter.ts";
import { type Route, route } from "../../route.ts";

type Counts<Value> = Readonly<Record<"limit" | "page" | "total", Value>>;

interface PagedQuery {
  readonly limit: number;
  readonly page: number;
}

interface RowListing<Row, Query extends PagedQuery> {
  readonly style: AnswerStyle;
  readonly path: "/domains" | `/domains/:domain/${string}`;
  readonly summary: string;
  readonly query: z.ZodObject & z.ZodType<Query>;
  readonly shown: Presenter<Row>;
  /** The answer's fields in their order, for schemas and for values alike. */
  fields<Value>(rows: Value, counts: Counts<Value>): Readonly<Record<string, Value>>;
  /** `domain`: of the path, where it has one. */
  find(service: Service, domain: string, query: Query): Promise<Listed<Row>>;
}

const COUNTS: Counts<z.ZodType> = { limit: z.int(), page: z.int(), total: z.int() };

export function listRow<Row, Query extends PagedQuery>(listing: RowListing<Row, Query>): Route {
  const { style, path, summary, query: schema, shown, fields, find } = listing;
  return route({
    method: "GET",
    path,
    summary,
    query: schema,
    answers: style.answers(fields<z.ZodType>(z.array(shown.schema), COUNTS)),
    async handle(service, { params, query }) {
      const { limit, page } = query as PagedQuery;
      const { rows, total } = await find(service, params.domain, query as Query);
      return style.answer(fields<unknown>(rows.map(shown.present), { limit, page, total }));
    },
  });
}
