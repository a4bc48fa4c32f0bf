/** What every simulated clock owes: the runs of a plain reference under random commands, and the promises of the port. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SimulatedClock, Timer } from "../../src/simulator/queue/clock.ts";

/** What a timer does: says that it runs, makes others after some work, and may fail. */
interface Plan {
  readonly name: number;
  readonly offsetMs: number;
  readonly next: readonly Plan[];
  readonly end: "done" | "failed";
}

type Command =
  | { readonly kind: "at"; readonly plan: Plan }
  | { readonly kind: "cancel"; readonly index: number }
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "set"; readonly nowMs: number }
  | { readonly kind: "settle" };

const plan: fc.Memo<Plan> = fc.memo((depth) =>
  fc.record({
    name: fc.nat(999),
    offsetMs: fc.integer({ min: -3, max: 12 }),
    next: depth <= 1 ? fc.constant([]) : fc.array(plan(depth - 1), { maxLength: 2 }),
    end: fc.constantFrom("done", "done", "done", "failed"),
  }),
);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("at" as const), plan: plan(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), index: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("advance" as const), ms: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("set" as const), nowMs: fc.nat(60) }) },
  { weight: 2, arbitrary: fc.constant({ kind: "settle" as const }) },
);

interface PlainTimer {
  readonly plan: Plan;
  readonly atMs: number;
  readonly serial: number;
  readonly isReached: boolean;
}

/** A frozen clock as an array of timers, sorted anew for every step. */
class PlainClock {
  nowMs = 0;
  timers: PlainTimer[] = [];
  /** `name@time`, and `!name` for a failure. */
  readonly log: string[] = [];
  serial = 0;

  at(plan: Plan): PlainTimer {
    const atMs = this.nowMs + plan.offsetMs;
    const timer = { plan, atMs, serial: this.serial++, isReached: atMs <= this.nowMs };
    this.timers.push(timer);
    return timer;
  }

  cancel(timer: PlainTimer): void {
    this.timers = this.timers.filter((other) => other !== timer);
  }

  take(isDue: (timer: PlainTimer) => boolean): PlainTimer[] {
    const due = this.timers.filter(isDue);
    this.timers = this.timers.filter((timer) => !isDue(timer));
    return due.sort((a, b) => a.atMs - b.atMs || a.serial - b.serial);
  }

  finish({ plan }: PlainTimer): void {
    for (const next of plan.next) this.at(next);
    if (plan.end === "failed") this.log.push(`!${plan.name}`);
  }

  settle(): void {
    for (
      let due = this.take((t) => t.isReached);
      due.length > 0;
      due = this.take((t) => t.isReached)
    ) {
      for (const { plan } of due) this.log.push(`${plan.name}@${this.nowMs}`);
      for (const timer of due) this.finish(timer);
    }
  }

  advance(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const [first] = this.take((timer) => timer.isReached || timer.atMs <= untilMs).map(
        (timer, index) => {
          if (index > 0) this.timers.push(timer);
          return timer;
        },
      );
      if (first === undefined) break;
      if (!first.isReached) this.nowMs = Math.max(this.nowMs, first.atMs);
      this.log.push(`${first.plan.name}@${this.nowMs}`);
      this.finish(first);
    }
    this.nowMs = untilMs;
  }
}

/** Lets a frozen clock run what it has reached. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export interface ClockSetup {
  readonly nowMs: number;
  readonly mode: "running" | "frozen";
  readonly onFailure: (error: unknown) => void;
}

type OpenClock = (setup: ClockSetup) => SimulatedClock;

async function compareRuns(commands: readonly Command[], open: OpenClock): Promise<void> {
  const log: string[] = [];
  const noteFailure = (error: unknown): void => {
    const errors = error instanceof AggregateError ? error.errors : [error];
    for (const one of errors) log.push(`!${(one as Error).message}`);
  };
  const clock = open({ nowMs: 0, mode: "frozen", onFailure: noteFailure });
  const plain = new PlainClock();
  const made: [Timer, PlainTimer][] = [];
  const at = (given: Plan): Timer =>
    clock.at(clock.nowMs() + given.offsetMs, async () => {
      log.push(`${given.name}@${clock.nowMs()}`);
      await null;
      for (const next of given.next) at(next);
      if (given.end === "failed") throw new Error(String(given.name));
    });
  /** An advance tells of its failures in the end only. */
  const sorted = (lines: string[]): string[] => {
    const runs = lines.filter((line) => !line.startsWith("!"));
    return [...runs, ...lines.filter((line) => line.startsWith("!"))];
  };

  for (const step of [...commands, { kind: "settle" } as const]) {
    if (step.kind === "at") made.push([at(step.plan), plain.at(step.plan)]);
    if (step.kind === "cancel" && made[step.index] !== undefined) {
      made[step.index]![0].cancel();
      plain.cancel(made[step.index]![1]);
    }
    if (step.kind === "advance") {
      await clock.advance(step.ms).catch(noteFailure);
      plain.advance(step.ms);
    }
    if (step.kind === "set") {
      clock.set(step.nowMs);
      plain.nowMs = step.nowMs;
    }
    if (step.kind === "settle") {
      await settle();
      plain.settle();
    }
    expect(sorted(log), JSON.stringify(step)).toEqual(sorted(plain.log));
    expect(clock.nowMs()).toBe(plain.nowMs);
  }
  clock.close();
}

