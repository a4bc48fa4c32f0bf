/** Puts the simulator together: store, clock, queue, DNS, the world outside, the API and the control plane. */

import { type Api, createApi } from "../api/app.ts";
import { type Control, createControl } from "../control/control.ts";
import { createEventFeed } from "../control/event-feed.ts";
import type { Parts } from "../control/parts.ts";
import { createRequestLog } from "../control/request-log.ts";
import { createOutbound, type OutboundOptions } from "../outbound/route-outbound.ts";
import { createSimulatedClock } from "../queue/simulated-clock.ts";
import { createTimerQueue } from "../queue/timer-queue.ts";
import { createCompiler } from "../routing/compiler.ts";
import { createDnsZone } from "../service/dns-zone.ts";
import { createIds } from "../service/ids.ts";
import type { Service } from "../service/service.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { Settings } from "./options.ts";
import { derivedSecret } from "./secrets.ts";
import { createSystemDns } from "./system-dns.ts";

export interface Assembly {
  readonly settings: Settings;
  readonly parts: Parts;
  readonly control: Control;
  /** The API as it is now: a restored state has its rate limits anew. */
  api(): Api;
  /** Does what is due, one thing after another, where that is bound to end: the clock stands, and nobody outside is waited for. */
  settle(): Promise<void>;
}

const HOSTS = ["mx1.mailflow.example", "mx2.mailflow.example"] as const;

function outboundOptions({ relay, webhooks }: Settings): OutboundOptions {
  return {
    ...(relay === undefined ? {} : { relay: { ...relay, name: HOSTS[0] } }),
    ...(webhooks === "simulated" ? {} : { webhooks: { targets: webhooks } }),
  };
}

function createParts(settings: Settings, onRestored: () => void): Parts {
  const { seed, nowMs, onDefect } = settings;
  const store = createMemoryStore();
  const mode = settings.clock;
  const clock = createSimulatedClock({
    realNowMs: Date.now,
    mode,
    ...(nowMs === undefined ? {} : { nowMs }),
    onFailure: onDefect,
  });
  const ids = createIds(seed);
  const feed = createEventFeed();
  const { notify } = feed;
  const own: Service["settings"] = {
    hostname: HOSTS[0],
    mxHosts: HOSTS,
    secret: derivedSecret(seed, "secret"),
  };
  const zone = createDnsZone(store, own);
  const service: Service = {
    store,
    queue: createTimerQueue(clock, { onFailure: onDefect }),
    clock,
    ids,
    dns: settings.dns === "system" ? createSystemDns() : zone,
    outbound: createOutbound({ store, clock, ids, notify }, outboundOptions(settings)),
    settings: own,
    compiled: new Map(),
    compiler: createCompiler(),
    notify,
  };
  const start = {
    idSeed: seed,
    clock: () => ({ nowMs: nowMs ?? Date.now(), frozen: mode === "frozen" }),
  };
  return { service, clock, zone, feed, requests: createRequestLog(), start, onRestored };
}

/** Throws a `ServiceProblem` with paths for a world that is wrong. */
export async function assemble(settings: Settings): Promise<Assembly> {
  const { apiKey, onDefect, unknownFields, world, webhooks, relay } = settings;
  let api: Api | undefined;
  const parts = createParts(settings, () => {
    api = undefined;
  });
  const apiNow = (): Api => {
    api ??= createApi(parts.service, { apiKey, onDefect, unknownFields });
    return api;
  };
  const isInside = webhooks === "simulated" && relay === undefined;
  const settle = async (): Promise<void> => {
    if (isInside && parts.clock.frozen) await parts.clock.advance(0);
  };
  try {
    const control = await createControl(parts, world);
    return { settings, parts, control, api: apiNow, settle };
  } catch (problem) {
    parts.clock.close();
    throw problem;
  }
}
