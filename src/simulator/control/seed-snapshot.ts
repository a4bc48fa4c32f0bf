/** Builds a world as a snapshot, apart from the running state, so that an invalid world changes nothing. */

import { createCompiler } from "../../engine/routing/compile-domain.ts";
import { createSlots } from "../deliver/slots.ts";
import { createDnsZone } from "../model/domains/dns-zone.ts";
import { createIds } from "../model/ids.ts";
import { seedWorld } from "../model/seed/seed-world.ts";
import type { Service } from "../model/service.ts";
import { createSimulatedClock } from "../queue/simulated-clock.ts";
import { createTimerQueue } from "../queue/timer-queue.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { Parts } from "./parts.ts";
import { type SimulatorSnapshot, snapshotOf } from "./snapshot.ts";

/** Throws 400 for an invalid world, with errors under paths such as `domains[0].rules[2].config.regex`. */
export async function seedSnapshot(
  { service, zone, start }: Pick<Parts, "service" | "zone" | "start">,
  world: unknown,
): Promise<SimulatorSnapshot> {
  const reading = start.clock();
  const store = createMemoryStore();
  const { nowMs } = reading;
  const clock = createSimulatedClock({ realNowMs: () => nowMs, mode: "frozen" });
  const apart = createDnsZone(store, service.settings);
  const scratch: Service = {
    ...service,
    store,
    clock,
    queue: createTimerQueue(clock),
    ids: createIds(start.idSeed),
    dns: service.dns === zone ? apart : service.dns,
    compiled: new Map(),
    slots: createSlots(),
    compiler: createCompiler({
      ruleTypes: service.ruleTypes,
      domainFuelMax: Number.POSITIVE_INFINITY,
    }),
    notify: () => {},
  };
  try {
    await seedWorld(scratch, apart, world);
    return { ...(await snapshotOf(scratch, apart)), clock: reading };
  } finally {
    clock.close();
    await store.close();
  }
}
