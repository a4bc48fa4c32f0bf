/** Slots of a destination host: two nodes together never hand over more at once than one alone may. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import {
  freeSlot,
  HOST_SLOTS,
  HOST_WAITING,
  takeSlot,
} from "../../../src/simulator/deliver/shared-slots.ts";
import { createSimulator, type Simulator } from "../../../src/simulator/index.ts";
import {
  dropNamespaces,
  hasPostgres,
  newNamespace,
  POSTGRES_URL,
} from "../../contract/databases.ts";
import { emptyFixture } from "../model/fixture.ts";

const ANSWER_MS = 60;
/** At each node. */
const MESSAGES = 30;

const namespace = newNamespace();
const ends: (() => unknown)[] = [];

/** A server that takes its time, and counts how many wait for it at once. */
async function slowServer(): Promise<{ url: string; most: () => number; paths: string[] }> {
  let [now, most] = [0, 0];
  const paths: string[] = [];
  const server = createServer((request, response) => {
    now++;
    most = Math.max(most, now);
    paths.push(request.url!);
    setTimeout(() => {
      now--;
      response.end();
    }, ANSWER_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    most: () => most,
    paths,
  };
}

async function node(url: string): Promise<Simulator> {
  const simulator = await createSimulator({
    store: { kind: "postgres", url: POSTGRES_URL, namespace },
    clock: "running",
    webhooks: "any",
    world: {
      domains: [
        {
          domain: "one.test",
          // Events go to the same host, and count for it, too.
          webhook: `${url}/event`,
          aliases: [{ alias: "slow", forward: `${url}/mail` }],
        },
      ],
    },
  });
  ends.push(() => simulator.close());
  return simulator;
}

async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + 50_000;
  while (!(await holds())) {
    if (performance.now() > untilMs) throw new Error("it did not come true");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe.skipIf(!hasPostgres)("two nodes and one slow host", () => {
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(() => dropNamespaces([namespace, `${namespace}_queue`]));

  test("share its slots, use all of them, and deliver everything once", {
    timeout: 120_000,
  }, async () => {
    const { url, most, paths } = await slowServer();
    const nodes = [await node(url), await node(url)];
    const mail = (simulator: Simulator, at: number) =>
      simulator.receive({
        envelope: { sender: "x@y.example", recipients: ["slow@one.test"] },
        message: `Subject: ${at}\n\ntext`,
      });
    await Promise.all(
      nodes.flatMap((each, at) =>
        Array.from({ length: MESSAGES }, (_, turn) => mail(each, at * MESSAGES + turn)),
      ),
    );
    const mails = (): number => paths.filter((path) => path === "/mail").length;
    await eventually(() => mails() >= 2 * MESSAGES);
    expect(mails()).toBe(2 * MESSAGES);
    expect(most()).toBe(LIMITS.hostSlotsMax);
    // Two events of each message, and nothing is left of slots.
    await eventually(() => paths.length >= 6 * MESSAGES);
    await eventually(async () => {
      const { store } = await nodes[0]!.control.snapshot();
      return store.hostSlots === undefined && store.hostWaiting === undefined;
    });
    expect(paths).toHaveLength(6 * MESSAGES);
    expect(most()).toBe(LIMITS.hostSlotsMax);
  });
});

describe("slots of a host", () => {
  const task = (id: string) => ({ id, atMs: 0, payload: { id } });
  const idsOf = (tasks: readonly { id: string }[]): string[] => tasks.map(({ id }) => id);

  test("are given to those that waited longest, and forgotten when all are free", async () => {
    const { service, tick } = emptyFixture();
    const take = (id: string) => takeSlot(service, { host: "a", task: task(id), slotsMax: 2 });
    const free = async (id: string) => idsOf(await freeSlot(service, "a", id));
    expect([await take("1"), await take("2")]).toEqual(["taken", "taken"]);
    // Asked again, for the same task: it has its slot already.
    expect(await take("2")).toBe("taken");
    for (const id of ["3", "4", "5", "4"]) {
      tick();
      expect(await take(id)).toBe("waits");
    }
    expect(await takeSlot(service, { host: "b", task: task("6"), slotsMax: 1 })).toBe("taken");
    expect(await free("none")).toEqual([]);
    expect(await free("1")).toEqual(["3", "4", "5"]);
    expect(await take("3")).toBe("taken");
    expect(await take("4")).toBe("waits");
    expect(await free("2")).toEqual(["4"]);
    expect(await take("4")).toBe("taken");
    expect([await free("3"), await free("4")]).toEqual([[], []]);
    expect(await freeSlot(service, "b", "6")).toEqual([]);
    expect(await service.store.table(HOST_SLOTS).count({ where: {} })).toBe(0);
    expect(await service.store.table(HOST_WAITING).count({ where: {} })).toBe(0);
  });

  test("that are not given back end by themselves", async () => {
    const { service } = emptyFixture();
    const take = (id: string) => takeSlot(service, { host: "a", task: task(id), slotsMax: 1 });
    expect(await take("1")).toBe("taken");
    expect(await take("2")).toBe("waits");
    const later = {
      ...service,
      clock: { ...service.clock, nowMs: () => Date.UTC(2026, 0, 31, 12) + LIMITS.slotLeaseMs },
    };
    expect(await takeSlot(later, { host: "a", task: task("2"), slotsMax: 1 })).toBe("taken");
    expect(await freeSlot(later, "a", "1")).toEqual([]);
    expect(idsOf(await freeSlot(later, "a", "2"))).toEqual([]);
    expect(await service.store.table(HOST_SLOTS).count({ where: {} })).toBe(0);
  });
});