/** Runs the suite on clocks that `open` makes. Real time is `Date.now()`. */
export function clockContract(name: string, open: OpenClock, numRuns: number): void {
  describe(`the contract of a simulated clock: ${name}`, () => {
    const failures: unknown[] = [];
    const setup = { onFailure: (error: unknown) => failures.push(error) };
    beforeEach(() => {
      failures.length = 0;
    });

    test("runs what the reference runs, when it does", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 20, size: "max" }), (commands) =>
          compareRuns(commands, open),
        ),
        { seed: 20261120, numRuns },
      );
    });

    test("never runs a task while it is being scheduled", async () => {
      const clock = open({ ...setup, nowMs: 100, mode: "frozen" });
      const log: string[] = [];
      clock.at(100, () => void log.push("ran"));
      clock.at(0, () => void log.push("ran earlier"));
      log.push("scheduled");
      await settle();
      expect(log).toEqual(["scheduled", "ran earlier", "ran"]);
      clock.close();
    });

    test("a timer that another one cancels at the same moment does not run", async () => {
      for (const move of ["settle", "advance"]) {
        const clock = open({ ...setup, nowMs: 0, mode: "frozen" });
        const log: string[] = [];
        const atMs = move === "settle" ? 0 : 5;
        const timers: Timer[] = [];
        clock.at(atMs, () => timers[0]!.cancel());
        timers.push(clock.at(atMs, () => void log.push("cancelled")));
        await (move === "settle" ? settle() : clock.advance(10));
        expect(log).toEqual([]);
        clock.close();
      }
    });

    test("what a set jumps over waits until the clock moves on", async () => {
      const clock = open({ ...setup, nowMs: 0, mode: "frozen" });
      const log: number[] = [];
      clock.at(10, () => void log.push(clock.nowMs()));
      clock.set(50);
      await settle();
      expect([clock.nowMs(), log]).toEqual([50, []]);
      await clock.advance(0);
      expect(log).toEqual([50]);
      clock.close();
    });

    test("a set ends an advance under way", async () => {
      const clock = open({ ...setup, nowMs: 0, mode: "frozen" });
      const log: string[] = [];
      clock.at(10, () => clock.set(1_000));
      clock.at(20, () => void log.push("not reached"));
      await clock.advance(100);
      expect([clock.nowMs(), log]).toEqual([1_000, []]);
      clock.close();
    });

    test("advances go one after another, and wait for work that runs already", async () => {
      const clock = open({ ...setup, nowMs: 0, mode: "frozen" });
      const log: string[] = [];
      clock.at(0, async () => {
        await settle();
        log.push(`slow@${clock.nowMs()}`);
      });
      clock.at(15, () => void log.push(`late@${clock.nowMs()}`));
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all([clock.advance(10), clock.advance(10)]);
      expect([clock.nowMs(), log]).toEqual([20, ["slow@0", "late@15"]]);
      clock.close();
    });

    test("one failure comes as it is, several come together, and the clock arrives", async () => {
      const clock = open({ ...setup, nowMs: 0, mode: "frozen" });
      const errors = [new Error("a"), new Error("b"), new Error("c")];
      clock.at(1, () => {
        throw errors[0]!;
      });
      await expect(clock.advance(5)).rejects.toBe(errors[0]);
      clock.at(6, () => Promise.reject(errors[1]));
      clock.at(7, () => Promise.reject(errors[2]));
      await expect(clock.advance(5)).rejects.toMatchObject({ errors: errors.slice(1) });
      expect([clock.nowMs(), failures]).toEqual([10, []]);
      clock.at(10, () => Promise.reject(errors[0]));
      await settle();
      expect(failures).toEqual([errors[0]]);
      clock.close();
    });

    test("a closed clock stands still and runs nothing", async () => {
      const clock = open({ ...setup, nowMs: 0, mode: "frozen" });
      const log: string[] = [];
      clock.at(0, () => void log.push("reached"));
      clock.at(5, () => void log.push("later"));
      clock.close();
      clock.at(0, () => void log.push("closed"));
      await clock.advance(10);
      await settle();
      expect(log).toEqual([]);

      const other = open({ ...setup, nowMs: 0, mode: "frozen" });
      other.at(0, () => other.close());
      other.at(0, () => void log.push("after the one that closes"));
      await settle();
      expect(log).toEqual([]);
    });

    test.each([Number.NaN, Number.POSITIVE_INFINITY, -8_640_000_000_000_001])(
      "refuses the time %d",
      async (ms) => {
        expect(() => open({ ...setup, nowMs: ms, mode: "frozen" })).toThrow(
          `\`nowMs\` is \`${ms}\``,
        );
        const clock = open({ ...setup, nowMs: 7, mode: "frozen" });
        expect(() => clock.set(ms)).toThrow(`\`nowMs\` is \`${ms}\``);
        expect(() => clock.at(ms, () => {})).toThrow(`\`atMs\` is \`${ms}\``);
        await expect(clock.advance(ms)).rejects.toThrow(`\`ms\` is \`${ms}\``);
        await expect(clock.advance(-1)).rejects.toThrow("set the clock to move it back");
        expect(clock.nowMs()).toBe(7);
        clock.close();
      },
    );

    test("an advance beyond the last time is refused, and changes nothing", async () => {
      const clock = open({ ...setup, nowMs: 8_640_000_000_000_000, mode: "frozen" });
      await expect(clock.advance(1)).rejects.toThrow("`now + ms`");
      expect(clock.nowMs()).toBe(8_640_000_000_000_000);
      clock.close();
    });

    describe("running", () => {
      beforeEach(() => {
        vi.useFakeTimers({
          toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "Date"],
          now: 1_000_000,
        });
      });
      afterEach(() => {
        vi.useRealTimers();
      });

      test("follows real time, stands when frozen, and goes on from there", async () => {
        const clock = open({ ...setup, nowMs: 500, mode: "running" });
        const log: string[] = [];
        clock.at(600, () => void log.push(`a@${clock.nowMs()}`));
        clock.at(800, () => void log.push(`b@${clock.nowMs()}`));
        await vi.advanceTimersByTimeAsync(150);
        expect([clock.nowMs(), clock.frozen, log]).toEqual([650, false, ["a@600"]]);
        clock.freeze();
        await vi.advanceTimersByTimeAsync(10_000);
        expect([clock.nowMs(), clock.frozen, log]).toEqual([650, true, ["a@600"]]);
        clock.unfreeze();
        await vi.advanceTimersByTimeAsync(200);
        expect([clock.nowMs(), clock.frozen, log]).toEqual([850, false, ["a@600", "b@800"]]);
        clock.close();
      });

      test("goes on from where an advance or a set leaves it", async () => {
        const clock = open({ ...setup, nowMs: 0, mode: "running" });
        const log: string[] = [];
        for (const atMs of [10, 5_000, 20_000]) {
          clock.at(atMs, () => void log.push(`${atMs}@${clock.nowMs()}`));
        }
        await clock.advance(6_000);
        expect([clock.nowMs(), log]).toEqual([6_000, ["10@10", "5000@5000"]]);
        await vi.advanceTimersByTimeAsync(100);
        expect(clock.nowMs()).toBe(6_100);
        clock.set(30_000);
        expect(log).toHaveLength(2);
        await vi.advanceTimersByTimeAsync(1);
        expect([clock.nowMs(), log[2]]).toEqual([30_001, "20000@30000"]);
        clock.close();
      });

      test("time stands at each timer of an advance, however long its work takes", async () => {
        const clock = open({ ...setup, nowMs: 0, mode: "running" });
        const log: string[] = [];
        const slow = (name: string) => async (): Promise<void> => {
          await vi.advanceTimersByTimeAsync(1_000);
          log.push(`${name}@${clock.nowMs()}`);
        };
        for (const [name, atMs] of [
          ["a", 10],
          ["b", 20],
          ["c", 20],
        ] as const) {
          clock.at(atMs, slow(name));
        }
        await clock.advance(50);
        expect([clock.nowMs(), log]).toEqual([50, ["a@10", "b@20", "c@20"]]);
        clock.close();
      });

      test("what was due when the clock was frozen still runs", async () => {
        const clock = open({ ...setup, nowMs: 0, mode: "running" });
        const log: number[] = [];
        clock.at(10, () => void log.push(clock.nowMs()));
        clock.at(16, () => void log.push(clock.nowMs()));
        vi.setSystemTime(1_000_015);
        clock.freeze();
        await vi.advanceTimersByTimeAsync(100);
        expect([clock.nowMs(), log]).toEqual([15, [15]]);
        clock.close();
      });

      test("waits longer than the host's timers can", async () => {
        const clock = open({ ...setup, nowMs: 0, mode: "running" });
        const log: number[] = [];
        const atMs = 3 * 2_147_483_647;
        clock.at(atMs, () => void log.push(clock.nowMs()));
        await vi.advanceTimersByTimeAsync(atMs - 1);
        expect(log).toEqual([]);
        await vi.advanceTimersByTimeAsync(1);
        expect(log).toEqual([atMs]);
        clock.close();
      });

      test("does not wait for one task before it runs another", async () => {
        const clock = open({ ...setup, nowMs: 0, mode: "running" });
        const log: string[] = [];
        clock.at(10, () => new Promise(() => {}));
        clock.at(20, () => void log.push("ran"));
        await vi.advanceTimersByTimeAsync(20);
        expect(log).toEqual(["ran"]);
        clock.close();
      });

      test("a task that schedules itself at once leaves others their turn", async () => {
        const clock = open({ ...setup, nowMs: 0, mode: "running" });
        let runs = 0;
        const again = (): void => {
          runs++;
          clock.at(clock.nowMs(), again);
        };
        again();
        await vi.advanceTimersByTimeAsync(0);
        expect(runs).toBeGreaterThan(0);
        clock.close();
        expect(vi.getTimerCount()).toBe(0);
      });
    });
  });
}
