/** What every queue promises, whatever clock it follows: each test says when it waits, and for what. */
import { describe, expect, test } from "vitest";
import type { Queue, QueuedTask } from "../../src/simulator/queue/queue.ts";

export interface OpenedQueue {
  /** Empty and not started. */
  readonly queue: Queue;
  nowMs(): number;
  /** Lets that much of the queue's time go by; nothing may run that waits for the test. */
  pass(ms: number): Promise<void>;
  /** Lets what is due come to where it waits. */
  settle(): Promise<void>;
  /** From a handler's rejection until its task is run again, in the queue's time. */
  readonly retryMs: number;
  close(): Promise<void>;
}

const TRIES_MAX = 400;

/** Work that ends when the test says so. */
function createGate(): { readonly opened: Promise<void>; open(): void; fail(error: Error): void } {
  let [open, fail] = [() => {}, (_: Error) => {}];
  const opened = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  opened.catch(() => {});
  return { opened, open: () => open(), fail: (error) => fail(error) };
}

/** Runs the suite on queues that `open` makes; `skip` for one that cannot be opened here. */
export function queuePromises(
  name: string,
  open: () => Promise<OpenedQueue>,
  { skip = false }: { readonly skip?: boolean } = {},
): void {
  describe.skipIf(skip)(`the promises of a queue: ${name}`, { timeout: 120_000 }, () => {
    async function withQueue(work: (opened: OpenedQueue) => Promise<void>): Promise<void> {
      const opened = await open();
      try {
        await work(opened);
      } finally {
        await opened.queue.stop();
        await opened.close();
      }
    }

    const task = (
      { nowMs }: OpenedQueue,
      id: string,
      inMs = 0,
      payload: QueuedTask["payload"] = {},
    ): QueuedTask => ({ id, atMs: nowMs() + inMs, payload });

    async function until({ settle }: OpenedQueue, isSo: () => boolean): Promise<void> {
      for (let tries = 0; !isSo(); tries++) {
        if (tries === TRIES_MAX) throw new Error("waited in vain");
        await settle();
      }
    }

    const idsOf = async ({ queue }: OpenedQueue) => (await queue.pending()).map(({ id }) => id);

    test("runs nothing before it is started, then each due task once", () =>
      withQueue(async (opened) => {
        const { queue, settle } = opened;
        const log: string[] = [];
        await queue.schedule(task(opened, "a"));
        await queue.schedule(task(opened, "b"));
        await settle();
        expect(await idsOf(opened)).toEqual(["a", "b"]);
        await queue.start(async ({ id }) => void log.push(id));
        await queue.idle();
        await settle();
        expect(log.toSorted()).toEqual(["a", "b"]);
        expect(await idsOf(opened)).toEqual([]);
        await expect(queue.start(async () => {})).rejects.toThrow("the queue runs already");
      }));

    test("a task runs at its time, not before", () =>
      withQueue(async (opened) => {
        const log: number[] = [];
        await opened.queue.start(async () => void log.push(opened.nowMs()));
        const later = task(opened, "a", 1_500);
        await opened.queue.schedule(later);
        await opened.settle();
        await opened.queue.idle();
        expect(log).toEqual([]);
        await opened.pass(1_500);
        await until(opened, () => log.length === 1);
        expect(log[0]).toBeGreaterThanOrEqual(later.atMs);
      }));

    test("a task scheduled again under its id replaces the one that waits", () =>
      withQueue(async (opened) => {
        const { queue } = opened;
        const log: unknown[] = [];
        await queue.schedule(task(opened, "a", 60_000, { turn: 1 }));
        await queue.schedule(task(opened, "a", 0, { turn: 2 }));
        await queue.start(async ({ payload }) => void log.push(payload.turn));
        await queue.idle();
        expect(log).toEqual([2]);
        expect(await idsOf(opened)).toEqual([]);
      }));

    test("shares no payload", () =>
      withQueue(async (opened) => {
        const payload = { list: ["a"] };
        const seen: unknown[] = [];
        await opened.queue.schedule(task(opened, "a", 0, payload));
        payload.list.push("b");
        await opened.queue.start(async (given) => {
          seen.push(structuredClone(given.payload));
          (given.payload.list as string[]).push("c");
          if (seen.length === 1) throw new Error("again");
        });
        await opened.pass(opened.retryMs);
        await until(opened, () => seen.length === 2);
        expect(seen).toEqual([{ list: ["a"] }, { list: ["a"] }]);
      }));

    test("a handler that rejects is asked again after a pause; others go on", () =>
      withQueue(async (opened) => {
        const log: string[] = [];
        await opened.queue.start(async ({ id }) => {
          log.push(id);
          if (id === "bad" && log.filter((each) => each === "bad").length === 1) {
            throw new Error("no");
          }
        });
        await opened.queue.schedule(task(opened, "bad"));
        await opened.queue.schedule(task(opened, "good"));
        await until(opened, () => log.includes("good") && log.includes("bad"));
        expect(log).toHaveLength(2);
        await opened.pass(opened.retryMs);
        await until(opened, () => log.length === 3);
        expect(log.toSorted()).toEqual(["bad", "bad", "good"]);
      }));

    test("a cancelled task does not run; one that does not wait is not cancelled", () =>
      withQueue(async (opened) => {
        const { queue } = opened;
        const log: string[] = [];
        await queue.schedule(task(opened, "a"));
        expect(await queue.cancel("a")).toBe(true);
        expect(await queue.cancel("a")).toBe(false);
        await queue.start(async ({ id }) => void log.push(id));
        await queue.idle();
        expect(log).toEqual([]);
      }));

    test.each(["cancel", "clear", "schedule"] as const)(
      "a task that runs and fails is not run again after a %s",
      (way) =>
        withQueue(async (opened) => {
          const { queue } = opened;
          const gate = createGate();
          const log: unknown[] = [];
          await queue.start(async ({ payload }) => {
            log.push(payload.turn);
            if (payload.turn === 1) await gate.opened;
          });
          await queue.schedule(task(opened, "a", 0, { turn: 1 }));
          await until(opened, () => log.length === 1);
          if (way === "clear") await queue.clear();
          else if (way === "cancel") expect(await queue.cancel("a")).toBe(false);
          else await queue.schedule(task(opened, "a", 0, { turn: 2 }));
          gate.fail(new Error("no"));
          await queue.idle();
          await opened.pass(opened.retryMs + 1_500);
          await queue.idle();
          expect(log).toEqual(way === "schedule" ? [1, 2] : [1]);
          expect(await idsOf(opened)).toEqual([]);
        }),
    );

    test("tasks of one id never run at the same time", () =>
      withQueue(async (opened) => {
        const { queue } = opened;
        const gate = createGate();
        let [running, most, runs] = [0, 0, 0];
        await queue.start(async () => {
          running++;
          runs++;
          most = Math.max(most, running);
          if (runs === 1) await gate.opened;
          running--;
        });
        await queue.schedule(task(opened, "a"));
        await until(opened, () => runs === 1);
        await queue.schedule(task(opened, "a"));
        await opened.settle();
        expect(runs).toBe(1);
        gate.open();
        await queue.idle();
        await until(opened, () => runs === 2);
        expect(most).toBe(1);
      }));

    test("a stop waits for what runs, and keeps what waits for another start", () =>
      withQueue(async (opened) => {
        const { queue } = opened;
        const gate = createGate();
        const log: string[] = [];
        await queue.start(async ({ id }) => {
          log.push(id);
          if (id === "runs") await gate.opened;
        });
        await queue.schedule(task(opened, "runs"));
        await until(opened, () => log.length === 1);
        const stopped = queue.stop().then(() => log.push("stopped"));
        await queue.schedule(task(opened, "waits"));
        await opened.settle();
        gate.open();
        await stopped;
        expect(log).toEqual(["runs", "stopped"]);
        expect(await idsOf(opened)).toEqual(["waits"]);
        await queue.start(async ({ id }) => void log.push(id));
        await queue.idle();
        expect(log).toEqual(["runs", "stopped", "waits"]);
      }));

    test.each([Number.NaN, Number.POSITIVE_INFINITY])(
      "refuses the time %d, and keeps what waits",
      (ms) =>
        withQueue(async (opened) => {
          const { queue } = opened;
          await queue.schedule(task(opened, "a", 60_000));
          await expect(async () =>
            queue.schedule({ id: "a", atMs: ms, payload: {} }),
          ).rejects.toThrow(`\`${ms}\``);
          expect(await idsOf(opened)).toEqual(["a"]);
        }),
    );
  });
}
