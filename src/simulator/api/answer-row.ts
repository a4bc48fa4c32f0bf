/** What a row of a route table answers: its query and body read and checked, its handler asked. */
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

/** Makes a row's schemas ready once, for all its requests. */
// ASSUMPTION(checked-before-found): what is sent is checked before what it names is looked up: 400 comes before 403 and 404
export function answerRow<Host, Out>(
  version: Pick<Version, "forms">,
  row: Route<Host, Out>,
  unknown: UnknownFields,
): AnswerRow<Host, Out> {
  const queryReader = fieldReader(row.query);
  const bodyReader = row.body === null ? null : fieldReader(row.body);
  return async (host, { request, params }) => {
    // Stores drop NUL, so that `own.test%00` would be found.
    if (Object.values(params).some((value) => /\p{Cc}/u.test(value))) throw notFound("path");
    const { searchParams } = new URL(request.url);
    const sent = fromQuery(queryReader, searchParams);
    const query = readFields(queryReader, sent, unknown);
    const body =
      bodyReader === null ? {} : await sentBody(bodyReader, request, version, row, unknown);
    return row.handle(host, { params, query, body, request });
  };
}
