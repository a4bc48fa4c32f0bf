/** Assembles the simulator: store, clock, queue, DNS, the outside world, the API and the control plane. */

import { createCompiler } from "../engine/routing/compile-domain.ts";
import { type Api, createApi } from "./api/app.ts";
import { createRateLimits } from "./api/read/rate-limits.ts";
import { type ControlRoom, createControl } from "./control/control.ts";
import { createEventFeed, type EventFeed } from "./control/event-feed.ts";
import type { Parts } from "./control/parts.ts";
import { createRequestLog } from "./control/request-log.ts";
import { createSlots } from "./deliver/slots.ts";
import { createDnsZone } from "./model/domains/dns-zone.ts";
import { createIds } from "./model/ids.ts";
import { keepRetention } from "./model/logs/log-retention.ts";
import type { Service, ServiceEvent } from "./model/service.ts";
import type { JoinedNodes } from "./nodes/join-nodes.ts";
import { type OpenedState, openState } from "./open-state.ts";
import { createMetrics, type Metrics } from "./operations/metrics.ts";
import type { Settings } from "./options.ts";
import { createOutbound, type OutboundOptions } from "./outbound/route-outbound.ts";
import { createSystemDns } from "./outbound/system-dns.ts";
import type { SimulatedClock } from "./queue/clock.ts";
import type { QueuedTask } from "./queue/queue.ts";
import { createSimulatedClock } from "./queue/simulated-clock.ts";
import { createStoredQueue } from "./queue/stored-queue.ts";
import { createTimerQueue } from "./queue/timer-queue.ts";
import { routeInside } from "./receive/route-inside.ts";
import { derivedSecret } from "./secrets.ts";
import { createIntakeFaults } from "./smtp/intake-faults.ts";
import { createTranscripts } from "./smtp/transcripts.ts";
import { StoreUnavailableError } from "./store/store.ts";

export interface Assembly extends ControlRoom {
  readonly settings: Settings;
  readonly parts: Parts;
  readonly metrics: Metrics;
  readonly api: Api;
  /** Leaves the group of processes that share the state. */
  leave(): Promise<void>;
  /** Does the work that is due if it is certain to end: the clock is frozen, and nothing outside the process has to answer. */
  settle(): Promise<void>;
}

function outboundOptions({ relay, webhooks, hostnames }: Settings): OutboundOptions {
  return {
    ...(relay === undefined ? {} : { relay: { ...relay, name: hostnames.mx[0]! } }),
    ...(webhooks === "simulated" ? {} : { webhooks: { targets: webhooks } }),
  };
}

/**
 * Whether a task must be stored by itself. A delivery that only waits for its time needs no stored task: its row creates it
 * again.
 */
const isKeptApart = ({ payload }: QueuedTask): boolean =>
  payload.kind !== "deliver" || payload.late !== undefined;

/** The queue and the node: of a process with its own state, or of one that shares the state with others. */
function queueOf(
  { store, installation, durable }: OpenedState,
  clock: SimulatedClock,
  joined: JoinedNodes | undefined,
  onFailure: Settings["onDefect"],
): Pick<Service, "queue" | "node"> {
  if (joined !== undefined) return { queue: joined.queue, node: joined.registry };
  const timers = createTimerQueue(clock, { onFailure });
  if (durable?.kind !== "pglite") return { queue: timers, node: undefined };
  const { epoch } = installation;
  const node = { epoch, isAlive: async (other: number) => other === epoch };
  return { queue: createStoredQueue(timers, store, isKeptApart), node };
}

/** Processes cannot share a frozen clock: with such a clock the process works alone. */
async function join(
  { durable, installation }: OpenedState,
  settings: Settings,
  feed: EventFeed,
): Promise<JoinedNodes | undefined> {
  if (durable?.kind !== "postgres" || settings.clock === "frozen") return undefined;
  const { joinNodes } = await import("./nodes/join-nodes.ts");
  const { epoch } = installation;
  return joinNodes(durable, feed, { epoch, nowMs: Date.now, onDefect: settings.onDefect });
}

interface Joined {
  readonly parts: Parts;
  readonly joined: JoinedNodes | undefined;
}

