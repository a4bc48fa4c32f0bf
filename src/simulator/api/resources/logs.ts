/** Version 4's email logs, and the count that both versions have (API v4 and v3 §4 Email logs). */
import { z } from "zod";
import { countLogs, getLog, listLogs, searchLogs } from "../../model/logs/logs.ts";
import { type AnswerStyle, PLAIN } from "../answers.ts";
import { logFilterOf, logFilters } from "../read/log-parameters.ts";
import { limit, offset, text } from "../read/parameters.ts";
import { ok, type Route, route } from "../route.ts";
import { LOG_V4 } from "./present/log.ts";

/** In both versions. */
export function countRow(style: AnswerStyle): Route {
  return route({
    method: "GET",
    path: "/domains/:domain/logs/count",
    summary: "Count log entries",
    query: z.object(logFilters("exact")),
    answers: style.answers({ total: z.int() }),
    async handle(service, { params, query }) {
      return style.answer({ total: await countLogs(service, params.domain, logFilterOf(query)) });
    },
  });
}

export const LOGS_V4: readonly Route[] = [
  route({
    method: "GET",
    path: "/domains/:domain/logs",
    summary: "List log entries",
    query: z.object({
      ...logFilters("exact"),
      order: z.enum(["created_desc", "created_asc"]).default("created_desc"),
      limit: limit(100, 200),
      cursor: text("id of the entry to start from: `next_cursor` of the answer before"),
    }),
    answers: {
      200: z.strictObject({
        logs: z.array(LOG_V4.schema),
        limit: z.int(),
        cursor: z.string().nullable(),
        next_cursor: z.string().nullable(),
      }),
    },
    async handle(service, { params, query }) {
      const { order, limit: most, cursor } = query;
      const { rows, nextId } = await listLogs(service, params.domain, {
        filter: logFilterOf(query),
        order,
        limit: most,
        cursor: cursor === undefined ? undefined : { id: cursor, page: "from" },
      });
      const logs = rows.map(LOG_V4.present);
      return ok({ logs, limit: most, cursor: cursor ?? null, next_cursor: nextId });
    },
  }),
  countRow(PLAIN),
  route({
    method: "GET",
    path: "/domains/:domain/logs/search",
    summary: "Search log entries, tolerant of typos",
    query: z.object({
      query: z.string().meta({ description: "words of subject, sender, recipient or forward" }),
      ...logFilters("substring"),
      order: z.enum(["relevance", "created_desc", "created_asc"]).default("relevance"),
      limit: limit(20, 200),
      offset,
    }),
    answers: {
      200: z.strictObject({
        logs: z.array(LOG_V4.schema),
        limit: z.int(),
        offset: z.int(),
        total: z.int(),
        next_offset: z.int().nullable(),
      }),
    },
    async handle(service, { params, query }) {
      const { order, limit: most, offset: start } = query;
      const search = {
        text: query.query,
        filter: logFilterOf(query),
        order,
        limit: most,
        offset: start,
      };
      const { rows, total, nextOffset } = await searchLogs(service, params.domain, search);
      const logs = rows.map(LOG_V4.present);
      return ok({ logs, limit: most, offset: start, total, next_offset: nextOffset });
    },
  }),
  route({
    method: "GET",
    path: "/domains/:domain/logs/:id",
    summary: "Get a log entry",
    answers: { 200: LOG_V4.schema },
    async handle(service, { params }) {
      return ok(LOG_V4.present(await getLog(service, params.domain, params.id)));
    },
  }),
];
