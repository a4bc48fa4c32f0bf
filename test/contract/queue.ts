/** What every queue owes on a frozen simulated clock: the runs of a plain reference, and the promises of the port. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import type { SimulatedClock } from "../../src/simulator/queue/clock.ts";
import type { Queue, QueuedTask } from "../../src/simulator/queue/queue.ts";

export interface QueueSetup {
  /** Frozen, at 0. */
  readonly clock: SimulatedClock;
  readonly queue: Queue;
}

type OpenQueue = () => Promise<QueueSetup>;

type Command =
  | {
      readonly kind: "schedule";
      readonly id: string;
      readonly inMs: number;
      /** Runs that reject before one does not. */
      readonly failures: number;
      readonly number: number;
    }
  | { readonly kind: "cancel"; readonly id: string }
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "clear" | "idle" | "restart" };

const id = fc.constantFrom("a", "b", "c", "d");
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("schedule" as const),
      id,
      inMs: fc.constantFrom(-5, 0, 1, 20, 20, LIMITS.queueRetryMs, LIMITS.queueRetryMs + 20),
      failures: fc.nat(2),
      number: fc.nat(999),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), id }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("advance" as const),
      ms: fc.constantFrom(0, 1, 20, LIMITS.queueRetryMs, 3 * LIMITS.queueRetryMs),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("clear", "idle", "idle", "restart") }),
  },
);

interface PlainTask {
  readonly task: QueuedTask;
  readonly serial: number;
}

/** A queue as an array of tasks. */
class PlainQueue {
  nowMs = 0;
  serial = 0;
  waiting: PlainTask[] = [];
  readonly log: string[] = [];
  readonly failed = new Map<unknown, number>();

  schedule(task: QueuedTask): void {
    this.cancel(task.id);
    this.waiting.push({ task, serial: this.serial++ });
  }

  cancel(id: string): boolean {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter(({ task }) => task.id !== id);
    return this.waiting.length < before;
  }

  pending(): QueuedTask[] {
    return this.waiting
      .toSorted((a, b) => a.task.atMs - b.task.atMs || a.serial - b.serial)
      .map(({ task }) => task);
  }

  advance(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (let [task] = this.pending(); task && task.atMs <= untilMs; [task] = this.pending()) {
      this.nowMs = Math.max(this.nowMs, task.atMs);
      this.cancel(task.id);
      const { payload } = task;
      this.log.push(`${task.id}${payload.number}@${this.nowMs}`);
      const failures = this.failed.get(payload.number) ?? 0;
      if (failures === payload.failures) continue;
      this.failed.set(payload.number, failures + 1);
      this.schedule({ ...task, atMs: this.nowMs + LIMITS.queueRetryMs });
    }
    this.nowMs = untilMs;
  }
}

async function compareRuns(commands: readonly Command[], open: OpenQueue): Promise<void> {
  const { clock, queue } = await open();
  const plain = new PlainQueue();
  const log: string[] = [];
  const failed = new Map<unknown, number>();
  const handler = async ({ id, payload }: QueuedTask): Promise<void> => {
    log.push(`${id}${payload.number}@${clock.nowMs()}`);
    await null;
    const failures = failed.get(payload.number) ?? 0;
    if (failures === payload.failures) return;
    failed.set(payload.number, failures + 1);
    throw new Error("not yet");
  };

  await queue.start(handler);
  for (const [index, step] of commands.entries()) {
    if (step.kind === "schedule") {
      const { failures, number } = step;
      const payload = { failures, number: number * 1_000 + index };
      const task = { id: step.id, atMs: clock.nowMs() + step.inMs, payload };
      await queue.schedule(task);
      plain.schedule(task);
    } else if (step.kind === "cancel") {
      expect(await queue.cancel(step.id)).toBe(plain.cancel(step.id));
    } else if (step.kind === "advance") {
      await clock.advance(step.ms);
      plain.advance(step.ms);
    } else if (step.kind === "clear") {
      await queue.clear();
      plain.waiting = [];
    } else if (step.kind === "restart") {
      await queue.stop();
      await queue.start(handler);
    } else {
      await queue.idle();
      plain.advance(0);
    }
    expect(await queue.pending(), JSON.stringify(step)).toEqual(plain.pending());
    expect(log, JSON.stringify(step)).toEqual(plain.log);
  }
  await queue.stop();
  clock.close();
}

