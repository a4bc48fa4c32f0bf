/** The routes that aliases and rules share, in both versions (API v4 and v3 §4). */
import { z } from "zod";
import type { Service } from "../../../model/service.ts";
import type { AnswerStyle } from "../../answers.ts";
import type { Presenter } from "../../presenter.ts";
import { allTrue } from "../../read/parameters.ts";
import { ok, type Route, route } from "../../route.ts";
import { SAVING, WARNINGS, warningsIfAsked } from "./save-warnings.ts";

type BodyFields = Readonly<Record<string, unknown>>;

/** A kind of entry of a domain, independent of the version. */
export interface EntryKind<Row> {
  readonly one: string;
  readonly many: "aliases" | "rules";
  readonly fresh: z.ZodObject;
  readonly changes: z.ZodObject;
  readonly summaries: Readonly<Record<"get" | "create" | "update" | "delete" | "wipe", string>>;
  create(service: Service, domain: string, body: BodyFields): Promise<Row>;
  update(service: Service, domain: string, id: string, body: BodyFields): Promise<Row>;
  remove(service: Service, domain: string, id: string): Promise<void>;
  removeAll(service: Service, domain: string): Promise<number>;
}

/** How a version addresses and shows the entries. */
export interface EntryVersion<Row> {
  readonly style: AnswerStyle;
  readonly shown: Presenter<Row>;
  /** After a create or an update. */
  readonly saved: Presenter<Row>;
  /** Whether a single entry is a field of its answer, or the answer itself. */
  readonly single: "wrapped" | "unwrapped";
  /** The path parameter of an entry. */
  readonly item: "id" | "alias" | "rule";
  find(service: Service, domain: string, item: string): Promise<Row>;
  /** The path that deletes all. */
  readonly wiped: `/domains/:domain/${string}`;
}

/** All routes but the list. */
export function entryRows<Row extends { readonly id: string }>(
  kind: EntryKind<Row>,
  version: EntryVersion<Row>,
): readonly Route[] {
  const { one, many, fresh, changes, summaries } = kind;
  const { style, shown, saved, single, item, find, wiped } = version;
  const all = `/domains/:domain/${many}` as const;
  const each = `${all}/:${item}` as const;
  const savedAnswers = style.answers({ [one]: saved.schema, warnings: WARNINGS });
  return [
    route({
      method: "GET",
      path: each,
      summary: single === "wrapped" ? summaries.get : `${summaries.get}, unwrapped`,
      answers:
        single === "wrapped" ? style.answers({ [one]: shown.schema }) : { 200: shown.schema },
      async handle(service, { params }) {
        const found = shown.present(await find(service, params.domain, params[item]));
        return single === "wrapped" ? style.answer({ [one]: found }) : ok(found);
      },
    }),
    route({
      method: "POST",
      path: all,
      summary: summaries.create,
      query: SAVING,
      body: fresh,
      answers: savedAnswers,
      async handle(service, { params: { domain }, query, body }) {
        const row = await kind.create(service, domain, body);
        const warnings = await warningsIfAsked(query, service, domain, many, row.id);
        return style.answer({ [one]: saved.present(row), ...warnings });
      },
    }),
    route({
      method: "PUT",
      path: each,
      summary: summaries.update,
      query: SAVING,
      body: changes,
      answers: savedAnswers,
      async handle(service, { params, query, body }) {
        const { domain } = params;
        const { id } = await find(service, domain, params[item]);
        const row = await kind.update(service, domain, id, body);
        const warnings = await warningsIfAsked(query, service, domain, many, id);
        return style.answer({ [one]: saved.present(row), ...warnings });
      },
    }),
    route({
      method: "DELETE",
      path: each,
      summary: summaries.delete,
      answers: style.deletedAnswers,
      async handle(service, { params }) {
        const { id } = await find(service, params.domain, params[item]);
        await kind.remove(service, params.domain, id);
        return style.deleted;
      },
    }),
    route({
      method: "DELETE",
      path: wiped,
      summary: summaries.wipe,
      query: z.object({ all: allTrue }),
      answers: { 200: z.strictObject({ deleted: z.int() }) },
      async handle(service, { params }) {
        return ok({ deleted: await kind.removeAll(service, params.domain) });
      },
    }),
  ];
}
