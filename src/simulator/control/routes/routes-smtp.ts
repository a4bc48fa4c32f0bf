/** Endpoints below the level of mail: SMTP sessions, waiting deliveries, and circuits of destination hosts. */
import { z } from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { NO_CONTENT, ok } from "../../api/route.ts";
import { breakerState, closeBreaker, listBreakers } from "../../deliver/breakers.ts";
import { found, notFound } from "../../model/problem.ts";
import { DELIVERIES, type DeliveryRow } from "../../model/records.ts";
import type { Service } from "../../model/service.ts";
import { INTAKE_FAULT, type IntakeSettings } from "../../smtp/intake-faults.ts";
import type { SmtpSession } from "../../smtp/transcripts.ts";
import { type ControlRoute, controlRoute } from "./route.ts";

const sessionHead = z.strictObject({
  id: z.string(),
  server: z.enum(["mx", "submission"]),
  remote: z.string(),
  startedMs: z.number(),
  endedMs: z.number().nullable(),
});

const anything = z.looseObject({});

const line = z.strictObject({
  atMs: z.number(),
  from: z.enum(["client", "server", "note"]),
  text: z.string(),
});

function headOf({ id, server, remote, startedMs, endedMs }: SmtpSession): object {
  return { id, server, remote, startedMs, endedMs };
}

/** A host that recently did not answer, or that has running or waiting deliveries. */
export interface Breaker {
  readonly host: string;
  readonly state: "closed" | "open" | "half-open";
  readonly failures: number;
  readonly openUntilMs: number | null;
  readonly reason: string;
  /** Running deliveries, and deliveries that wait for a slot. */
  readonly running: number;
  readonly waiting: number;
}

/** By host. */
export async function breakersOf(service: Service): Promise<readonly Breaker[]> {
  const loads = new Map(service.slots.loads().map((load) => [load.host, load]));
  const rows = new Map((await listBreakers(service)).map((row) => [row.host, row]));
  return [...new Set([...loads.keys(), ...rows.keys()])].sort().map((host) => {
    const { running = 0, waiting = 0 } = loads.get(host) ?? {};
    const row = rows.get(host);
    const { failures = 0, openUntilMs = null, reason = "" } = row ?? {};
    const state = row === undefined ? "closed" : breakerState(row, service.clock.nowMs());
    return { host, state, failures, openUntilMs, reason, running, waiting };
  });
}

const breaker = z.strictObject({
  host: z.string(),
  state: z.enum(["closed", "open", "half-open"]),
  failures: z.int(),
  openUntilMs: z.number().nullable(),
  reason: z.string(),
  running: z.int(),
  waiting: z.int(),
});

const delivery = z
  .strictObject({
    logId: z.string(),
    domain: z.string(),
    destination: z.string(),
    kind: z.enum(["mailbox", "webhook"]),
    recipient: z.string(),
    attempts: z.int().meta({ description: "made so far" }),
    nextMs: z.number().meta({ description: "when the next one is due" }),
  })
  .meta({ id: "Delivery" });

function shownDelivery(row: DeliveryRow): z.output<typeof delivery> {
  const { id: logId, domain, destination, kind, originalRecipient, attempts, nextMs } = row;
  return { logId, domain, destination, kind, recipient: originalRecipient, attempts, nextMs };
}

export const SMTP_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    method: "GET",
    path: "/sessions",
    summary: "the last SMTP sessions, the latest first",
    query: z.object({ limit: z.int().min(1).max(LIMITS.smtpSessionsKept).default(100) }),
    answers: { 200: z.strictObject({ sessions: z.array(sessionHead) }) },
    async handle({ parts: { transcripts } }, { query }) {
      return ok({ sessions: transcripts.last(query.limit).map(headOf) });
    },
  }),
  controlRoute({
    method: "GET",
    path: "/sessions/:id",
    summary: "the transcript of an SMTP session, without passwords",
    answers: {
      200: z.strictObject({
        session: sessionHead.extend({ lines: z.array(line), linesCut: z.int() }),
      }),
    },
    async handle({ parts: { transcripts } }, { params }) {
      const session = found(transcripts.get(params.id), "session");
      const { lines, linesCut } = session;
      return ok({ session: { ...headOf(session), lines, linesCut } });
    },
  }),
  controlRoute({
    method: "GET",
    path: "/intake-faults",
    summary: "the faults of mail coming in, in the order in which they are tried",
    answers: { 200: z.strictObject({ faults: z.array(anything) }) },
    handle: async ({ parts: { intake } }) => ok({ faults: intake.list() }),
  }),
  controlRoute({
    method: "POST",
    path: "/intake-faults",
    summary: "refuses, defers, delays or cuts at a command of SMTP, by a pattern",
    body: INTAKE_FAULT,
    answers: { 200: z.strictObject({ fault: anything }) },
    async handle({ parts: { intake } }, { body }) {
      return ok({ fault: intake.add(body as unknown as IntakeSettings) });
    },
  }),
  controlRoute({
    method: "DELETE",
    path: "/intake-faults",
    summary: "removes all faults of mail coming in",
    answers: { 200: z.strictObject({ removed: z.int() }) },
    handle: async ({ parts: { intake } }) => ok({ removed: intake.clear() }),
  }),
  controlRoute({
    method: "DELETE",
    path: "/intake-faults/:id",
    summary: "removes one of them",
    answers: { 204: null },
    async handle({ parts: { intake } }, { params }) {
      if (!intake.remove(params.id)) throw notFound("fault");
      return NO_CONTENT;
    },
  }),
  controlRoute({
    method: "GET",
    path: "/deliveries",
    summary: "deliveries that are not done, the one that is due next first; `total` counts all",
    query: z.object({ limit: z.int().min(1).max(LIMITS.receivedShownMax).default(100) }),
    answers: { 200: z.strictObject({ deliveries: z.array(delivery), total: z.int() }) },
    async handle({ parts: { service } }, { query: { limit } }) {
      const table = service.store.table(DELIVERIES);
      const order = { column: "nextMs", direction: "asc" } as const;
      const rows = await table.find({ where: {}, order, limit });
      const total = await table.count({ where: {} });
      return ok({ deliveries: rows.map(shownDelivery), total });
    },
  }),
  controlRoute({
    method: "GET",
    path: "/breakers",
    summary: "destination hosts that recently gave no answer or are busy, with their circuits",
    answers: { 200: z.strictObject({ breakers: z.array(breaker) }) },
    async handle({ parts: { service } }) {
      return ok({ breakers: await breakersOf(service) });
    },
  }),
  controlRoute({
    method: "DELETE",
    path: "/breakers",
    summary: "closes the circuit of a host, so that the next delivery tries it",
    query: z.object({ host: z.string() }),
    answers: { 204: null },
    async handle({ parts: { service } }, { query }) {
      if (!(await closeBreaker(service, query.host))) throw notFound("host");
      return NO_CONTENT;
    },
  }),
];