/** Work that ends when the test says so. */
function createGate(): { readonly opened: Promise<void>; open(): void; fail(error: Error): void } {
  let [open, fail] = [() => {}, (_: Error) => {}];
  const opened = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { opened, open: () => open(), fail: (error) => fail(error) };
}

/** Lets started work come to where it waits. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const taskAt = (id: string, atMs: number, payload: QueuedTask["payload"] = {}): QueuedTask => ({
  id,
  atMs,
  payload,
});

/** Runs the suite on queues that `open` makes, each of them empty, unstarted and its own. */
export function queueContract(name: string, open: OpenQueue, numRuns: number): void {
  describe(`the contract of a queue: ${name}`, () => {
    test("runs what the reference runs, when it does", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 25, size: "max" }), (commands) =>
          compareRuns(commands, open),
        ),
        { seed: 20261120, numRuns },
      );
    });

    test("runs nothing before it is started", async () => {
      const { clock, queue } = await open();
      await queue.schedule(taskAt("a", 0));
      await queue.idle();
      await clock.advance(10);
      expect(await queue.pending()).toEqual([taskAt("a", 0)]);
      const log: string[] = [];
      await queue.start(async ({ id }) => void log.push(id));
      await expect(queue.start(async () => {})).rejects.toThrow("the queue runs already");
      await queue.idle();
      expect([log, await queue.pending()]).toEqual([["a"], []]);
      await queue.stop();
      clock.close();
    });

    test("shares no payload", async () => {
      const { clock, queue } = await open();
      const payload = { list: ["a"] };
      const seen: unknown[] = [];
      await queue.schedule(taskAt("a", 0, payload));
      payload.list.push("b");
      await queue.start(async (task) => {
        seen.push(structuredClone(task.payload));
        (task.payload.list as string[]).push("c");
        if (seen.length === 1) throw new Error("again");
      });
      await clock.advance(LIMITS.queueRetryMs);
      expect(seen).toEqual([{ list: ["a"] }, { list: ["a"] }]);
      await queue.stop();
      clock.close();
    });

    test("runs no more at once than it may, and the rest as places come free", async () => {
      const { clock, queue } = await open();
      const count = LIMITS.queueRunningMax + 3;
      const gates = Array.from({ length: count }, createGate);
      const log: number[] = [];
      await queue.start(async ({ payload }) => {
        log.push(payload.index as number);
        await gates[payload.index as number]!.opened;
      });
      for (let index = 0; index < count; index++) {
        await queue.schedule(taskAt(`task ${index}`, 0, { index }));
      }
      await settle();
      expect(log).toEqual(Array.from({ length: LIMITS.queueRunningMax }, (_, index) => index));
      expect(await queue.pending()).toHaveLength(count);
      gates[5]!.open();
      await settle();
      expect(log.slice(LIMITS.queueRunningMax)).toEqual([LIMITS.queueRunningMax]);
      expect(await queue.cancel(`task ${count - 1}`)).toBe(true);
      for (const gate of gates) gate.open();
      await queue.idle();
      expect(log).toHaveLength(count - 1);
      expect(await queue.pending()).toEqual([]);
      await queue.stop();
      clock.close();
    });

    test("a task scheduled while its id runs waits for the end, and replaces the retry", async () => {
      const { clock, queue } = await open();
      const gate = createGate();
      const log: string[] = [];
      await queue.start(async ({ payload }) => {
        log.push(`${payload.turn}@${clock.nowMs()}`);
        if (payload.turn === "first") await gate.opened;
      });
      await queue.schedule(taskAt("a", 0, { turn: "first" }));
      await settle();
      await queue.schedule(taskAt("a", 0, { turn: "replaced" }));
      await queue.schedule(taskAt("a", 0, { turn: "second" }));
      await settle();
      expect(log).toEqual(["first@0"]);
      expect((await queue.pending()).map(({ payload }) => payload.turn)).toEqual([
        "first",
        "second",
      ]);
      gate.fail(new Error("no"));
      await queue.idle();
      await clock.advance(10 * LIMITS.queueRetryMs);
      expect(log).toEqual(["first@0", "second@0"]);
      await queue.stop();
      clock.close();
    });

    test.each(["cancel", "clear"] as const)(
      "what runs is not run again after a %s",
      async (way) => {
        const { clock, queue } = await open();
        const gate = createGate();
        let runs = 0;
        await queue.start(async () => {
          runs++;
          await gate.opened;
        });
        await queue.schedule(taskAt("a", 0));
        await settle();
        if (way === "clear") await queue.clear();
        else expect(await queue.cancel("a")).toBe(false);
        expect(await queue.pending()).toEqual([taskAt("a", 0)]);
        gate.fail(new Error("no"));
        await queue.idle();
        await clock.advance(10 * LIMITS.queueRetryMs);
        expect([runs, await queue.pending()]).toEqual([1, []]);
        await queue.stop();
        clock.close();
      },
    );

    test.each(["cancel", "clear", "stop"] as const)(
      "a %s frees an advance of tasks without a turn",
      async (way) => {
        const { clock, queue } = await open();
        const gate = createGate();
        const log: unknown[] = [];
        await queue.start(async ({ payload }) => {
          log.push(payload.turn);
          await gate.opened;
        });
        await queue.schedule(taskAt("a", 0, { turn: 1 }));
        await settle();
        await queue.schedule(taskAt("a", 0, { turn: 2 }));
        await settle();
        const freed = way === "cancel" ? queue.cancel("a") : queue[way]();
        gate.open();
        await freed;
        await clock.advance(10);
        expect([log, clock.nowMs()]).toEqual([[1], 10]);
        clock.close();
      },
    );

    test("a stop waits for what runs, keeps what failed and what waits, and runs no more", async () => {
      const { clock, queue } = await open();
      const gate = createGate();
      const log: string[] = [];
      await queue.start(async ({ id }) => {
        log.push(id);
        if (id === "runs") await gate.opened;
      });
      await queue.schedule(taskAt("runs", 0));
      await settle();
      await queue.schedule(taskAt("due", 0));
      await queue.schedule(taskAt("waits", 10));
      const stopped = queue.stop().then(() => log.push("stopped"));
      await settle();
      expect(log).toEqual(["runs"]);
      gate.fail(new Error("no"));
      await stopped;
      await clock.advance(10 * LIMITS.queueRetryMs);
      expect(log).toEqual(["runs", "stopped"]);
      expect(await queue.pending()).toEqual([
        taskAt("due", 0),
        taskAt("waits", 10),
        taskAt("runs", LIMITS.queueRetryMs),
      ]);
      await queue.start(async ({ id }) => void log.push(id));
      await queue.idle();
      expect(log.slice(2)).toEqual(["due", "waits", "runs"]);
      await queue.stop();
      clock.close();
    });

    test("an advance waits for the work of its tasks, and for what they schedule", async () => {
      const { clock, queue } = await open();
      const log: string[] = [];
      await queue.start(async ({ id }) => {
        await settle();
        log.push(`${id}@${clock.nowMs()}`);
        if (id.length < 3) await queue.schedule(taskAt(`${id}+`, clock.nowMs() + 7));
      });
      await queue.schedule(taskAt("a", 5));
      await clock.advance(20);
      expect(log).toEqual(["a@5", "a+@12", "a++@19"]);
      await queue.stop();
      clock.close();
    });

    test.each([Number.NaN, Number.POSITIVE_INFINITY])(
      "refuses the time %d, and keeps what waits",
      async (ms) => {
        const { clock, queue } = await open();
        await queue.schedule(taskAt("a", 5));
        await expect(queue.schedule(taskAt("a", ms))).rejects.toThrow(`\`${ms}\``);
        expect(await queue.pending()).toEqual([taskAt("a", 5)]);
        clock.close();
      },
    );
  });
}
