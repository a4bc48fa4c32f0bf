import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test, vi } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createSimulatedClock } from "../../../src/simulator/queue/simulated-clock.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("shows real time unless told otherwise", () => {
  let realMs = 5_000;
  const clock = createSimulatedClock({ realNowMs: () => realMs });
  expect([clock.nowMs(), clock.frozen]).toEqual([5_000, false]);
  realMs = 5_250;
  expect(clock.nowMs()).toBe(5_250);
  clock.close();
});

test("refuses an option that it does not know", () => {
  const options = { realNowMs: () => 0, frozen: true };
  expect(() => createSimulatedClock(options)).toThrow("unknown option `frozen`");
});

test("a failure that nobody waits for is left uncaught", async () => {
  const uncaught = vi.fn();
  const others = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.once("uncaughtException", uncaught);
  const clock = createSimulatedClock({ nowMs: 0, mode: "frozen", realNowMs: () => 0 });
  const error = new Error("lost?");
  clock.at(0, () => Promise.reject(error));
  await turn();
  await turn();
  process.removeListener("uncaughtException", uncaught);
  for (const listener of others) process.on("uncaughtException", listener);
  expect(uncaught.mock.calls[0]?.[0]).toBe(error);
  clock.close();
});

test("tasks run in the context of the clock, not in that of whoever schedules them", async () => {
  for (const mode of ["frozen", "running"] as const) {
    const context = new AsyncLocalStorage<string>();
    const clock = createSimulatedClock({ nowMs: 0, mode, realNowMs: () => Date.now() });
    const seen = await new Promise((resolve) => {
      context.run("a transaction", () => clock.at(0, () => resolve(context.getStore())));
    });
    expect(seen).toBeUndefined();
    clock.close();
  }
});

test("a move of endless timers ends, and the clock goes on", async () => {
  const clock = createSimulatedClock({ nowMs: 0, mode: "frozen", realNowMs: () => 0 });
  let runs = 0;
  let isEndless = true;
  const again = (): void => {
    runs++;
    if (isEndless) clock.at(5, again);
  };
  clock.at(5, again);
  await expect(clock.advance(10)).rejects.toThrow("move on in smaller steps");
  expect([runs, clock.nowMs()]).toEqual([LIMITS.clockMoveTimersMax, 5]);
  isEndless = false;
  await clock.advance(10);
  expect([runs, clock.nowMs()]).toEqual([LIMITS.clockMoveTimersMax + 1, 15]);
  clock.close();
});
