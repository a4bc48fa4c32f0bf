/** The queues that there are, under the contract of queues. */
import { afterAll } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { createBossQueue } from "../../src/simulator/queue/boss-queue.ts";
import { createSimulatedClock } from "../../src/simulator/queue/simulated-clock.ts";
import { createTimerQueue } from "../../src/simulator/queue/timer-queue.ts";
import { openPostgresDatabase } from "../../src/simulator/store/sql/database/postgres-database.ts";
import { dropNamespaces, hasPostgres, newNamespace, POSTGRES_URL } from "./databases.ts";
import { queueContract } from "./queue.ts";
import { queuePromises } from "./queue-promises.ts";

const frozen = () => {
  const clock = createSimulatedClock({ nowMs: 0, mode: "frozen", realNowMs: () => 0 });
  return { clock, queue: createTimerQueue(clock) };
};

queueContract("timer", async () => frozen(), 400);

queuePromises("timer", async () => {
  const { clock, queue } = frozen();
  return {
    queue,
    nowMs: () => clock.nowMs(),
    pass: (ms) => clock.advance(ms),
    async settle() {
      for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
    },
    retryMs: LIMITS.queueRetryMs,
    close: async () => clock.close(),
  };
});

const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const namespaces: string[] = [];
afterAll(() => dropNamespaces(namespaces));

queuePromises(
  "pg-boss",
  async () => {
    const namespace = newNamespace();
    namespaces.push(namespace);
    const database = openPostgresDatabase(POSTGRES_URL, namespace);
    const queue = await createBossQueue({
      database: {
        run: (sql, parameters) => database.run({ sql, parameters }),
        listen: async (channel, onMessage) => database.listen?.(channel, onMessage, onMessage),
      },
      schema: namespace,
      epoch: 1,
      nowMs: Date.now,
    });
    return {
      queue,
      nowMs: Date.now,
      pass,
      settle: () => pass(50),
      retryMs: LIMITS.taskRetryMs,
      async close() {
        await queue.close();
        await database.close();
      },
    };
  },
  { skip: !hasPostgres },
);
