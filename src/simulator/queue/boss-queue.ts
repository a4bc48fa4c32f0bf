/** The queue that nodes share: pg-boss keeps the tasks in the database, and any node runs one when it is due. */
import PgBoss from "pg-boss";
import { LIMITS } from "../../base/limits.ts";
import type { Queue, QueuedTask } from "./queue.ts";

/** The part of a database that the queue uses. */
export interface TaskDatabase {
  /** Tries again for a while after a lost connection, with which pg-boss alone would end the process. */
  run(sql: string, parameters: readonly unknown[]): Promise<{ readonly rows: readonly object[] }>;
  /** Calls `onMessage` when a node announces a due task. */
  listen(channel: string, onMessage: () => void): Promise<void>;
}

export interface BossQueueOptions {
  readonly database: TaskDatabase;
  /** Schema of the database for pg-boss's tables; channel of its announcements. */
  readonly schema: string;
  /** Identifies this process among all that ever shared the queue. */
  readonly epoch: number;
  readonly nowMs: () => number;
  /** Receives each rejection of the handler; the task is run again in any case. */
  readonly onFailure?: (error: unknown, task: QueuedTask) => void;
  /** Receives errors that pg-boss reports itself. */
  readonly onError?: (error: unknown) => void;
}

export interface BossQueue extends Queue {
  /** Puts back the tasks that a process now gone was running. */
  release(epoch: number): Promise<void>;
  /** Whether this process runs the task of that id now. */
  isRunning(id: string): boolean;
  /** Whether there are due tasks that no node runs. */
  hasBacklog(): Promise<boolean>;
  /** Closes the queue; its tasks stay. */
  close(): Promise<void>;
}

const NAME = "task";
/** Longer than any handler takes: a task whose node is gone is scheduled again long before. */
const EXPIRE_SECONDS = 600;
const RETRIES_MAX = 1_000_000;

/** Collects requests while the last group is being handled, and handles them together. */
function createGroups<Item>(
  work: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  const waiting: { readonly item: Item; resolve(): void; reject(error: unknown): void }[] = [];
  let state: "idle" | "draining" = "idle";
  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, LIMITS.commitTurnsMax);
      try {
        await work(group.map(({ item }) => item));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    state = "idle";
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (state === "draining") return;
      state = "draining";
      void drain();
    });
}

interface Job {
  readonly id: string;
  readonly data: QueuedTask;
}

