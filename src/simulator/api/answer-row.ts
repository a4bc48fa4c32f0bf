/** Answers a request by a row of a route table: reads and checks query and body, and calls the handler. */
import { LIMITS } from "../../base/limits.ts";
import { notFound } from "../model/problem.ts";
import { readBody } from "./read/read-body.ts";
import {
  type FieldReader,
  fieldReader,
  readFields,
  type UnknownFields,
} from "./read/read-fields.ts";
import { fromQuery } from "./read/text-fields.ts";
import type { Route } from "./route.ts";
import type { Version } from "./version.ts";

/** A request to a row, with the parameters of its path. */
interface RowRequest {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
}

type AnswerRow<Host, Out> = (host: Host, asked: RowRequest) => Promise<Out>;

async function sentBody(
  reader: FieldReader,
  request: Request,
  { forms }: Pick<Version, "forms">,
  { bodyBytesMax: bytesMax = LIMITS.bodyBytesMax }: Pick<Route, "bodyBytesMax">,
  unknown: UnknownFields,
): Promise<unknown> {
  return readFields(reader, await readBody(request, reader, { forms, bytesMax }), unknown);
}

/** Makes a row's schemas ready once, with the first of its requests. */
// ASSUMPTION(checked-before-found): a request is checked before the things it names are looked up: 400 comes before 403 and 404
export function answerRow<Host, Out>(
  version: Pick<Version, "forms">,
  row: Route<Host, Out>,
  unknown: UnknownFields,
): AnswerRow<Host, Out> {
  let readers: { readonly query: FieldReader; readonly body: FieldReader | null } | undefined;
  return async (host, { request, params }) => {
    readers ??= {
      query: fieldReader(row.query),
      body: row.body === null ? null : fieldReader(row.body),
    };
    // Stores drop NUL, so that `own.test%00` would be found.
    if (Object.values(params).some((value) => /\p{Cc}/u.test(value))) throw notFound("path");
    const at = request.url.indexOf("?");
    const search = new URLSearchParams(at < 0 ? "" : request.url.slice(at + 1));
    const query = readFields(readers.query, fromQuery(readers.query, search), unknown);
    const body =
      readers.body === null ? {} : await sentBody(readers.body, request, version, row, unknown);
    return row.handle(host, { params, query, body, request });
  };
}
