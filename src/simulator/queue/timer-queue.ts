/** The queue in memory: one timer of the clock for each task, gone with the process. */
import { LIMITS } from "../../base/limits.ts";
import { assertOptions } from "../../base/options.ts";
import type { Clock, Timer } from "./clock.ts";
import type { Queue, QueuedTask } from "./queue.ts";

export interface TimerQueueOptions {
  /** Receives each rejection of the handler; the task is run again in any case. */
  readonly onFailure?: (error: unknown, task: QueuedTask) => void;
}

interface TimedEntry {
  readonly id: string;
  readonly atMs: number;
  /** JSON, so that every run gets its own payload. */
  readonly payload: string;
  /** Orders tasks of the same time. */
  readonly serial: number;
  /** `due`: its time has come and it waits for its turn; `dropped`: cancelled or replaced, so it does not run again. */
  state: "later" | "due" | "running" | "dropped";
  timer: Timer | undefined;
  /** Reports the end of the task to the clock, which may be waiting. */
  settle: () => void;
}

function taskOf({ id, atMs, payload }: TimedEntry): QueuedTask {
  return { id, atMs, payload: JSON.parse(payload) };
}

/**
 * At most `LIMITS.queueRunningMax` tasks run at once, and never two with one id. Tasks for the same time start in the order in
 * which they were scheduled.
 */
export function createTimerQueue(clock: Clock, options: TimerQueueOptions = {}): Queue {
  assertOptions(options, ["onFailure"]);
  /** Both maps are keyed by id. */
  const waiting = new Map<string, TimedEntry>();
  const running = new Map<string, TimedEntry>();
  /** Tasks that are due, in the order in which the clock reached them. */
  const turns: TimedEntry[] = [];
  let handler: ((task: QueuedTask) => Promise<void>) | undefined;
  let serial = 0;
  let idlers: (() => void)[] = [];

  function isIdle(): boolean {
    if (running.size > 0 || handler === undefined) return running.size === 0;
    for (const { state } of waiting.values()) if (state === "due") return false;
    return true;
  }

  function tellIdlers(): void {
    if (idlers.length === 0 || !isIdle()) return;
    for (const resolve of idlers) resolve();
    idlers = [];
  }

  function arm(entry: TimedEntry): void {
    entry.state = entry.atMs <= clock.nowMs() ? "due" : "later";
    entry.timer = clock.at(entry.atMs, () => {
      const ended = new Promise<void>((resolve) => {
        entry.settle = resolve;
      });
      entry.state = "due";
      turns.push(entry);
      giveTurns();
      return ended;
    });
  }

  function disarm(entry: TimedEntry): void {
    entry.timer?.cancel();
    const turn = turns.indexOf(entry);
    if (turn >= 0) turns.splice(turn, 1);
    entry.settle();
  }

  function add(id: string, atMs: number, payload: string): void {
    const entry: TimedEntry = {
      id,
      atMs,
      payload,
      serial: serial++,
      state: "later",
      timer: undefined,
      settle: () => {},
    };
    waiting.set(id, entry);
    if (handler !== undefined) arm(entry);
  }

  function drop(entry: TimedEntry): void {
    if (entry.state === "running") {
      entry.state = "dropped";
      return;
    }
    entry.state = "dropped";
    waiting.delete(entry.id);
    disarm(entry);
  }

  function giveTurns(): void {
    while (handler !== undefined && running.size < LIMITS.queueRunningMax) {
      const turn = turns.findIndex(({ id }) => !running.has(id));
      if (turn < 0) return;
      void run(turns.splice(turn, 1)[0]!, handler);
    }
  }

  async function run(
    entry: TimedEntry,
    handle: (task: QueuedTask) => Promise<void>,
  ): Promise<void> {
    const { id, payload } = entry;
    waiting.delete(id);
    running.set(id, entry);
    entry.state = "running";
    try {
      await handle(taskOf(entry));
      running.delete(id);
    } catch (error) {
      running.delete(id);
      // Another task was scheduled with the same id meanwhile, and replaces it.
      const isWanted = (entry.state as TimedEntry["state"]) !== "dropped" && !waiting.has(id);
      if (isWanted) add(id, clock.nowMs() + LIMITS.queueRetryMs, payload);
      options.onFailure?.(error, taskOf(entry));
    } finally {
      entry.settle();
      giveTurns();
      tellIdlers();
    }
  }

  function idle(): Promise<void> {
    return new Promise((resolve) => {
      idlers.push(resolve);
      tellIdlers();
    });
  }

  return {
    async schedule({ id, atMs, payload }) {
      if (!(Math.abs(atMs) <= LIMITS.clockMsMax)) {
        throw new RangeError(`\`atMs\` of the task \`${id}\` is \`${atMs}\`: give a time`);
      }
      const text = JSON.stringify(payload);
      const before = waiting.get(id);
      if (before !== undefined) drop(before);
      add(id, atMs, text);
      tellIdlers();
    },
    async cancel(id) {
      const ongoing = running.get(id);
      if (ongoing !== undefined) drop(ongoing);
      const entry = waiting.get(id);
      if (entry !== undefined) drop(entry);
      tellIdlers();
      return entry !== undefined;
    },
    async start(given) {
      if (handler !== undefined) throw new Error("the queue runs already: stop it first");
      handler = given;
      for (const entry of waiting.values()) arm(entry);
    },
    async pending() {
      return [...running.values(), ...waiting.values()]
        .sort((a, b) => a.atMs - b.atMs || a.serial - b.serial)
        .map(taskOf);
    },
    idle,
    async clear() {
      for (const entry of [...running.values(), ...waiting.values()]) drop(entry);
      tellIdlers();
    },
    async stop() {
      handler = undefined;
      for (const entry of waiting.values()) disarm(entry);
      await idle();
    },
  };
}
