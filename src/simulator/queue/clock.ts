/** The clock port: the one source of time in the simulator. It can stand still, be set, and be moved forward. */

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /**
   * Runs `task` once the clock reaches `atMs` (at once, but never synchronously, if it has). A task must not
   * wait for a later time of the same clock, which may be waiting for the task: let it make another timer.
   */
  at(atMs: number, task: () => void | Promise<void>): Timer;
}

/** A clock that its owner can move; while it runs, it follows real time from the time it shows. */
export interface SimulatedClock extends Clock {
  readonly frozen: boolean;
  freeze(): void;
  /** Follows real time again, from the time it shows. */
  unfreeze(): void;
  /**
   * Jumps forward or back without running what lies between, which is then due when the clock moves on;
   * ends an advance under way; refuses what is not a finite time.
   */
  set(nowMs: number): void;
  /**
   * Moves on by `ms`, running each due timer at its own time, in order, and waiting for its work (and for
   * what that schedules), after what is running already. Rejects in the end when a task failed, which keeps
   * no other from running; several failures come as an `AggregateError`. Advances go one after another.
   */
  advance(ms: number): Promise<void>;
  /** Drops all timers; from here on time stands still. */
  close(): void;
}