async function createParts(
  settings: Settings,
  state: OpenedState,
  metrics: Metrics,
  onRestored: () => void,
): Promise<Joined> {
  const { store, installation } = state;
  const { nowMs, onDefect, hostnames } = settings;
  const { seed, epoch } = installation;
  const mode = settings.clock;
  const clock = createSimulatedClock({
    realNowMs: Date.now,
    mode,
    ...(nowMs === undefined ? {} : { nowMs }),
    onFailure: onDefect,
  });
  const ids = createIds(seed, epoch);
  const ownFeed = createEventFeed();
  const joined = await join(state, settings, ownFeed);
  const feed = joined?.feed ?? ownFeed;
  const notify = (event: ServiceEvent): void => {
    metrics.happened(event);
    settings.journal?.happened(event);
    feed.notify(event);
  };
  const own: Service["settings"] = {
    hostname: hostnames.mx[0]!,
    mxHosts: hostnames.mx,
    dkimHost: hostnames.dkim,
    spfHost: hostnames.spf,
    keep: settings.keep,
    relay: settings.relay,
    secret: derivedSecret(seed, "secret"),
  };
  const zone = createDnsZone(store, own);
  const service: Service = {
    store,
    ...queueOf(state, clock, joined, onDefect),
    clock,
    ids,
    dns: settings.dns === "system" ? createSystemDns() : zone,
    outbound: createOutbound(
      { store, clock, ids, notify, settings: own },
      { ...outboundOptions(settings), inside: (parcel) => routeInside(service, parcel) },
    ),
    settings: own,
    compiled: new Map(),
    slots: createSlots(),
    // ASSUMPTION(domain-cost): the plan limits how many rules a domain has, and nothing limits what they cost together: what was accepted one by one must compile together
    compiler: createCompiler({
      ruleTypes: settings.ruleTypes,
      domainFuelMax: Number.POSITIVE_INFINITY,
    }),
    ruleTypes: settings.ruleTypes,
    watch: metrics,
    signIns: joined?.signIns,
    notify,
  };
  const start = {
    idSeed: seed,
    clock: () => ({ nowMs: nowMs ?? Date.now(), frozen: mode === "frozen" }),
  };
  const requests = createRequestLog();
  const transcripts = createTranscripts(() => clock.nowMs());
  const intake = createIntakeFaults();
  const parts = { service, clock, zone, feed, requests, transcripts, intake, start, onRestored };
  return { parts, joined };
}

/** A store that cannot be reached is not a defect: clients get an error, and tasks run again. */
function withoutOutages({ onDefect, ...settings }: Settings): Settings {
  return {
    ...settings,
    onDefect(defect) {
      settings.journal?.failed(defect);
      if (!(defect instanceof StoreUnavailableError)) onDefect(defect);
    },
  };
}

/** Throws a `ServiceProblem` with paths if the world is invalid. */
export async function assemble(given: Settings): Promise<Assembly> {
  const settings = withoutOutages(given);
  const { onDefect, unknownFields, world, webhooks, relay } = settings;
  const state = await openState(settings);
  const { apiKey, state: before } = state.installation;
  let forget = (): void => {};
  const metrics = createMetrics(settings.clock === "running" ? "process" : "service");
  const { parts, joined } = await createParts(settings, state, metrics, () => forget());
  const ownRates = createRateLimits(parts.clock);
  const rateLimits = joined?.rateLimits ?? ownRates;
  const api = createApi(parts.service, { apiKey, onDefect, unknownFields, rateLimits });
  // A restored state starts with empty windows.
  forget = ownRates.clear;
  const isInside = webhooks === "simulated" && relay === undefined;
  const settle = async (): Promise<void> => {
    if (isInside && parts.clock.frozen) await parts.clock.advance(0);
  };
  const leave = async (): Promise<void> => joined?.leave();
  try {
    const kept = joined === undefined ? "kept" : "shared";
    const room = await createControl(parts, world, before === "new" ? "new" : kept);
    await state.seeded();
    await joined?.follow(parts.service, forget);
    if (state.durable !== undefined) await keepRetention(parts.service);
    return {
      settings: { ...settings, apiKey },
      ...room,
      parts,
      api,
      settle,
      leave,
      metrics,
    };
  } catch (problem) {
    parts.clock.close();
    await leave();
    await state.store.close();
    throw problem;
  }
}
