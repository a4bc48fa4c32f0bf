/** The API over a service in memory, and a client that holds every answer to the OpenAPI document. */

import { createCompiler } from "../../../src/engine/routing/compile-domain.ts";
import { type ApiOptions, createApi } from "../../../src/simulator/api/app.ts";
import { runTask } from "../../../src/simulator/deliver/deliver-tasks.ts";
import { createSlots } from "../../../src/simulator/deliver/slots.ts";
import { createDnsZone, type DnsZone } from "../../../src/simulator/model/domains/dns-zone.ts";
import { createIds } from "../../../src/simulator/model/ids.ts";
import { seedWorld } from "../../../src/simulator/model/seed/seed-world.ts";
import type { World } from "../../../src/simulator/model/seed/world.ts";
import type { Service } from "../../../src/simulator/model/service.ts";
import type { SimulatedClock } from "../../../src/simulator/queue/clock.ts";
import { createSimulatedClock } from "../../../src/simulator/queue/simulated-clock.ts";
import { createTimerQueue } from "../../../src/simulator/queue/timer-queue.ts";
import { receive } from "../../../src/simulator/receive/receive.ts";
import { createMemoryStore } from "../../../src/simulator/store/memory-store.ts";
import { holdToDocument } from "./hold-to-document.ts";

export const START_MS: number = Date.UTC(2026, 10, 20, 9, 0, 0, 250);
export const API_KEY = "k3y";
export const WINDOW_MS = 60_000;

export type Fields = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** As it was sent; `""`: none. */
  readonly text: string;
  /** The parsed JSON; `{}` when there is none. */
  readonly body: Fields;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array | ReadableStream<Uint8Array> | FormData;
}

export interface Site {
  readonly service: Service;
  readonly clock: SimulatedClock;
  readonly zone: DnsZone;
  /** What went wrong on our side. */
  readonly defects: unknown[];
  /** With the account's key unless the headers have another; `path` begins with the version. */
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  /** A message comes in and is delivered. */
  receive(recipient: string, subject: string, sender?: string): Promise<void>;
}

const settings: Service["settings"] = {
  hostname: "mx1.mailflow.example",
  mxHosts: ["mx1.mailflow.example", "mx2.mailflow.example"],
  secret: "a secret of tests",
};

/** One domain that routes by alias, with something of everything. */
export const EXAMPLE: World = {
  whitelabels: ["brand.example"],
  domains: [
    {
      domain: "own.test",
      aliases: [
        { alias: "info", forward: "info@dest.test" },
        { alias: "sales", forward: "sales@dest.test, https://hooks.test/in" },
      ],
      rules: [
        {
          id: "6f1c2f0e-4b58-4d0c-9a55-0c9d1c8b7a10",
          type: "regex",
          config: { regex: "^Re:", scopes: ["subject"], forward: "re@dest.test" },
        },
        {
          id: "7a1c2f0e-4b58-4d0c-9a55-0c9d1c8b7a10",
          type: "alias",
          config: { alias: "info", forward: "rule@dest.test" },
          active: false,
        },
      ],
      credentials: [{ username: "info", password: "s3cret-enough" }],
      templates: [{ name: "welcome", subject: "Hello {{name}}", text_body: "Dear {{name}}" }],
    },
  ],
};

export const FREE: World["plan"] = { name: "free", kind: "free", price: 0 };

function serviceOf(clock: SimulatedClock): { service: Service; zone: DnsZone } {
  const store = createMemoryStore();
  const zone = createDnsZone(store, settings);
  const service: Service = {
    store,
    queue: createTimerQueue(clock),
    clock,
    ids: createIds("tests"),
    dns: zone,
    outbound: {
      handOver: async () => ({ code: 250, message: "2.0.0 taken", server: "mx.dest.test" }),
    },
    settings,
    compiled: new Map(),
    slots: createSlots(),
    compiler: createCompiler(),
    notify: () => {},
  };
  return { service, zone };
}

export async function openSite(
  world: World = EXAMPLE,
  options: Partial<ApiOptions> = {},
): Promise<Site> {
  const clock = createSimulatedClock({ realNowMs: () => START_MS, mode: "frozen" });
  const { service, zone } = serviceOf(clock);
  await seedWorld(service, zone, world);
  await service.queue.start((task) => runTask(service, task));
  const defects: unknown[] = [];
  const onDefect = (defect: unknown): void => {
    defects.push(defect);
  };
  const api = createApi(service, { apiKey: API_KEY, onDefect, ...options });

  async function send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const headers = new Headers({
      authorization: `Basic ${Buffer.from(`api:${API_KEY}`).toString("base64")}`,
    });
    if (sent.json !== undefined) headers.set("content-type", "application/json");
    for (const [name, value] of Object.entries(sent.headers ?? {})) headers.set(name, value);
    const body = sent.json === undefined ? sent.raw : JSON.stringify(sent.json);
    const init = { method, headers, ...(body === undefined ? {} : { body, duplex: "half" }) };
    const response = await api.fetch(new Request(`http://api.test${path}`, init as RequestInit));
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: text === "" ? {} : JSON.parse(text),
    };
    await holdToDocument(api, { method, path }, answer);
    return answer;
  }

  return {
    service,
    clock,
    zone,
    defects,
    send,
    async receive(recipient, subject, sender = "ann@source.test") {
      const text = `From: Ann <${sender}>\r\nTo: ${recipient}\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replace(/\W+/g, ".")}@source.test>\r\n\r\nHello.\r\n`;
      const message = new TextEncoder().encode(text);
      await receive(service, { envelope: { sender, recipients: [recipient] }, message });
      await clock.advance(1_000);
    },
  };
}
