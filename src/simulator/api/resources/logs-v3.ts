/** Version 3's email logs (API v3 §4 Email logs). */
import { z } from "zod";
import { FAILURES, findLogs, getLog, type LogListing, listLogs } from "../../model/logs/logs.ts";
import { ServiceProblem } from "../../model/problem.ts";
import type { LogRow } from "../../model/records.ts";
import { getAliasByNameOrId } from "../../model/routing/aliases.ts";
import type { Service } from "../../model/service.ts";
import { SUCCEEDING, succeeds, success } from "../answers.ts";
import { given, text } from "../read/parameters.ts";
import { type Answer, ok, type Route, route } from "../route.ts";
import { countRow } from "./logs.ts";
import { LOG_V3 } from "./present/log.ts";

// ASSUMPTION(v3-logs-page): a page of logs, and what a search finds at most, is 200 entries
const PAGE = 200;

const nextCursor = text("id of the last entry of the answer before");
const seconds = z.int().min(0).max(8_640_000_000_000);

const filter = z.enum(["all", "failure"]).default("all");
const listQuery = z.object({ next_cursor: nextCursor, filter });

const logPage = succeeds({ logs: z.array(LOG_V3.schema), next_cursor: z.string().nullable() });

// ASSUMPTION(v3-alias-logs): an alias's entries are those whose recipient has its name as local part
/** A page of the entries of a domain, or of one alias. */
// ASSUMPTION(v3-next-cursor): answers carry `next_cursor`, the id of their last entry, null when there are no more
async function answerPage(
  service: Service,
  domain: string,
  { next_cursor: cursor, filter }: z.output<typeof listQuery>,
  scope: Pick<LogListing, "alias">,
): Promise<Answer> {
  const { rows, nextId } = await listLogs(service, domain, {
    ...scope,
    filter: filter === "all" ? {} : { statuses: FAILURES },
    order: "created_desc",
    limit: PAGE,
    cursor: cursor === undefined ? undefined : { id: cursor, page: "after" },
  });
  const last = nextId === null ? null : (rows.at(-1)?.id ?? null);
  return success({ logs: rows.map(LOG_V3.present), next_cursor: last });
}

/** The log entry of that id, if there is one. */
async function findLog(service: Service, domain: string, id: string): Promise<LogRow | null> {
  try {
    return await getLog(service, domain, id);
  } catch (thrown) {
    if (thrown instanceof ServiceProblem && thrown.status === 404) return null;
    throw thrown;
  }
}

export const LOGS_V3: readonly Route[] = [
  route({
    method: "GET",
    path: "/domains/:domain/logs",
    summary: "List log entries, newest first",
    query: listQuery,
    answers: { 200: logPage },
    handle: (service, { params, query }) => answerPage(service, params.domain, query, {}),
  }),
  // ASSUMPTION(v3-log-count): the count is answered as in version 4, with `success`
  countRow(SUCCEEDING),
  route({
    method: "GET",
    path: "/domains/:domain/logs/search",
    summary: "Search log entries of a time",
    query: z.object({
      filter,
      text: text("substring of subject, sender, recipient or destination"),
      order: z.enum(["desc", "asc"]).default("desc"),
      after: seconds.meta({ description: "Unix seconds, inclusive" }),
      before: seconds.meta({ description: "Unix seconds, inclusive" }),
    }),
    answers: { 200: succeeds({ logs: z.array(LOG_V3.schema) }) },
    async handle(service, { params, query }) {
      const rows = await findLogs(service, params.domain, {
        ...given({ text: query.text }),
        which: query.filter,
        afterSeconds: query.after,
        beforeSeconds: query.before,
        order: query.order === "asc" ? "created_asc" : "created_desc",
        limit: PAGE,
      });
      return success({ logs: rows.map(LOG_V3.present) });
    },
  }),
  // ASSUMPTION(v3-log-or-alias): of `/logs/:id` and `/logs/:alias`, which are one path, the entry of that id comes first, then the alias
  // ASSUMPTION(v3-log-get): a single log entry is answered unwrapped, as in version 4
  route({
    method: "GET",
    path: "/domains/:domain/logs/:log",
    summary: "Get a log entry by id, unwrapped; or list those of an alias",
    query: listQuery,
    answers: { 200: z.union([LOG_V3.schema, logPage]) },
    async handle(service, { params, query }) {
      const { domain, log } = params;
      const row = await findLog(service, domain, log);
      if (row !== null) return ok(LOG_V3.present(row));
      const { name } = await getAliasByNameOrId(service, domain, log);
      return answerPage(service, domain, query, { alias: name });
    },
  }),
];
