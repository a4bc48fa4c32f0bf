/** A clock that follows real time or is frozen, and that can be set and advanced: time is an input. */
import { LIMITS } from "../../base/limits.ts";
import { assertOptions } from "../../base/options.ts";
import type { SimulatedClock, Timer } from "./clock.ts";
import { compareTimers, createTimerHeap, type HeapTimer } from "./timer-heap.ts";

export interface SimulatedClockOptions {
  /** Real time, in milliseconds since the epoch. */
  readonly realNowMs: () => number;
  /** The initial time; default: real time. */
  readonly nowMs?: number;
  /** By default `"running"`. */
  readonly mode?: "running" | "frozen";
  /** Receives the error of each task that fails while no `advance` waits for it; by default the error is left uncaught. */
  readonly onFailure?: (error: unknown) => void;
}

interface TaskTimer extends HeapTimer {
  readonly task: () => void | Promise<void>;
  state: "waits" | "cancelled";
}

function assertTime(name: string, ms: number): void {
  if (Number.isInteger(ms) && Math.abs(ms) <= LIMITS.clockMsMax) return;
  throw new RangeError(
    `\`${name}\` is \`${ms}\`: give whole milliseconds between -${LIMITS.clockMsMax} and ${LIMITS.clockMsMax}`,
  );
}

function leaveUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

function failureOf(errors: readonly unknown[]): unknown {
  return errors.length === 1 ? errors[0] : new AggregateError(errors, "several timers failed");
}

export function createSimulatedClock(options: SimulatedClockOptions): SimulatedClock {
  assertOptions(options, ["realNowMs", "nowMs", "mode", "onFailure"]);
  const { realNowMs, onFailure = leaveUncaught } = options;
  let mode: "running" | "frozen" | "closed" = options.mode ?? "running";
  /** The time of a frozen clock; for a running clock, its time when real time was `sinceRealMs`. */
  let standMs = options.nowMs ?? realNowMs();
  let sinceRealMs = realNowMs();
  let isAdvancing = false;
  assertTime("nowMs", standMs);

  /** Timers whose time has been reached, which run even while the clock is frozen; and all others. */
  const reached = createTimerHeap<TaskTimer>();
  const later = createTimerHeap<TaskTimer>();
  let serial = 0;
  /** Counts changes that end a running advance, because its starting time is no longer valid. */
  let jumps = 0;
  let advances: Promise<unknown> = Promise.resolve();
  /** Work for which no advance waits yet. */
  const inFlight = new Set<Promise<void>>();
  let disarm: () => void = () => {};
  let wake: () => void = () => {};

  const nowMs = (): number =>
    mode === "running" && !isAdvancing ? standMs + (realNowMs() - sinceRealMs) : standMs;

  function standAt(ms: number): void {
    standMs = ms;
    sinceRealMs = realNowMs();
  }

  /** Moves timers whose time has come to `reached`. */
  function reach(ms: number): void {
    for (
      let timer = later.first();
      timer !== undefined && timer.atMs <= ms;
      timer = later.first()
    ) {
      later.remove(timer);
      reached.add(timer);
    }
  }

  /** Sets a real timer for the next due timer. */
  function arm(): void {
    disarm();
    disarm = () => {};
    if (mode === "closed" || isAdvancing) return;
    if (reached.first() !== undefined) {
      const immediate = setImmediate(() => wake());
      disarm = () => clearImmediate(immediate);
      return;
    }
    const next = later.first();
    if (mode === "frozen" || next === undefined) return;
    const waitMs = Math.min(Math.max(0, next.atMs - nowMs()), LIMITS.hostTimerMsMax);
    const timeout = setTimeout(() => wake(), waitMs);
    disarm = () => clearTimeout(timeout);
  }

  async function run({ task }: TaskTimer): Promise<void> {
    await task();
  }

  /** Runs the reached timers without waiting for their work; what that work schedules runs in another turn. */
  function runReached(): void {
    if (mode === "running") reach(nowMs());
    const due: TaskTimer[] = [];
    for (let timer = reached.first(); timer !== undefined; timer = reached.first()) {
      reached.remove(timer);
      due.push(timer);
    }
    for (const timer of due) {
      // The previous task may have cancelled this one, or closed the clock.
      if (timer.state === "cancelled" || mode === "closed") continue;
      const work: Promise<void> = run(timer)
        .catch(onFailure)
        .finally(() => inFlight.delete(work));
      inFlight.add(work);
    }
  }

  /**
   * Runs for the whole life of the clock, so that every task runs in the clock's asynchronous context and not in that of its
   * scheduler, such as a transaction.
   */
  async function follow(): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (mode === "closed") return;
      runReached();
      arm();
    }
  }

  /** The next timer that an advance to `untilMs` runs, with the clock at its time. */
  function takeNext(untilMs: number): TaskTimer | undefined {
    const now = reached.first();
    const then = later.first();
    const isThenDue = then !== undefined && then.atMs <= untilMs;
    if (isThenDue && (now === undefined || compareTimers(then, now) < 0)) {
      later.remove(then);
      standMs = Math.max(standMs, then.atMs);
      return then;
    }
    if (now !== undefined) reached.remove(now);
    return now;
  }

  async function runUntil(untilMs: number): Promise<readonly unknown[]> {
    const errors: unknown[] = [];
    const jumpsBefore = jumps;
    for (let count = 0; jumps === jumpsBefore; count++) {
      if (count === LIMITS.clockMoveTimersMax) {
        errors.push(
          new RangeError(`more than \`${count}\` timers in one move: move on in smaller steps`),
        );
        break;
      }
      const timer = takeNext(untilMs);
      if (timer === undefined) {
        standMs = untilMs;
        break;
      }
      try {
        await run(timer);
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }

  async function advanceNow(ms: number): Promise<void> {
    while (inFlight.size > 0) await Promise.all(inFlight);
    const untilMs = nowMs() + ms;
    assertTime("now + ms", untilMs);
    standAt(nowMs());
    isAdvancing = true;
    arm();
    try {
      const errors = await runUntil(untilMs);
      if (errors.length > 0) throw failureOf(errors);
    } finally {
      isAdvancing = false;
      standAt(standMs);
      arm();
    }
  }

  void follow();

  return {
    nowMs,
    get frozen() {
      return mode === "frozen";
    },
    at(atMs, task): Timer {
      assertTime("atMs", atMs);
      const timer: TaskTimer = { atMs, serial: serial++, place: -1, task, state: "waits" };
      const heap = atMs <= nowMs() ? reached : later;
      if (mode !== "closed") heap.add(timer);
      if (heap.first() === timer) arm();
      return {
        cancel() {
          timer.state = "cancelled";
          if (!reached.remove(timer)) later.remove(timer);
        },
      };
    },
    freeze() {
      if (mode !== "running") return;
      standAt(nowMs());
      reach(standMs);
      mode = "frozen";
      arm();
    },
    unfreeze() {
      if (mode !== "frozen") return;
      mode = "running";
      standAt(standMs);
      arm();
    },
    set(ms) {
      assertTime("nowMs", ms);
      jumps++;
      standAt(ms);
      arm();
    },
    async advance(ms) {
      assertTime("ms", ms);
      if (ms < 0) throw new RangeError(`\`ms\` is \`${ms}\`: set the clock to move it back`);
      const done = advances.then(() => advanceNow(ms));
      advances = done.catch(() => {});
      return done;
    },
    close() {
      mode = "closed";
      jumps++;
      reached.clear();
      later.clear();
      arm();
      wake();
    },
  };
}
