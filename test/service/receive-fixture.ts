/** A service whose queue runs and whose mail goes out to the simulated internet, with `example.com` in it. */

import { createOutbound, type OutboundOptions } from "../../src/outbound/route-outbound.ts";
import type { SimulatedClock } from "../../src/queue/clock.ts";
import { createSimulatedClock } from "../../src/queue/simulated-clock.ts";
import { createTimerQueue } from "../../src/queue/timer-queue.ts";
import { createCompiler } from "../../src/routing/compiler.ts";
import { runTask } from "../../src/service/deliver-tasks.ts";
import { createDnsZone } from "../../src/service/dns-zone.ts";
import { createIds } from "../../src/service/ids.ts";
import { type RecipientAnswer, receive } from "../../src/service/receive.ts";
import {
  CONTENTS,
  DELIVERIES,
  LOGS,
  type LogRow,
  RECEIVED,
  type ReceivedRow,
} from "../../src/service/records.ts";
import { seedWorld } from "../../src/service/seed-world.ts";
import type { Outbound, Service, ServiceEvent } from "../../src/service/service.ts";
import type { World } from "../../src/service/world.ts";
import { createMemoryStore } from "../../src/store/memory-store.ts";
import { START_MS, settings } from "./fixture.ts";

export interface MailFixture {
  readonly service: Service;
  readonly clock: SimulatedClock;
  readonly events: ServiceEvent[];
}

export interface MailFixtureOptions {
  readonly outbound?: Outbound;
  readonly ways?: OutboundOptions;
  readonly queue?: "running" | "stopped";
}

export const ALIASES_WORLD: World = {
  domains: [
    {
      domain: "example.com",
      aliases: [
        { alias: "sales", forward: "ann@mail.example, bob@mail.example" },
        { alias: "one", forward: "ann@mail.example" },
        { alias: "drop", forward: "null" },
        { alias: "hook", forward: "https://hooks.example/in" },
        { alias: "busy", forward: "450@bounce.test" },
        { alias: "gone", forward: "550@bounce.test" },
      ],
      credentials: [{ username: "sales", password: "s3cret-enough" }],
    },
  ],
};

export async function mailFixture(
  world: World = ALIASES_WORLD,
  options: MailFixtureOptions = {},
): Promise<MailFixture> {
  const store = createMemoryStore();
  const clock = createSimulatedClock({ realNowMs: () => START_MS, mode: "frozen" });
  const zone = createDnsZone(store, settings);
  const events: ServiceEvent[] = [];
  const outside = {
    store,
    clock,
    ids: createIds("tests"),
    notify: (event: ServiceEvent): void => {
      events.push(event);
    },
  };
  const service: Service = {
    ...outside,
    queue: createTimerQueue(clock),
    dns: zone,
    outbound: options.outbound ?? createOutbound(outside, options.ways),
    settings,
    compiled: new Map(),
    compiler: createCompiler(),
  };
  await seedWorld(service, zone, world);
  events.length = 0;
  if (options.queue !== "stopped") await service.queue.start((task) => runTask(service, task));
  return { service, clock, events };
}

export const SENDER = "author@source.example";

export function messageOf(subject: string, fields: readonly string[] = []): Buffer {
  const lines = [
    `From: "Author, An" <${SENDER}>`,
    "To: Sales People <sales@example.com>",
    `Subject: ${subject}`,
    "Message-ID: <1@source.example>",
    ...fields,
    "",
    `About ${subject}.`,
    "",
  ];
  return Buffer.from(lines.join("\r\n"));
}

/** Hands a message in for these recipients of the example domain. */
export function receiveFor(
  { service }: MailFixture,
  recipients: readonly string[],
  message: Uint8Array = messageOf("greetings"),
  sender: string = SENDER,
): Promise<readonly RecipientAnswer[]> {
  return receive(service, { envelope: { sender, recipients }, message });
}

export async function allLogs({ service }: MailFixture): Promise<readonly LogRow[]> {
  const order = { column: "id", direction: "asc" } as const;
  return service.store.table(LOGS).find({ where: {}, order, limit: 100_000 });
}

export async function allReceived({ service }: MailFixture): Promise<readonly ReceivedRow[]> {
  const order = { column: "id", direction: "asc" } as const;
  return service.store.table(RECEIVED).find({ where: {}, order, limit: 100_000 });
}

export const textOf = ({ base64 }: ReceivedRow): string =>
  Buffer.from(base64, "base64").toString("latin1");

/** Deliveries and contents that are still kept. */
export async function leftOver({ service }: MailFixture): Promise<readonly [number, number]> {
  const { store } = service;
  return [
    await store.table(DELIVERIES).count({ where: {} }),
    await store.table(CONTENTS).count({ where: {} }),
  ];
}

export const statusesOf = (log: LogRow): string[] => log.events.map(({ status }) => status);
