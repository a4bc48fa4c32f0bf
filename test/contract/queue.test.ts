/** The queues that there are, under the contract of queues. */
import { createSimulatedClock } from "../../src/simulator/queue/simulated-clock.ts";
import { createTimerQueue } from "../../src/simulator/queue/timer-queue.ts";
import { queueContract } from "./queue.ts";

queueContract(
  "timer",
  async () => {
    const clock = createSimulatedClock({ nowMs: 0, mode: "frozen", realNowMs: () => 0 });
    return { clock, queue: createTimerQueue(clock) };
  },
  400,
);
