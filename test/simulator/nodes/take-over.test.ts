/** Deliveries that a process began and did not finish, as the one with epoch 2 sees them. */
import { expect, test } from "vitest";
import { runTask } from "../../../src/simulator/deliver/deliver-tasks.ts";
import { DELIVERIES } from "../../../src/simulator/model/records.ts";
import type { Service } from "../../../src/simulator/model/service.ts";
import { takeOver } from "../../../src/simulator/nodes/take-over.ts";
import {
  allLogs,
  allReceived,
  mailFixture,
  receiveFor,
  statusesOf,
} from "../receive/receive-fixture.ts";

const OWN = 2;
const QUIET_MS = 6_000;

async function begunBy(startedBy: number, sinceMs: number) {
  const fixture = await mailFixture(undefined, { queue: "stopped" });
  await receiveFor(fixture, ["one@example.com"]);
  const node = { epoch: OWN, isAlive: async () => true };
  const service: Service = { ...fixture.service, node };
  const table = service.store.table(DELIVERIES);
  const order = { column: "id", direction: "asc" } as const;
  const [row] = await table.find({ where: {}, order, limit: 1 });
  await table.replace({ ...row!, startedBy, nextMs: service.clock.nowMs() - sinceMs });
  return { fixture, service, id: row!.id };
}

const registry = {
  epoch: OWN,
  isAlive: async () => true,
  beat: async () => {},
  gone: async () => [],
  leave: async () => {},
  forget: async () => {},
};

const queueOf = (running: readonly string[]) => ({
  hasBacklog: async () => false,
  isRunning: (id: string) => running.includes(id),
  release: async () => {},
});

test("its own that it no longer runs counts as interrupted, and is made again", async () => {
  const { fixture, service, id } = await begunBy(OWN, QUIET_MS);
  await takeOver(service, registry, queueOf([]));
  await runTask(service, { id, atMs: 0, payload: { kind: "deliver", logId: id } });
  expect(statusesOf((await allLogs(fixture))[0]!)).toEqual(["QUEUED", "SOFT-BOUNCE", "DELIVERED"]);
  expect((await allReceived(fixture)).map(({ attempt }) => attempt)).toEqual([2]);
});

test.each([
  ["that it runs", OWN, QUIET_MS, true],
  ["that it has just begun", OWN, 0, false],
  ["of a process that is alive", 3, QUIET_MS, false],
])("one %s is left alone", async (_, epoch, sinceMs, isRunning) => {
  const { fixture, service, id } = await begunBy(epoch, sinceMs);
  await takeOver(service, registry, queueOf(isRunning ? [id] : []));
  expect(statusesOf((await allLogs(fixture))[0]!)).toEqual(["QUEUED"]);
});
