/** What a row of a route table answers: its query and body read and checked, its handler asked. */
import { LIMITS } from "../base/limits.ts";
import { notFound } from "../service/problem.ts";
import type { Service } from "../service/service.ts";
import { readBody } from "./read-body.ts";
import { type FieldReader, fieldReader, readFields, type UnknownFields } from "./read-fields.ts";
import type { Answer, Route } from "./route.ts";
import { fromQuery } from "./text-fields.ts";
import type { Version } from "./version.ts";

/** A request to a row, with the parameters of its path. */
interface RowRequest {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
}

type AnswerRow = (service: Service, asked: RowRequest) => Promise<Answer>;

async function sentBody(
  reader: FieldReader,
  request: Request,
  { forms }: Version,
  { bodyBytesMax: bytesMax = LIMITS.bodyBytesMax }: Route,
  unknown: UnknownFields,
): Promise<unknown> {
  return readFields(reader, await readBody(request, reader, { forms, bytesMax }), unknown);
}

/** Makes a row's schemas ready once, for all its requests. */
// ASSUMPTION(checked-before-found): what is sent is checked before what it names is looked up: 400 comes before 403 and 404
export function answerRow(version: Version, row: Route, unknown: UnknownFields): AnswerRow {
  const queryReader = fieldReader(row.query);
  const bodyReader = row.body === null ? null : fieldReader(row.body);
  return async (service, { request, params }) => {
    // Stores drop NUL, so that `own.test%00` would be found.
    if (Object.values(params).some((value) => /\p{Cc}/u.test(value))) throw notFound("path");
    const sent = fromQuery(queryReader, new URL(request.url).searchParams);
    const query = readFields(queryReader, sent, unknown);
    const body =
      bodyReader === null ? {} : await sentBody(bodyReader, request, version, row, unknown);
    return row.handle(service, { params, query, body });
  };
}
