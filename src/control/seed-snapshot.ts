/** A world as a snapshot: it is built apart, so that a wrong one changes nothing, and put in place at once. */

import { createSimulatedClock } from "../queue/simulated-clock.ts";
import { createTimerQueue } from "../queue/timer-queue.ts";
import { createCompiler } from "../routing/compiler.ts";
import { createDnsZone } from "../service/dns-zone.ts";
import { createIds } from "../service/ids.ts";
import { seedWorld } from "../service/seed-world.ts";
import type { Service } from "../service/service.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { Parts } from "./parts.ts";
import { type SimulatorSnapshot, snapshotOf } from "./snapshot.ts";

/** Throws 400 for a world that is wrong, with errors under paths such as `domains[0].rules[2].config.regex`. */
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
    compiler: createCompiler(),
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
