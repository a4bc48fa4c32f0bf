/** The queue port: tasks that run at or after a time, at least once each. */

export interface QueuedTask {
  /** A task scheduled again under its id replaces the one that waits. */
  readonly id: string;
  readonly atMs: number;
  /** JSON-safe. */
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface Queue {
  schedule(task: QueuedTask): Promise<void>;
  /** Whether a task waited. A running task continues to its end, but is not run again if it fails. */
  cancel(id: string): Promise<boolean>;
  /**
   * Begins to run tasks. A handler that rejects is asked again after a pause, unless its task was scheduled
   * again in the meantime; others continue. Tasks of one id never run at the same time.
   */
  start(handler: (task: QueuedTask) => Promise<void>): Promise<void>;
  /** Tasks that wait or run, earliest first. */
  pending(): Promise<readonly QueuedTask[]>;
  /** Settles when no task is running or due (unstarted, none is due); what waits for a later time stays. */
  idle(): Promise<void>;
  /** Drops all waiting tasks. Running tasks continue to their end, but are not run again. */
  clear(): Promise<void>;
  /** Lets running tasks end, then runs none; what waits stays, for another start. */
  stop(): Promise<void>;
}
