/** Deliveries: every accepted message comes to an end at every destination, whatever goes wrong outside or in here. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deliver } from "../../../src/simulator/deliver/deliver.ts";
import { RETRY_DELAYS_MS } from "../../../src/simulator/deliver/deliver-schedule.ts";
import { resumeDeliveries, runTask } from "../../../src/simulator/deliver/deliver-tasks.ts";
import { CONTENTS, DELIVERIES, LOGS, type LogRow } from "../../../src/simulator/model/records.ts";
import type { HandoverAnswer, Outbound, Parcel } from "../../../src/simulator/model/service.ts";
import { addFault } from "../../../src/simulator/outbound/faults.ts";
import {
  ALIASES_WORLD,
  allLogs,
  allReceived,
  leftOver,
  type MailFixture,
  mailFixture,
  messageOf,
  receiveFor,
  statusesOf,
} from "../receive/receive-fixture.ts";

const YEAR_MS = 365 * 86_400_000;

/** A destination that answers with one code after the other, and then with the last for good. */
function answering(codes: readonly number[]): { outbound: Outbound; parcels: Parcel[] } {
  const parcels: Parcel[] = [];
  const outbound: Outbound = {
    async handOver(parcel): Promise<HandoverAnswer> {
      const code = codes[Math.min(parcels.length, codes.length - 1)]!;
      parcels.push(parcel);
      return { code, message: `said ${code}`, server: "mx.mail.example" };
    },
  };
  return { outbound, parcels };
}

async function statusesAfter(fixture: MailFixture, ms: number): Promise<string[][]> {
  await fixture.clock.advance(ms);
  return (await allLogs(fixture)).map(statusesOf);
}

