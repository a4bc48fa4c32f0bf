import { expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createSimulatedClock } from "../../../src/simulator/queue/simulated-clock.ts";
import { createTimerQueue } from "../../../src/simulator/queue/timer-queue.ts";
import { createMemoryStore } from "../../../src/simulator/store/memory-store.ts";

const frozenClock = () =>
  createSimulatedClock({ nowMs: 0, mode: "frozen", realNowMs: () => Date.now() });

test("tells of each rejection, and of the task as it was run", async () => {
  const clock = frozenClock();
  const failures: unknown[] = [];
  const queue = createTimerQueue(clock, {
    onFailure: (error, task) => failures.push([(error as Error).message, task.id, task.atMs]),
  });
  let runs = 0;
  await queue.start(() => {
    runs++;
    if (runs < 3) throw new Error(`run ${runs}`);
    return Promise.resolve();
  });
  await queue.schedule({ id: "a", atMs: 5, payload: {} });
  await clock.advance(10 * LIMITS.queueRetryMs);
  expect(failures).toEqual([
    ["run 1", "a", 5],
    ["run 2", "a", 5 + LIMITS.queueRetryMs],
  ]);
  expect(runs).toBe(3);
  clock.close();
});

test("refuses an option that it does not know", () => {
  const options = { retryMs: 5 };
  expect(() => createTimerQueue(frozenClock(), options as object)).toThrow(
    "unknown option `retryMs`",
  );
});

test("a task scheduled within a transaction runs outside of it", async () => {
  for (const mode of ["frozen", "running"] as const) {
    const clock = createSimulatedClock({ nowMs: 0, mode, realNowMs: () => Date.now() });
    const queue = createTimerQueue(clock);
    const store = createMemoryStore();
    const table = store.table({ name: "things", key: "id", columns: {}, indexes: [] });
    const log: unknown[] = [];
    await queue.start(async () => {
      await store.transaction(async () => {
        log.push(await table.get("a"));
      });
    });
    await store.transaction(async () => {
      await queue.schedule({ id: "a", atMs: clock.nowMs(), payload: {} });
      for (let turns = 0; turns < 5; turns++)
        await new Promise((resolve) => setTimeout(resolve, 1));
      await table.insert({ id: "a" });
    });
    await queue.idle();
    expect(log).toEqual([{ id: "a" }]);
    await queue.stop();
    clock.close();
  }
});

test("a thousand tasks run in the order of their times", async () => {
  const clock = frozenClock();
  const queue = createTimerQueue(clock);
  const log: number[] = [];
  await queue.start(async ({ atMs }) => void log.push(atMs));
  for (let index = 0; index < 1_000; index++) {
    await queue.schedule({ id: `${index}`, atMs: 1 + ((index * 7_919) % 1_000), payload: {} });
  }
  await clock.advance(1_000);
  expect(log).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
  clock.close();
});
