/** Endpoints of the simulator's state: seed, snapshots, clock, faults, DNS. */
import { z } from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { NO_CONTENT, ok } from "../../api/route.ts";
import { RECORD_TYPES } from "../../model/domains/dns-zone.ts";
import { fieldProblem } from "../../model/problem.ts";
import type { World } from "../../model/seed/world.ts";
import { FAULT } from "../../outbound/faults.ts";
import type { FaultInput } from "../control.ts";
import { clockTime } from "../snapshot.ts";
import { withSnapshot } from "../snapshot-spool.ts";
import { snapshotAnswer } from "../snapshot-stream.ts";
import { type ControlRoute, controlRoute, type Desk } from "./route.ts";

const anything = z.looseObject({});

/** The parts of a snapshot are checked where they are used. */
const part = z.unknown().optional();
const WORLD = z.object({ account: part, plan: part, whitelabels: part, domains: part, dns: part });

/** The latest time of a JavaScript date. */
const DATE_MS_MAX = clockTime.maxValue!;
const advanceMs = z.number().int().min(0).max(DATE_MS_MAX);
const recordType = z.enum(RECORD_TYPES);
const recordName = z.string().min(1);
const DNS = z.object({ type: recordType, name: recordName, values: z.array(z.string()) });
const records = { 200: z.strictObject({ records: z.array(anything) }) };

const clock = {
  200: z.strictObject({ nowMs: z.number(), now: z.string(), frozen: z.boolean() }),
};

/** The clock, as all its endpoints show it. */
function showClock({ parts: { clock: shown } }: Desk): ReturnType<typeof ok> {
  const nowMs = shown.nowMs();
  return ok({ nowMs, now: new Date(nowMs).toISOString(), frozen: shown.frozen });
}

const begun = { 204: null };

export const STATE_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    method: "GET",
    path: "/readyz",
    summary: "answers once the simulator is ready",
    answers: { 200: z.strictObject({ ready: z.literal(true) }) },
    handle: async () => ok({ ready: true }),
  }),
  controlRoute({
    method: "POST",
    path: "/reset",
    summary: "goes back to the first world, time and ids",
    answers: begun,
    async handle({ control }) {
      await control.reset();
      return NO_CONTENT;
    },
  }),
  controlRoute({
    method: "POST",
    path: "/seed",
    summary: "starts again with this world; later resets go back to it",
    body: WORLD,
    bodyBytesMax: LIMITS.controlBodyBytesMax,
    answers: begun,
    async handle({ control }, { body }) {
      await control.seed(body as World);
      return NO_CONTENT;
    },
  }),
  controlRoute({
    method: "GET",
    path: "/snapshot",
    summary: "everything, as lines of JSON: first what is not in a table, then a row on each line",
    answers: { 200: z.string() },
    media: "application/x-ndjson",
    async handle({ spoolSnapshot }, { request }) {
      const answer = snapshotAnswer(await spoolSnapshot());
      // Nobody reads its body, which would keep the file.
      if (request.method === "HEAD") await answer.body!.cancel();
      return answer;
    },
  }),
  controlRoute({
    method: "POST",
    path: "/restore",
    summary: "replaces everything with a snapshot",
    answers: begun,
    async handle({ restoreFrom }, { request }) {
      await withSnapshot(request, restoreFrom);
      return NO_CONTENT;
    },
  }),
  controlRoute({
    method: "GET",
    path: "/clock",
    summary: "the time, and whether the clock stands still",
    answers: clock,
    handle: async (desk) => showClock(desk),
  }),
  controlRoute({
    method: "POST",
    path: "/clock/freeze",
    summary: "stops the clock",
    answers: clock,
    async handle(desk) {
      desk.parts.clock.freeze();
      return showClock(desk);
    },
  }),
  controlRoute({
    method: "POST",
    path: "/clock/unfreeze",
    summary: "lets the clock run from the time it shows",
    answers: clock,
    async handle(desk) {
      desk.parts.clock.unfreeze();
      return showClock(desk);
    },
  }),
  controlRoute({
    method: "POST",
    path: "/clock/set",
    summary: "sets the clock, with one of the two; work between the two times is not run",
    body: z.object({
      nowMs: clockTime.optional(),
      now: z.iso
        .datetime({ offset: true })
        .optional()
        .meta({ description: "an ISO 8601 time with a zone" }),
    }),
    answers: clock,
    async handle(desk, { body: { nowMs, now } }) {
      const setMs = nowMs ?? (now === undefined ? undefined : Date.parse(now));
      if (setMs === undefined || (nowMs !== undefined && now !== undefined)) {
        throw fieldProblem({ nowMs: ["give either `nowMs`, or `now` as an ISO 8601 time"] });
      }
      if (!Number.isFinite(setMs)) {
        throw fieldProblem({ now: [`\`now\` is \`${now}\`: no date can hold it`] });
      }
      desk.parts.clock.set(setMs);
      return showClock(desk);
    },
  }),
  controlRoute({
    method: "POST",
    path: "/clock/advance",
    summary: "moves the clock forward, runs the work that falls due, and waits for it",
    body: z.object({ ms: advanceMs }),
    answers: clock,
    async handle(desk, { body: { ms } }) {
      const { clock: moved } = desk.parts;
      const left = DATE_MS_MAX - moved.nowMs();
      if (ms > left) {
        const message = `\`ms\` is \`${ms}\`: give at most \`${left}\`, no date can hold what is later`;
        throw fieldProblem({ ms: [message] });
      }
      await moved.advance(ms);
      return showClock(desk);
    },
  }),
  controlRoute({
    method: "GET",
    path: "/faults",
    summary: "the faults, in the order in which they are tried",
    answers: { 200: z.strictObject({ faults: z.array(anything) }) },
    handle: async ({ control }) => ok({ faults: await control.faults.list() }),
  }),
  controlRoute({
    method: "POST",
    path: "/faults",
    summary: "makes deliveries to matching destinations fail",
    body: FAULT,
    answers: { 200: z.strictObject({ fault: anything }) },
    handle: async ({ control }, { body }) =>
      ok({ fault: await control.faults.add(body as FaultInput) }),
  }),
  controlRoute({
    method: "DELETE",
    path: "/faults",
    summary: "removes all faults",
    answers: { 200: z.strictObject({ removed: z.int() }) },
    handle: async ({ control }) => ok({ removed: await control.faults.clear() }),
  }),
  controlRoute({
    method: "DELETE",
    path: "/faults/:id",
    summary: "removes one fault",
    answers: { 204: null },
    async handle({ control }, { params }) {
      await control.faults.remove(params.id);
      return NO_CONTENT;
    },
  }),
  controlRoute({
    method: "GET",
    path: "/dns",
    summary: "DNS answers that replace the expected ones",
    answers: records,
    handle: async ({ control }) => ok({ records: control.dns.list() }),
  }),
  controlRoute({
    method: "PUT",
    path: "/dns",
    summary: "answers this for a name; no values: there is no such record",
    body: DNS,
    answers: records,
    async handle({ control }, { body }) {
      control.dns.set(body);
      return ok({ records: control.dns.list() });
    },
  }),
  controlRoute({
    method: "DELETE",
    path: "/dns",
    summary: "back to the expected answer",
    query: z.object({ type: recordType, name: recordName }),
    answers: records,
    async handle({ control }, { query: { type, name } }) {
      control.dns.unset(type, name);
      return ok({ records: control.dns.list() });
    },
  }),
];
