/** Several simulators on one PostgreSQL: what one of them does, all of them know. */
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createSimulator, type Simulator } from "../../../src/simulator/index.ts";
import {
  dropNamespaces,
  hasPostgres,
  newNamespace,
  POSTGRES_URL,
} from "../../contract/databases.ts";
import { ask, json } from "../flow/api.ts";

const namespaces: string[] = [];
const open = new Set<Simulator>();

const WORLD = {
  domains: [{ domain: "one.test", aliases: [{ alias: "ann", forward: "ann@before.example" }] }],
};

async function node(namespace: string): Promise<Simulator> {
  const store = { kind: "postgres", url: POSTGRES_URL, namespace } as const;
  const onDefect = (defect: unknown): void => {
    throw defect;
  };
  const simulator = await createSimulator({ store, world: WORLD, clock: "running", onDefect });
  open.add(simulator);
  return simulator;
}

async function nodes(): Promise<[Simulator, Simulator]> {
  const namespace = newNamespace();
  namespaces.push(namespace, `${namespace}_queue`);
  return Promise.all([node(namespace), node(namespace)]);
}

const MESSAGE = "From: a@b.example\nSubject: s\n\ntext";

const mail = (simulator: Simulator): ReturnType<Simulator["receive"]> =>
  simulator.receive({
    envelope: { sender: "a@b.example", recipients: ["ann@one.test"] },
    message: MESSAGE,
  });

/** Asks until it holds, for at most some seconds. */
async function eventually(check: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await check();
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

describe.skipIf(!hasPostgres)("two nodes on one PostgreSQL", () => {
  afterEach(async () => {
    await Promise.all([...open].map((simulator) => simulator.close()));
    open.clear();
  });
  afterAll(() => dropNamespaces(namespaces));

  test("that start at once on nothing have one world and one API key", async () => {
    const [a, b] = await nodes();
    expect(a.apiKey).toBe(b.apiKey);
    expect(await json(a, "/v4/domains")).toEqual(await json(b, "/v4/domains"));
  });

  test("a rule changed on one is live on the other", async () => {
    const [a, b] = await nodes();
    expect((await mail(b))[0]!.destinations).toEqual(["ann@before.example"]);
    const path = "/v4/domains/one.test/aliases";
    const { aliases } = await json<{ aliases: { id: string; alias: string }[] }>(a, path);
    const { id } = aliases.find(({ alias }) => alias === "ann")!;
    const changed = await ask(a, "PUT", `${path}/${id}`, {
      forward: "ann@after.example",
    });
    expect(changed.status, changed.text).toBe(200);
    await eventually(async () => {
      expect((await mail(b))[0]!.destinations).toEqual(["ann@after.example"]);
    });
  });

  test("mail in at one is delivered once, by either, and seen on both", async () => {
    const [a, b] = await nodes();
    for (let count = 0; count < 10; count++) await mail(count % 2 === 0 ? a : b);
    for (const each of [a, b]) {
      await eventually(async () => {
        expect(await each.control.messages()).toHaveLength(10);
      });
    }
  });

  test("the event stream is complete on each, and the same", async () => {
    const [a, b] = await nodes();
    const over = new AbortController();
    const seen = [a, b].map(async ({ control }) => {
      const events = [];
      for await (const event of control.events({ after: 0, signal: over.signal })) {
        if (event.kind !== "restored") events.push(`${event.id} ${event.kind} ${event.of}`);
      }
      return events;
    });
    for (let count = 0; count < 5; count++) await mail(count % 2 === 0 ? a : b);
    await eventually(async () => {
      expect(await a.control.messages()).toHaveLength(5);
      const logs = await json<{ logs: { events: object[] }[] }>(b, "/v4/domains/one.test/logs");
      expect(logs.logs.map(({ events }) => events.length)).toEqual([2, 2, 2, 2, 2]);
    });
    await new Promise((resolve) => setTimeout(resolve, 700));
    over.abort();
    const [onA, onB] = await Promise.all(seen);
    expect(onA).toEqual(onB);
    // Five entries, each told when it came and when it was delivered, and five messages.
    expect(onA).toHaveLength(15);
  });

  test("what a node that closes has not delivered yet is delivered by the other at once", async () => {
    const [a, b] = await nodes();
    await Promise.all(Array.from({ length: 30 }, () => mail(a)));
    const beganMs = performance.now();
    await a.close();
    open.delete(a);
    await eventually(async () => {
      expect(await b.control.messages()).toHaveLength(30);
    });
    // Sooner than a node that is silent counts as gone.
    expect(performance.now() - beganMs).toBeLessThan(LIMITS.nodeSilentMs);
  });

  test("requests are counted together", async () => {
    const [a, b] = await nodes();
    const left = [];
    for (const each of [a, b, a, b]) {
      const { headers } = await ask(each, "GET", "/v4/domains");
      left.push(Number(headers.get("x-ratelimit-remaining")));
    }
    expect(left).toEqual([199, 198, 197, 196]);
  });

  test("ids of the two never meet", async () => {
    const [a, b] = await nodes();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => mail(at % 2 === 0 ? a : b)),
    );
    expect(new Set(answers.flatMap(([answer]) => answer!.logIds)).size).toBe(20);
  });
});
