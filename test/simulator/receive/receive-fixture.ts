/** A service whose queue runs and whose mail goes out to the simulated internet, with `example.com` in it. */

import { createCompiler } from "../../../src/engine/routing/compile-domain.ts";
import { destinationOf } from "../../../src/simulator/control/inbox/inbox.ts";
import { runTask } from "../../../src/simulator/deliver/deliver-tasks.ts";
import { createSlots } from "../../../src/simulator/deliver/slots.ts";
import { createDnsZone } from "../../../src/simulator/model/domains/dns-zone.ts";
import { createIds } from "../../../src/simulator/model/ids.ts";
import {
  CONTENTS,
  DELIVERIES,
  LOGS,
  type LogRow,
  RECEIVED,
  RECEIVED_CONTENTS,
  type ReceivedRow,
} from "../../../src/simulator/model/records.ts";
import { seedWorld } from "../../../src/simulator/model/seed/seed-world.ts";
import type { World } from "../../../src/simulator/model/seed/world.ts";
import type { Outbound, Service, ServiceEvent } from "../../../src/simulator/model/service.ts";
import {
  createOutbound,
  type OutboundOptions,
} from "../../../src/simulator/outbound/route-outbound.ts";
import type { SimulatedClock } from "../../../src/simulator/queue/clock.ts";
import { createSimulatedClock } from "../../../src/simulator/queue/simulated-clock.ts";
import { createTimerQueue } from "../../../src/simulator/queue/timer-queue.ts";
import { type RecipientAnswer, receive } from "../../../src/simulator/receive/receive.ts";
import { base64Of, octetsOf } from "../../../src/simulator/store/held-content.ts";
import { createMemoryStore } from "../../../src/simulator/store/memory-store.ts";
import { START_MS, settings } from "../model/fixture.ts";

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
    settings,
    notify: (event: ServiceEvent): void => {
      events.push(event);
    },
  };
  const service: Service = {
    ...outside,
    queue: createTimerQueue(clock),
    dns: zone,
    outbound: options.outbound ?? createOutbound(outside, options.ways),
    compiled: new Map(),
    slots: createSlots(),
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

export type Received = ReceivedRow & { readonly base64: string };

export async function allReceived({ service }: MailFixture): Promise<readonly Received[]> {
  const order = { column: "id", direction: "asc" } as const;
  const rows = await service.store.table(RECEIVED).find({ where: {}, order, limit: 100_000 });
  const contents = service.store.table(RECEIVED_CONTENTS);
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      destination: destinationOf(row),
      base64: base64Of(octetsOf((await contents.get(row.id))!)),
    })),
  );
}

export const textOf = ({ base64 }: Received): string =>
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
