/** A service over the memory store with a clock that stands, a simulated zone, and nobody to deliver to. */

import { expect } from "vitest";
import { createCompiler } from "../../../src/engine/routing/compile-domain.ts";
import { createSlots } from "../../../src/simulator/deliver/slots.ts";
import { createDnsZone, type DnsZone } from "../../../src/simulator/model/domains/dns-zone.ts";
import { createIds } from "../../../src/simulator/model/ids.ts";
import { ServiceProblem } from "../../../src/simulator/model/problem.ts";
import { seedWorld } from "../../../src/simulator/model/seed/seed-world.ts";
import type { World } from "../../../src/simulator/model/seed/world.ts";
import type { Service, ServiceEvent } from "../../../src/simulator/model/service.ts";
import { createSimulatedClock } from "../../../src/simulator/queue/simulated-clock.ts";
import { createTimerQueue } from "../../../src/simulator/queue/timer-queue.ts";
import { createMemoryStore } from "../../../src/simulator/store/memory-store.ts";

export const START_MS: number = Date.UTC(2026, 0, 31, 12);

export interface Fixture {
  readonly service: Service;
  readonly zone: DnsZone;
  readonly events: ServiceEvent[];
  /** Moves the clock on by a second. */
  tick(): void;
}

export const settings: Service["settings"] = {
  hostname: "mx1.mailflow.example",
  mxHosts: ["mx1.mailflow.example", "mx2.mailflow.example"],
  secret: "a secret of tests",
};

/** Without a world. */
export function emptyFixture(): Fixture {
  const store = createMemoryStore();
  const clock = createSimulatedClock({ realNowMs: () => START_MS, mode: "frozen" });
  const zone = createDnsZone(store, settings);
  const events: ServiceEvent[] = [];
  const service: Service = {
    store,
    queue: createTimerQueue(clock),
    clock,
    ids: createIds("tests"),
    dns: zone,
    outbound: { handOver: () => Promise.reject(new Error("nothing is delivered here")) },
    settings,
    compiled: new Map(),
    slots: createSlots(),
    compiler: createCompiler(),
    notify: (event) => {
      events.push(event);
    },
  };
  return { service, zone, events, tick: () => clock.set(clock.nowMs() + 1_000) };
}

export async function fixtureOf(world: World): Promise<Fixture> {
  const fixture = emptyFixture();
  await seedWorld(fixture.service, fixture.zone, world);
  fixture.events.length = 0;
  return fixture;
}

/** One domain with an alias, on a paid plan. */
export function exampleFixture(): Promise<Fixture> {
  const aliases = [{ alias: "sales", forward: "ann@mail.example" }];
  return fixtureOf({ domains: [{ domain: "example.com", aliases }] });
}

/** All that is stored; a table that has merely been named is nothing. */
export async function contentOf({ store }: Service): Promise<unknown> {
  const tables = Object.entries(await store.snapshot());
  return Object.fromEntries(tables.filter(([, rows]) => rows.length > 0));
}

/** The problem that `work` throws, after which the store is what it was before. */
export async function problemOf(
  service: Service,
  work: () => Promise<unknown>,
): Promise<ServiceProblem> {
  const before = await contentOf(service);
  const thrown = await work().then(
    (result) => expect.fail(`no problem, but ${JSON.stringify(result)}`),
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(ServiceProblem);
  expect(await contentOf(service)).toEqual(before);
  return thrown as ServiceProblem;
}

export const ALL = { limit: 1_000, offset: 0 } as const;
