/** The clock port: the only source of time in the simulator. It can be frozen, set, and advanced. */

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /**
   * Runs `task` once the clock reaches `atMs` (at once, but never synchronously, if it has). A task must not wait for a later
   * time of the same clock, because the clock may be waiting for the task: set another timer.
   */
  at(atMs: number, task: () => void | Promise<void>): Timer;
}

/** A clock that its owner can set; while it runs, it follows real time from the time it shows. */
export interface SimulatedClock extends Clock {
  readonly frozen: boolean;
  freeze(): void;
  /** Follows real time again, from the time it shows. */
  unfreeze(): void;
  /**
   * Jumps forward or back without running the timers in between; they are due when the clock moves on. Ends a running advance.
   * Refuses a time that is not finite.
   */
  set(nowMs: number): void;
  /**
   * Moves on by `ms` after the work that is already running. Runs each due timer at its own time, in order, and waits for its
   * work and for what that schedules. A failed task stops no other; at the end the promise rejects, with an `AggregateError`
   * for several failures. Advances run one after another.
   */
  advance(ms: number): Promise<void>;
  /** Drops all timers and freezes the clock for good. */
  close(): void;
}