export async function createBossQueue(options: BossQueueOptions): Promise<BossQueue> {
  const { database, schema, epoch, nowMs, onFailure, onError = () => {} } = options;
  const boss = new PgBoss({
    schema,
    schedule: false,
    db: {
      executeSql: async (text, values) =>
        ({ ...(await database.run(text, values ?? [])) }) as never,
    },
  });
  boss.on("error", onError);
  await boss.start();
  await boss.createQueue(NAME, {
    name: NAME,
    retryLimit: RETRIES_MAX,
    retryDelay: LIMITS.taskRetryMs / 1_000,
    expireInSeconds: EXPIRE_SECONDS,
  });
  const jobs = `"${schema}".job`;
  const waits = `name = '${NAME}' and state in ('created', 'retry')`;
  const isDropped = "coalesce(output, '{}') ? 'dropped'";
  const query = (sql: string, parameters: readonly unknown[] = []) => database.run(sql, parameters);

  let handler: ((task: QueuedTask) => Promise<void>) | undefined;
  const running = new Map<string, Promise<void>>();
  let looking: Promise<void> | undefined;
  let isAskedAgain = false;

  const insert = createGroups<QueuedTask>(async (tasks) => {
    // If several have the same id, the last one counts.
    const latest = [...new Map(tasks.map((task) => [task.id, task])).values()];
    const ids = latest.map(({ id }) => id);
    await query(`delete from ${jobs} where ${waits} and singleton_key = any($1::text[])`, [ids]);
    await boss.insert(
      latest.map((task) => ({
        name: NAME,
        data: task,
        singletonKey: task.id,
        startAfter: new Date(Date.now() + Math.max(0, task.atMs - nowMs())),
        retryLimit: RETRIES_MAX,
        retryDelay: LIMITS.taskRetryMs / 1_000,
        expireInSeconds: EXPIRE_SECONDS,
      })),
    );
    if (latest.some(({ atMs }) => atMs <= nowMs()))
      await query("select pg_notify($1, '')", [schema]);
  });
  const complete = createGroups<string>((ids) => boss.complete(NAME, [...ids]).then(() => {}));

  async function run(
    { id: jobId, data: task }: Job,
    handle: NonNullable<typeof handler>,
  ): Promise<void> {
    try {
      await handle(task);
      await complete(jobId);
    } catch (error) {
      onFailure?.(error, task);
      await endFailed(jobId, error).catch(onError);
    }
  }

  /** Runs a failed task again, unless it was dropped or scheduled again meanwhile. */
  async function endFailed(jobId: string, error: unknown): Promise<void> {
    const { rows } = await query(
      `select 1 from ${jobs} as it where id = $1::uuid and (${isDropped} or exists (
        select 1 from ${jobs} where ${waits} and singleton_key = it.singleton_key))`,
      [jobId],
    );
    if (rows.length > 0) await complete(jobId);
    else await boss.fail(NAME, jobId, { message: String(error) });
  }

  /** Running tasks continue to their end, on any node, and are not run again. */
  async function dropRunning(condition: string, parameters: readonly unknown[]): Promise<void> {
    await query(
      `update ${jobs} set output = coalesce(output, '{}') || '{"dropped": true}'
        where name = '${NAME}' and state = 'active' and ${condition}`,
      parameters,
    );
  }

  /** pg-boss does not record which process runs a job, but others must know if this process ends. */
  async function noteRunning(found: readonly Job[]): Promise<void> {
    const ids = found.map(({ id }) => id);
    const runner = JSON.stringify({ epoch });
    await query(
      `update ${jobs} set output = coalesce(output, '{}') || $1::jsonb where id = any($2::uuid[])`,
      [runner, ids],
    );
  }

  async function takeDue(): Promise<void> {
    while (handler !== undefined && running.size < LIMITS.queueRunningMax) {
      // A fetched task runs even if the queue is stopped meanwhile.
      const handle = handler;
      const batchSize = LIMITS.queueRunningMax - running.size;
      const found = (await boss.fetch<QueuedTask>(NAME, { batchSize })) as readonly Job[];
      if (found.length > 0) await noteRunning(found);
      for (const job of found) start(job, handle);
      if (found.length < batchSize) return;
    }
  }

  function start(job: Job, handle: NonNullable<typeof handler>): void {
    const { id } = job.data;
    // Two tasks with one id never run at once: the second one is put back.
    const before = running.get(id);
    const work = (
      before === undefined ? run(job, handle) : before.then(() => run(job, handle))
    ).finally(() => {
      if (running.get(id) === work) running.delete(id);
      look();
    });
    running.set(id, work);
  }

  function look(): void {
    isAskedAgain = true;
    if (handler === undefined) return;
    looking ??= (async () => {
      while (isAskedAgain) {
        isAskedAgain = false;
        await takeDue().catch(onError);
      }
    })().finally(() => {
      looking = undefined;
    });
  }

  await database.listen(schema, look);
  const timer = setInterval(look, LIMITS.taskPollMs);
  timer.unref();

  async function ended(): Promise<void> {
    await looking;
    while (running.size > 0) await Promise.all(running.values());
  }

  async function isDue(): Promise<boolean> {
    const { rows } = await query(
      `select 1 from ${jobs} where ${waits} and start_after <= now() limit 1`,
    );
    return rows.length > 0;
  }

  return {
    schedule(task) {
      if (!(Math.abs(task.atMs) <= LIMITS.clockMsMax)) {
        throw new RangeError(
          `\`atMs\` of the task \`${task.id}\` is \`${task.atMs}\`: give a time`,
        );
      }
      return insert(JSON.parse(JSON.stringify(task)));
    },
    async cancel(id) {
      const { rows } = await query(
        `delete from ${jobs} where ${waits} and singleton_key = $1 returning id`,
        [id],
      );
      if (rows.length === 0) await dropRunning("singleton_key = $1", [id]);
      return rows.length > 0;
    },
    async start(given) {
      if (handler !== undefined) throw new Error("the queue runs already: stop it first");
      handler = given;
      look();
    },
    async pending() {
      const { rows } = await query(
        `select data from ${jobs} where name = '${NAME}' and state in ('created', 'retry', 'active')
          order by start_after, created_on, id`,
      );
      return rows.map((row) => (row as Job).data);
    },
    async idle() {
      for (;;) {
        await ended();
        if (handler === undefined || !(await isDue())) return;
        look();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    async clear() {
      await query(`delete from ${jobs} where ${waits}`);
      await dropRunning("true", []);
    },
    async stop() {
      handler = undefined;
      await ended();
    },
    isRunning: (id) => running.has(id),
    hasBacklog: isDue,
    async release(gone) {
      const ran = `name = '${NAME}' and state = 'active' and output ->> 'epoch' = $1`;
      await query(`delete from ${jobs} where ${ran} and ${isDropped}`, [String(gone)]);
      await query(
        `update ${jobs} set state = 'retry', start_after = now(), output = null where ${ran}`,
        [String(gone)],
      );
      look();
    },
    async close() {
      handler = undefined;
      clearInterval(timer);
      await ended();
      await boss.stop({ graceful: false, wait: false });
    },
  };
}
