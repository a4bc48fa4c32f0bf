/** Deliveries whose process ended in the middle of an attempt. */
import { expect, test } from "vitest";
import { runTask } from "../../../src/simulator/deliver/deliver-tasks.ts";
import { DELIVERIES } from "../../../src/simulator/model/records.ts";
import type { Service } from "../../../src/simulator/model/service.ts";
import {
  allLogs,
  allReceived,
  leftOver,
  type MailFixture,
  mailFixture,
  receiveFor,
  statusesOf,
} from "../receive/receive-fixture.ts";

/** As the process of epoch 2, to which epoch 3 is alive and epoch 1 is gone. */
async function nodeFixture(): Promise<MailFixture> {
  const fixture = await mailFixture(undefined, { queue: "stopped" });
  const node = { epoch: 2, isAlive: async (epoch: number) => epoch > 1 };
  return { ...fixture, service: { ...fixture.service, node } };
}

async function begunBy(service: Service, startedBy: number): Promise<string> {
  const table = service.store.table(DELIVERIES);
  const order = { column: "id", direction: "asc" } as const;
  const [row] = await table.find({ where: {}, order, limit: 1 });
  await table.replace({ ...row!, startedBy });
  return row!.id;
}

const run = (service: Service, logId: string): Promise<void> =>
  runTask(service, { id: logId, atMs: 0, payload: { kind: "deliver", logId } });

// ASSUMPTION key `interrupted-attempt`
test.each([1, 2])(
  "an attempt that process %d left counts, is logged, and is made again at once",
  async (epoch) => {
    const fixture = await nodeFixture();
    const { service } = fixture;
    await receiveFor(fixture, ["one@example.com"]);
    await run(service, await begunBy(service, epoch));
    const [log] = await allLogs(fixture);
    expect(statusesOf(log!)).toEqual(["QUEUED", "SOFT-BOUNCE", "DELIVERED"]);
    expect(log!.events[1]).toMatchObject({
      code: 451,
      message: expect.stringMatching(/^4\.3\.0 inter/),
    });
    expect((await allReceived(fixture)).map(({ attempt }) => attempt)).toEqual([2]);
    expect(await leftOver(fixture)).toEqual([0, 0]);
  },
);

test("an attempt that another process is making is left to it", async () => {
  const fixture = await nodeFixture();
  const { service } = fixture;
  await receiveFor(fixture, ["one@example.com"]);
  await run(service, await begunBy(service, 3));
  expect(statusesOf((await allLogs(fixture))[0]!)).toEqual(["QUEUED"]);
  expect(await allReceived(fixture)).toEqual([]);
});

test("an attempt is noted while it is made, and once only", async () => {
  const fixture = await nodeFixture();
  const { service } = fixture;
  await receiveFor(fixture, ["one@example.com"]);
  const seen: unknown[] = [];
  const handOver: Service["outbound"]["handOver"] = async (parcel) => {
    const row = await service.store.table(DELIVERIES).get(parcel.logId);
    seen.push(row?.startedBy);
    await run({ ...service, node: { epoch: 3, isAlive: async () => true } }, parcel.logId);
    return { code: 250, message: "ok", server: "mx" };
  };
  const [log] = await allLogs(fixture);
  await run({ ...service, outbound: { handOver } }, log!.id);
  expect(seen).toEqual([2]);
  expect(statusesOf((await allLogs(fixture))[0]!)).toEqual(["QUEUED", "DELIVERED"]);
});
