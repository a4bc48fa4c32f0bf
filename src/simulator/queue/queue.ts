/** The queue port: tasks that run at or after a time, at least once each. */

export interface QueuedTask {
  /** Scheduling a task with the id of a waiting one replaces it. */
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
   * Starts running tasks. If the handler rejects, the task runs again after a pause, unless it was scheduled again meanwhile;
   * others continue. Two tasks with one id never run at the same time.
   */
  start(handler: (task: QueuedTask) => Promise<void>): Promise<void>;
  /** Tasks that wait or run, earliest first. */
  pending(): Promise<readonly QueuedTask[]>;
  /** Settles when no task is running or due (before `start`, none is due); tasks for a later time stay. */
  idle(): Promise<void>;
  /** Drops all waiting tasks. Running tasks continue to their end, but are not run again. */
  clear(): Promise<void>;
  /** Waits for running tasks and starts no more; waiting tasks stay for the next start. */
  stop(): Promise<void>;
}
