/** Endpoints of the simulator's state: seed, snapshots, clock, faults, DNS. */
import { z } from "zod";
import { RECORD_TYPES } from "../service/dns-zone.ts";
import type { World } from "../service/world.ts";
import type { FaultInput } from "./control.ts";
import { readBody, readQuery } from "./request-input.ts";
import type { ControlRoute, Desk } from "./route.ts";
import { clockTime, SNAPSHOT } from "./snapshot.ts";

const any = z.unknown();
/** Their fields are checked where they are used. */
const WORLD: z.ZodType<unknown> = z.record(z.string(), any);
const FAULT: z.ZodType<unknown> = z.record(z.string(), any);

const SET = z.union(
  [
    z.strictObject({ nowMs: clockTime }),
    z.strictObject({ now: z.iso.datetime({ offset: true }).transform(Date.parse) }),
  ],
  "give `nowMs`, or `now` as an ISO 8601 time",
);
const ADVANCE = z.strictObject({ ms: z.number().min(0).max(clockTime.maxValue!) });
const recordType = z.enum(RECORD_TYPES);
const DNS = z.strictObject({
  type: recordType,
  name: z.string().min(1),
  values: z.array(z.string()),
});
const DNS_NAME = z.strictObject({ type: recordType, name: z.string().min(1) });

/** The clock as every one of its endpoints shows it. */
function showClock({ parts: { clock } }: Desk): unknown {
  const nowMs = clock.nowMs();
  const date = new Date(nowMs);
  return { nowMs, now: date.toISOString(), frozen: clock.frozen };
}

export const STATE_ROUTES: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/readyz",
    summary: "answers once the simulator is ready",
    takes: [],
    answer: async () => ({ ready: true }),
  },
  {
    method: "POST",
    path: "/reset",
    summary: "back to the world, the time and the ids of the beginning",
    takes: [],
    answer: ({ control }) => control.reset(),
  },
  {
    method: "POST",
    path: "/seed",
    summary: "begins anew with this world, to which later resets lead back",
    takes: ["account?", "plan?", "whitelabels?", "domains?", "dns?"],
    answer: async ({ control }, request) => control.seed((await readBody(request, WORLD)) as World),
  },
  {
    method: "GET",
    path: "/snapshot",
    summary: "everything there is, as JSON",
    takes: [],
    answer: ({ control }) => control.snapshot(),
  },
  {
    method: "POST",
    path: "/restore",
    summary: "puts a snapshot in the place of everything",
    takes: ["(a snapshot)"],
    answer: async ({ control }, request) => control.restore(await readBody(request, SNAPSHOT)),
  },
  {
    method: "GET",
    path: "/clock",
    summary: "the time, and whether it stands",
    takes: [],
    answer: async (desk) => showClock(desk),
  },
  {
    method: "POST",
    path: "/clock/freeze",
    summary: "stops the clock",
    takes: [],
    async answer(desk) {
      desk.parts.clock.freeze();
      return showClock(desk);
    },
  },
  {
    method: "POST",
    path: "/clock/unfreeze",
    summary: "lets the clock run, from where it stands",
    takes: [],
    async answer(desk) {
      desk.parts.clock.unfreeze();
      return showClock(desk);
    },
  },
  {
    method: "POST",
    path: "/clock/set",
    summary: "sets the clock; what lies between is not run",
    takes: ["nowMs | now"],
    async answer(desk, request) {
      const set = await readBody(request, SET);
      desk.parts.clock.set("now" in set ? set.now : set.nowMs);
      return showClock(desk);
    },
  },
  {
    method: "POST",
    path: "/clock/advance",
    summary: "moves the clock on, running what falls due and waiting for it",
    takes: ["ms"],
    async answer(desk, request) {
      const { ms } = await readBody(request, ADVANCE);
      await desk.parts.clock.advance(ms);
      return showClock(desk);
    },
  },
  {
    method: "GET",
    path: "/faults",
    summary: "the faults, in the order in which they strike",
    takes: [],
    answer: async ({ control }) => ({ faults: await control.faults.list() }),
  },
  {
    method: "POST",
    path: "/faults",
    summary: "lets deliveries to matching destinations go wrong",
    takes: ["match", "stage?", "code?", "delayMs?", "times?", "probability?", "seed?"],
    async answer({ control }, request) {
      const fault = (await readBody(request, FAULT)) as FaultInput;
      return { fault: await control.faults.add(fault) };
    },
  },
  {
    method: "DELETE",
    path: "/faults",
    summary: "removes all faults",
    takes: [],
    answer: async ({ control }) => ({ removed: await control.faults.clear() }),
  },
  {
    method: "DELETE",
    path: "/faults/:id",
    summary: "removes one fault",
    takes: [],
    answer: ({ control }, _request, id) => control.faults.remove(id),
  },
  {
    method: "GET",
    path: "/dns",
    summary: "DNS answers that take the place of the expected ones",
    takes: [],
    answer: async ({ control }) => ({ records: control.dns.list() }),
  },
  {
    method: "PUT",
    path: "/dns",
    summary: "answers this for a name; no values: there is no such record",
    takes: ["type", "name", "values"],
    async answer({ control }, request) {
      control.dns.set(await readBody(request, DNS));
      return { records: control.dns.list() };
    },
  },
  {
    method: "DELETE",
    path: "/dns",
    summary: "back to the expected answer",
    takes: ["type", "name"],
    async answer({ control }, request) {
      const { type, name } = readQuery(request, DNS_NAME);
      control.dns.unset(type, name);
      return { records: control.dns.list() };
    },
  },
];
