/** Snapshots taken from one kind of store and restored into another: everything is there, both ways. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createSimulator, type Simulator, type StoreOption } from "../../../src/simulator/index.ts";
import {
  dropNamespaces,
  hasPostgres,
  newNamespace,
  POSTGRES_URL,
} from "../../contract/databases.ts";
import { json } from "../flow/api.ts";

const namespace = newNamespace();
const directory = mkdtempSync(join(tmpdir(), "mailflow-snapshots-"));

const WORLD = {
  domains: [
    {
      domain: "alias.test",
      aliases: [
        { alias: "a", forward: "a@b.example,https://hooks.example/x" },
        { alias: "down", forward: "x@down.example" },
      ],
      credentials: [{ username: "ann", password: "a long password" }],
      templates: [{ name: "t", subject: "s", html_body: "<p>{{x}}</p>", text_body: "{{x}}" }],
    },
    {
      domain: "rules.test",
      routing_engine: "rules",
      rules: [
        {
          type: "regex",
          rank: 1,
          config: { regex: "Ж.*", scopes: ["subject"], forward: "c@d.example" },
        },
      ],
    },
  ],
};

const inDirectory = (name: string): StoreOption => ({
  kind: "pglite",
  directory: join(directory, name),
});

async function snapshotOf(simulator: Simulator): Promise<string> {
  return (await simulator.fetch(new Request("http://sim/_sim/snapshot"))).text();
}

async function restore(simulator: Simulator, body: string): Promise<void> {
  const request = new Request("http://sim/_sim/restore", { method: "POST", body });
  const answer = await simulator.fetch(request);
  expect(answer.status, await answer.text()).toBe(204);
}

const mail = (simulator: Simulator, recipient: string, subject: string) =>
  simulator.receive({
    envelope: { sender: "x@y.example", recipients: [recipient] },
    message: `From: x@y.example\nSubject: ${subject}\n\ntext of ${subject} 😀`,
  });

describe.skipIf(!hasPostgres)("a snapshot", () => {
  afterAll(async () => {
    rmSync(directory, { recursive: true });
    await dropNamespaces([namespace]);
  });

  test("goes from a directory to PostgreSQL and back, and work goes on there", async () => {
    const first = await createSimulator({ store: inDirectory("first"), world: WORLD });
    await first.control.faults.add({ match: "*@down.example", stage: "connect", code: 451 });
    for (const recipient of ["a@alias.test", "down@alias.test", "nobody@alias.test"]) {
      await mail(first, recipient, recipient);
    }
    await mail(first, "any@rules.test", "=?utf-8?q?=D0=96x?=");
    await first.clock.advance(60_000);
    const taken = await snapshotOf(first);
    await first.close();
    const tables = new Set([...taken.matchAll(/"table":"(\w+)"/g)].map(([, name]) => name));
    for (const name of ["log", "delivery", "content", "received", "receivedContent", "host"]) {
      expect(tables).toContain(name);
    }

    const store = { kind: "postgres", url: POSTGRES_URL, namespace } as const;
    const second = await createSimulator({ store });
    await restore(second, taken);
    const again = await snapshotOf(second);
    expect(again.split("\n")).toEqual(taken.split("\n"));
    await second.close();

    const third = await createSimulator({ store: inDirectory("third") });
    await restore(third, again);
    expect(await snapshotOf(third)).toBe(taken);
    await third.control.faults.clear();
    await third.clock.advance(3_600_000);
    const { logs } = await json<{ logs: { events: { status: string }[] }[] }>(
      third,
      "/v4/domains/alias.test/logs",
    );
    expect(
      logs.flatMap(({ events }) => events.slice(-1).map(({ status }) => status)).sort(),
    ).toEqual(["DELIVERED", "DELIVERED", "DELIVERED", "REFUSED"]);
    await third.close();
  });
});