describe("one destination", () => {
  test("that takes it at once", async () => {
    const { outbound, parcels } = answering([250]);
    const fixture = await mailFixture(ALIASES_WORLD, { outbound });
    await receiveFor(fixture, ["one@example.com"]);
    expect(await statusesAfter(fixture, 0)).toEqual([["QUEUED", "DELIVERED"]]);
    const [log] = await allLogs(fixture);
    expect(log!.events[1]).toMatchObject({
      id: `${log!.id}-1`,
      code: 250,
      message: "said 250",
      server: "mx.mail.example",
      local: "mx1.mailflow.example",
    });
    expect(parcels.map(({ attempt, domain }) => [attempt, domain])).toEqual([[1, "example.com"]]);
  });

  test("that refuses for good", async () => {
    const { outbound, parcels } = answering([554, 250]);
    const fixture = await mailFixture(ALIASES_WORLD, { outbound });
    await receiveFor(fixture, ["one@example.com"]);
    expect(await statusesAfter(fixture, YEAR_MS)).toEqual([["QUEUED", "HARD-BOUNCE"]]);
    expect(parcels).toHaveLength(1);
    expect(await leftOver(fixture)).toEqual([0, 0]);
  });

  test("retry-delays: that refuses for now is tried again after each delay in turn", async () => {
    const { outbound, parcels } = answering([421, 450, 250]);
    const fixture = await mailFixture(ALIASES_WORLD, { outbound });
    await receiveFor(fixture, ["one@example.com"]);
    const [first, second] = RETRY_DELAYS_MS.mailbox;
    expect(await statusesAfter(fixture, 0)).toEqual([["QUEUED", "SOFT-BOUNCE"]]);
    expect((await statusesAfter(fixture, first! - 1))[0]).toHaveLength(2);
    expect((await statusesAfter(fixture, 1))[0]).toHaveLength(3);
    expect((await statusesAfter(fixture, second! - 1))[0]).toHaveLength(3);
    expect(await statusesAfter(fixture, 1)).toEqual([
      ["QUEUED", "SOFT-BOUNCE", "SOFT-BOUNCE", "DELIVERED"],
    ]);
    expect(parcels.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  test.each([
    ["one@example.com", "mailbox"],
    ["hook@example.com", "webhook"],
  ] as const)(
    "retries-spent: %s ends in BOUNCED when it never takes it",
    async (recipient, kind) => {
      const { outbound, parcels } = answering([450]);
      const fixture = await mailFixture(ALIASES_WORLD, { outbound });
      await receiveFor(fixture, [recipient]);
      const [statuses] = await statusesAfter(fixture, YEAR_MS);
      const attempts = RETRY_DELAYS_MS[kind].length + 1;
      const soft = Array.from({ length: attempts - 1 }, () => "SOFT-BOUNCE");
      expect(statuses).toEqual(["QUEUED", ...soft, "BOUNCED"]);
      expect(parcels).toHaveLength(attempts);
      expect(await leftOver(fixture)).toEqual([0, 0]);
    },
  );

  test("a webhook has two more tries", () => {
    expect(RETRY_DELAYS_MS.webhook).toHaveLength(2);
  });

  test.each([0, 99, 354, 399, 600])(
    "an answer %i that says nothing is tried again",
    async (code) => {
      const { outbound } = answering([code, 250]);
      const fixture = await mailFixture(ALIASES_WORLD, { outbound });
      await receiveFor(fixture, ["one@example.com"]);
      expect(await statusesAfter(fixture, YEAR_MS)).toEqual([
        ["QUEUED", "SOFT-BOUNCE", "DELIVERED"],
      ]);
    },
  );

  test("that takes its time is logged when it has answered, and asked once", async () => {
    const parcels: Parcel[] = [];
    const outbound: Outbound = {
      async handOver(parcel) {
        parcels.push(parcel);
        return { code: 250, message: "at last", server: "slow.example", afterMs: 5_000 };
      },
    };
    const fixture = await mailFixture(ALIASES_WORLD, { outbound });
    await receiveFor(fixture, ["one@example.com"]);
    expect(await statusesAfter(fixture, 4_999)).toEqual([["QUEUED"]]);
    expect(await statusesAfter(fixture, 1)).toEqual([["QUEUED", "DELIVERED"]]);
    expect(parcels).toHaveLength(1);
  });
});

describe("at least once", () => {
  test("an attempt that is kept is not made again by a task that runs again", async () => {
    const { outbound, parcels } = answering([450]);
    const fixture = await mailFixture(ALIASES_WORLD, { outbound });
    const [answer] = await receiveFor(fixture, ["one@example.com"]);
    await fixture.clock.advance(0);
    const [id] = answer!.logIds;
    await deliver(fixture.service, id!);
    const late = { attempt: 1, answer: { code: 250, message: "late", server: "" } };
    await deliver(fixture.service, id!, { late });
    expect(parcels).toHaveLength(1);
    expect(await statusesAfter(fixture, 0)).toEqual([["QUEUED", "SOFT-BOUNCE"]]);
    expect((await fixture.service.queue.pending()).map((task) => task.id)).toEqual([id]);
  });

  test.each([
    [250, "DELIVERED", [0, 0]],
    [450, "SOFT-BOUNCE", [1, 1]],
  ] as const)(
    "two runs of one attempt that is answered %i keep one event",
    async (code, status, left) => {
      const gates: (() => void)[] = [];
      const outbound: Outbound = {
        handOver: () =>
          new Promise((resolve) => {
            gates.push(() => resolve({ code, message: "", server: "" }));
          }),
      };
      const fixture = await mailFixture(ALIASES_WORLD, { outbound, queue: "stopped" });
      const [answer] = await receiveFor(fixture, ["one@example.com"]);
      const runs = [1, 2].map(() => deliver(fixture.service, answer!.logIds[0]!));
      while (gates.length < 2) await new Promise((resolve) => setImmediate(resolve));
      for (const open of gates) open();
      await Promise.all(runs);
      expect((await allLogs(fixture)).map(statusesOf)).toEqual([["QUEUED", status]]);
      expect(await leftOver(fixture)).toEqual(left);
    },
  );

  test("a queue that forgot its tasks has them made again from what is stored", async () => {
    const { outbound } = answering([450, 250]);
    const fixture = await mailFixture(ALIASES_WORLD, { outbound });
    await receiveFor(fixture, ["one@example.com", "sales@example.com"]);
    await fixture.clock.advance(0);
    const before = await fixture.service.queue.pending();
    await fixture.service.queue.clear();
    expect(await resumeDeliveries(fixture.service)).toBe(1);
    expect(await fixture.service.queue.pending()).toEqual(before);
    await fixture.clock.advance(YEAR_MS);
    expect(await leftOver(fixture)).toEqual([0, 0]);
  });

  test("a message is kept as long as one of its deliveries needs it", async () => {
    const { outbound } = answering([250, 450, 250]);
    const fixture = await mailFixture(ALIASES_WORLD, { outbound });
    await receiveFor(fixture, ["sales@example.com"]);
    await fixture.clock.advance(0);
    const order = { column: "id", direction: "asc" } as const;
    const [content] = await fixture.service.store
      .table(CONTENTS)
      .find({ where: {}, order, limit: 2 });
    expect(content!.uses).toBe(1);
    await fixture.clock.advance(YEAR_MS);
    expect(await leftOver(fixture)).toEqual([0, 0]);
  });

  test("a delivery whose log entry is gone still comes to its end", async () => {
    const { outbound, parcels } = answering([250]);
    const fixture = await mailFixture(ALIASES_WORLD, { outbound });
    const [answer] = await receiveFor(fixture, ["one@example.com"]);
    await fixture.service.store.table(LOGS).delete(answer!.logIds[0]!);
    await fixture.clock.advance(0);
    expect(parcels).toHaveLength(1);
    expect(await leftOver(fixture)).toEqual([0, 0]);
  });
});

describe("whatever happens", () => {
  /** Without credentials, whose hashes take their time. */
  const world = { domains: [{ ...ALIASES_WORLD.domains![0]!, credentials: [] }] };
  const codes = fc.constantFrom(200, 250, 421, 450, 452, 500, 550, 554, 0, 354);
  const outcome = fc.record({
    code: codes,
    /** What befalls us: nothing, the handler fails before or after it has asked, or the queue forgets everything. */
    mishap: fc.constantFrom("none", "none", "none", "before", "after", "forget"),
    afterMs: fc.constantFrom(0, 0, 1_000, 400_000),
  });
  const recipients = fc.uniqueArray(
    fc.constantFrom("sales@example.com", "one@example.com", "hook@example.com", "drop@example.com"),
    { minLength: 1 },
  );

  test("every entry ends in one final event, and no destination is asked but for an event", async () => {
    await fc.assert(
      fc.asyncProperty(recipients, fc.array(outcome, { maxLength: 12 }), async (to, outcomes) => {
        const asked = new Map<string, number[]>();
        let turn = 0;
        const outbound: Outbound = {
          async handOver({ logId, attempt }) {
            const { code, mishap, afterMs } = outcomes[turn++] ?? {
              code: 250,
              mishap: "none",
              afterMs: 0,
            };
            if (mishap === "before") throw new Error("a mishap before");
            asked.set(logId, [...(asked.get(logId) ?? []), attempt]);
            if (mishap === "after") throw new Error("a mishap after");
            if (mishap === "forget") forgotten = true;
            return { code, message: "", server: "", afterMs };
          },
        };
        let forgotten = false;
        const fixture = await mailFixture(world, { outbound, queue: "stopped" });
        const { service, clock } = fixture;
        await service.queue.start((task) => runTask(service, task));
        await receiveFor(fixture, to);
        for (let round = 0; round < 40; round++) {
          await clock.advance(86_400_000).catch(() => {});
          if (forgotten) {
            forgotten = false;
            await service.queue.clear();
            await resumeDeliveries(service);
          }
        }
        await service.queue.stop();
        clock.close();

        for (const log of await allLogs(fixture)) expectEnded(log, asked.get(log.id) ?? []);
        expect(await leftOver(fixture)).toEqual([0, 0]);
      }),
      { seed: 20261120, numRuns: 120 },
    );
  });

  function expectEnded(log: LogRow, attempts: readonly number[]): void {
    const [queued, ...others] = statusesOf(log);
    const last = others.pop();
    expect(queued).toBe("QUEUED");
    expect(["DELIVERED", "HARD-BOUNCE", "BOUNCED"]).toContain(last);
    expect(others.every((status) => status === "SOFT-BOUNCE")).toBe(true);
    expect(log.events.map(({ id }) => id)).toEqual(log.events.map((_, at) => `${log.id}-${at}`));
    expect(log.statuses).toEqual([...new Set(statusesOf(log))]);
    // An attempt is asked again only while it has no event: numbers never go back, and each has its event.
    expect([...attempts].sort((a, b) => a - b)).toEqual([...attempts]);
    if (log.forward !== null) expect(new Set(attempts).size).toBe(log.events.length - 1);
  }
});

test("a destination that has taken a message whose answer was lost has it twice, and the log says so", async () => {
  const fixture = await mailFixture();
  await addFault(fixture.service, {
    match: "ann@*",
    stage: "answer",
    code: 451,
    times: 1,
  });
  await receiveFor(fixture, ["one@example.com"], messageOf("twice"));
  await fixture.clock.advance(YEAR_MS);
  expect((await allLogs(fixture)).map(statusesOf)).toEqual([
    ["QUEUED", "SOFT-BOUNCE", "DELIVERED"],
  ]);
  expect((await allReceived(fixture)).map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(await fixture.service.store.table(DELIVERIES).count({ where: {} })).toBe(0);
});
