/** Destinations do not wait for each other: slots and circuits per host, closing, faults of webhooks, own domains. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { hostRow, noteReach } from "../../../src/simulator/deliver/breakers.ts";
import { createSlots } from "../../../src/simulator/deliver/slots.ts";
import {
  createSimulator,
  type Simulator,
  type SimulatorOptions,
} from "../../../src/simulator/index.ts";
import { HOSTS } from "../../../src/simulator/model/records.ts";
import type { Service } from "../../../src/simulator/model/service.ts";
import { isPublicAddress } from "../../../src/simulator/outbound/public-address.ts";
import { createMemoryStore } from "../../../src/simulator/store/memory-store.ts";
import { json } from "../client.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(options: SimulatorOptions): Promise<Simulator> {
  const simulator = await createSimulator(options);
  ends.push(() => simulator.close());
  return simulator;
}

/** A server that takes requests and never answers. */
async function hangingServer(): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer(() => {
    asked++;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`,
    asked: () => asked,
  };
}

function send(simulator: Simulator, recipient: string, subject: string = "x"): Promise<unknown> {
  const envelope = { sender: "ann@source.test", recipients: [recipient] };
  return simulator.receive({ envelope, message: `Subject: ${subject}\n\nx` });
}

interface Breakers {
  readonly breakers: readonly { host: string; state: string; running: number; waiting: number }[];
}

test("a host has a few slots, the rest of its mail waits, and other hosts go on", () => {
  const slots = createSlots();
  const task = (id: string) => ({ id, atMs: 0, payload: {} });
  expect([1, 2, 3].map((id) => slots.take("a", task(`${id}`), 2, 1))).toEqual([true, true, false]);
  expect(slots.take("b", task("4"), 2, 1)).toBe(true);
  expect(slots.loads()).toEqual([
    { host: "a", running: 2, waiting: 1 },
    { host: "b", running: 1, waiting: 0 },
  ]);
  expect(slots.giveBack("a", 1).map(({ id }) => id)).toEqual(["3"]);
  expect(slots.take("a", task("3"), 2, 1)).toBe(true);
  expect(slots.giveBack("b", 1)).toEqual([]);
});

test("300 hanging webhooks keep no other mail waiting, and closing keeps its time", async () => {
  const { url, asked } = await hangingServer();
  const simulator = await open({
    webhooks: "any",
    world: {
      domains: [
        {
          domain: "own.test",
          aliases: [
            { alias: "hang", forward: url },
            { alias: "fine", forward: "ann@dest.test" },
          ],
        },
      ],
    },
  });
  for (let at = 0; at < 300; at++) await send(simulator, "hang@own.test");
  const waiting = simulator.control.waitForMessage({ subject: "fine" }, { timeoutMs: 1_000 });
  await send(simulator, "fine@own.test", "fine");
  expect((await waiting).destination).toBe("ann@dest.test");
  expect(asked()).toBeLessThanOrEqual(4);
  const { breakers } = await json<Breakers>(simulator, "GET /_sim/breakers");
  expect(breakers).toMatchObject([{ state: "closed", running: 4, waiting: 296 }]);
  await simulator.close();
});

test("breaker-pauses: five attempts without an answer open a circuit; one try closes it again", async () => {
  const simulator = await open({
    world: { domains: [{ domain: "own.test", aliases: [{ alias: "*", forward: "a@down.test" }] }] },
  });
  const fault = await simulator.control.faults.add({
    match: "*@down.test",
    stage: "connect",
    code: 451,
  });
  for (let at = 0; at < 8; at++) await send(simulator, "x@own.test", `mail ${at}`);
  const logs = async (): Promise<number[]> => {
    const { logs: all } = await json<{ logs: { events: object[] }[] }>(
      simulator,
      "GET /v4/domains/own.test/logs",
    );
    return all.map(({ events }) => events.length).reverse();
  };
  expect(await logs()).toEqual([2, 2, 2, 2, 2, 1, 1, 1]);
  const state = async (): Promise<string | undefined> =>
    (await json<Breakers>(simulator, "GET /_sim/breakers")).breakers[0]?.state;
  expect(await state()).toBe("open");
  await simulator.control.faults.remove(fault.id);
  await simulator.clock.advance(59_000);
  expect(await state()).toBe("open");
  await simulator.clock.advance(1_000);
  expect(await state()).toBeUndefined();
  expect(await logs()).toEqual([2, 2, 2, 2, 2, 2, 2, 2]);
  await simulator.clock.advance(300_000);
  expect(await simulator.control.messages()).toHaveLength(8);
});

test("a new host that does not answer takes the place of the one whose pause ends first", async () => {
  const store = createMemoryStore();
  const table = store.table(HOSTS);
  for (let nth = 0; nth < LIMITS.breakersMax; nth++) {
    const openUntilMs = nth === 0 ? null : 10_000 + ((nth * 7) % LIMITS.breakersMax);
    await table.insert({ host: `h${nth}`, failures: 5, openUntilMs, reason: "gone" });
  }
  const service = { store, clock: { nowMs: () => 20_000_000 } } as unknown as Service;
  const first = await table.find({
    where: {},
    order: { column: "openUntilMs", direction: "asc" },
    limit: 1,
  });
  await noteReach(service, "new.test", "unreached", "no route");
  expect(await hostRow(service, "new.test")).toMatchObject({ failures: 1, openUntilMs: null });
  expect(await hostRow(service, first[0]!.host)).toBeUndefined();
  expect(await table.count({ where: {} })).toBe(LIMITS.breakersMax);
});

test("a circuit is closed by hand", async () => {
  const simulator = await open({
    world: { domains: [{ domain: "own.test", aliases: [{ alias: "*", forward: "a@down.test" }] }] },
  });
  await simulator.control.faults.add({
    match: "*@down.test",
    stage: "connect",
    code: 451,
    times: 5,
  });
  for (let at = 0; at < 5; at++) await send(simulator, "x@own.test");
  await json(simulator, "DELETE /_sim/breakers?host=down.test", { status: 204 });
  expect((await json<Breakers>(simulator, "GET /_sim/breakers")).breakers).toEqual([]);
  await json(simulator, "DELETE /_sim/breakers?host=down.test", { status: 404 });
});

test("a fault of a webhook takes an HTTP status, and means what that means", async () => {
  const simulator = await open({
    world: {
      domains: [{ domain: "own.test", aliases: [{ alias: "*", forward: "https://hooks.test/x" }] }],
    },
  });
  const outcomes: unknown[] = [];
  for (const code of [204, 302, 404, 500]) {
    await simulator.control.faults.clear();
    await simulator.control.faults.add({ match: "https://hooks.test/*", code, times: 1 });
    await send(simulator, "x@own.test");
    const { logs } = await json<{
      logs: { events: { status: string; code: number; message: string }[] }[];
    }>(simulator, "GET /v4/domains/own.test/logs?limit=1");
    const { status, code: logged, message } = logs[0]!.events[1]!;
    outcomes.push([status, logged, message.split(" simulated")[0]]);
  }
  expect(outcomes).toEqual([
    ["DELIVERED", 250, "HTTP 204"],
    ["SOFT-BOUNCE", 450, "HTTP 302"],
    ["SOFT-BOUNCE", 450, "HTTP 404"],
    ["SOFT-BOUNCE", 450, "HTTP 500"],
  ]);
  await expect(simulator.control.faults.add({ match: "*@dest.test", code: 302 })).rejects.toThrow(
    "a mailbox answers",
  );
});

describe("own-domains: mail for another domain of the account", () => {
  const WORLD = {
    domains: [
      { domain: "one.test", aliases: [{ alias: "a", forward: "b@two.test" }] },
      { domain: "two.test", aliases: [{ alias: "b", forward: "out@dest.test" }] },
      { domain: "ring.test", aliases: [{ alias: "x", forward: "y@back.test" }] },
      { domain: "back.test", aliases: [{ alias: "y", forward: "x@ring.test" }] },
    ],
  };

  test("is routed there, once, and logged there", async () => {
    const simulator = await open({ world: WORLD });
    await send(simulator, "a@one.test", "chained");
    const arrived = await simulator.control.messages();
    expect(arrived.map(({ destination }) => destination)).toEqual(["out@dest.test"]);
    const { logs } = await json<{ logs: { recipient: { email: string } }[] }>(
      simulator,
      "GET /v4/domains/two.test/logs",
    );
    expect(logs.map(({ recipient }) => recipient.email)).toEqual(["b@two.test"]);
    const { text } = await simulator.control.message(arrived[0]!.id);
    expect(text.match(/^Delivered-To: .*/gm)).toEqual([
      "Delivered-To: b@two.test",
      "Delivered-To: a@one.test",
    ]);
  });

  test("ends where it would go round", async () => {
    const simulator = await open({ world: WORLD });
    await send(simulator, "x@ring.test");
    expect(await simulator.control.messages()).toEqual([]);
    const { logs } = await json<{ logs: { events: { status: string; code: number }[] }[] }>(
      simulator,
      "GET /v4/domains/back.test/logs",
    );
    expect(logs[0]!.events.at(-1)).toMatchObject({ status: "HARD-BOUNCE", code: 554 });
  });

  test("that it does not take bounces with its answer", async () => {
    const world = { domains: [...WORLD.domains.slice(0, 1), { domain: "two.test", aliases: [] }] };
    const simulator = await open({ world });
    await send(simulator, "a@one.test");
    const { logs } = await json<{ logs: { events: { status: string; code: number }[] }[] }>(
      simulator,
      "GET /v4/domains/one.test/logs",
    );
    expect(logs[0]!.events.at(-1)).toMatchObject({ status: "HARD-BOUNCE", code: 550 });
  });
});

test("postmaster: mail for the postmaster without a domain goes to the account", async () => {
  const simulator = await open({ world: { domains: [{ domain: "own.test" }] } });
  await send(simulator, "Postmaster", "help");
  const [message] = await simulator.control.messages();
  expect(message).toMatchObject({ destination: "owner@account.example", subject: "help" });
});

test.each([
  ["::127.0.0.1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:10.0.0.1", false],
  ["64:ff9b::7f00:1", false],
  ["2002:7f00:1::", false],
  ["::1", false],
  ["::", false],
  ["fc00::1", false],
  ["fe80::1", false],
  ["fec0::1", false],
  ["2001:db8::1", false],
  ["5f00::1", false],
  ["127.1", false],
  ["0x7f.1", false],
  ["2130706433", false],
  ["169.254.169.254", false],
  ["168.63.129.16", false],
  ["100.64.0.1", false],
  ["8.8.8.8", true],
  ["2606:4700::1111", true],
])("%s is public: %s", (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

test("forwarding-service, authentication-results: what a forwarder adds says what it did, and nothing more", async () => {
  const simulator = await open({
    world: { domains: [{ domain: "own.test", aliases: [{ alias: "*", forward: "a@dest.test" }] }] },
  });
  await send(simulator, "x@own.test");
  const [message] = await simulator.control.messages();
  const { text } = await simulator.control.message(message!.id);
  expect(text).toContain("X-Forwarding-Service: mailflow\r\n");
  expect(text).toMatch(
    /\r\nAuthentication-Results: [\w.]+; spf=none smtp\.mailfrom=ann@source\.test; dkim=none; dmarc=none\r\n/,
  );
  expect(text).toMatch(
    /\r\nReceived-SPF: none \([\w.]+: not checked\) envelope-from="ann@source\.test"\r\n/,
  );
});

test("what a forwarder adds is in what a webhook is sent", async () => {
  const simulator = await open({
    world: {
      domains: [
        { domain: "own.test", aliases: [{ alias: "*", forward: "https://hooks.test/in" }] },
      ],
    },
  });
  const fields = ["Subject: x", "From: ann@source.test", "To: x@own.test", "Cc: c@own.test"];
  const more = [
    "Date: Fri, 20 Nov 2026 09:00:00 +0000",
    "Message-ID: <1@source.test>",
    "mime-version: 1.0",
  ];
  const message = [...fields, ...more, "", "x"].join("\n");
  const envelope = { sender: "ann@source.test", recipients: ["x@own.test"] };
  await simulator.receive({ envelope, message });
  const [sent] = await simulator.control.messages();
  const { text } = await simulator.control.message(sent!.id);
  const { headers, "return-path": returnPath, timestamp } = JSON.parse(text);
  expect(headers).toEqual({
    "Delivered-To": "x@own.test",
    "X-Forwarding-Service": "mailflow",
    Received: [expect.stringContaining("by ")],
    "Received-SPF": [expect.stringMatching(/^none /)],
    "Authentication-Results": [expect.stringContaining("spf=none")],
    "Mime-Version": "1.0",
  });
  expect(returnPath).toEqual({ name: null, email: "ann@source.test" });
  expect(Number.isInteger(timestamp)).toBe(true);
});

test.each([
  ["order-7", "/in/order-7/post"],
  ["..7", "/in/..7/post"],
  ["a/../../b", "/in/a%2F..%2F..%2Fb/post"],
  ["..", null],
  [".", null],
  ["%2e%2e", "/in/%252e%252e/post"],
  [".%2E", "/in/.%252E/post"],
  ["..?x#y", "/in/..%3Fx%23y/post"],
  ["..\\", "/in/..%5C/post"],
])("captured `%s` is one segment of a webhook's path, or nothing: %s", async (captured, path) => {
  const forward = "https://hooks.test/in/$1/post";
  const config = { regex: "^to (.*)$", scopes: ["subject"], forward };
  const domain = {
    domain: "own.test",
    routing_engine: "rules",
    rules: [{ type: "regex", config }],
  };
  const simulator = await open({ world: { domains: [domain] } });
  await send(simulator, "x@own.test", `to ${captured}`);
  const urls = (await simulator.control.messages()).map(({ destination }) => destination);
  expect(urls.map((url) => new URL(url).href)).toEqual(
    path === null ? [] : [`https://hooks.test${path}`],
  );
});

test("notifications: nobody is notified, neither of a bounce nor of refused mail", async () => {
  const domain = {
    domain: "own.test",
    notification_email: "boss@notify.test",
    notify_when_spam_blocked: true,
    aliases: [{ alias: "bad", forward: "550@bounce.test" }],
  };
  const simulator = await open({ world: { domains: [domain] } });
  await send(simulator, "bad@own.test");
  await send(simulator, "absent@own.test");
  expect(await simulator.control.messages()).toEqual([]);
});
