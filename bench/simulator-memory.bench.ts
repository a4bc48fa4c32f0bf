/** What the simulator holds after much mail: flat once the bounds of `keep` are reached. */
import { createSimulator, type SimulatorOptions } from "../src/simulator/index.ts";
import type { Bench, Work } from "./bench.ts";

const COUNTS = [10_000, 25_000, 50_000];
const BODY = "x".repeat(1_000);
const UNBOUNDED = { messages: 1_000_000, bytes: 1e12, logs: 1_000_000 };

function bytesHeld(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Fills memory once; every round tells the same bytes. */
async function held(caseName: string, keep: SimulatorOptions["keep"]): Promise<Work> {
  const count = Number.parseInt(caseName, 10);
  const simulator = await createSimulator({
    keep,
    world: {
      plan: { daily_receive_limit: 1_000_000 },
      domains: [{ domain: "own.test", aliases: [{ alias: "*", forward: "in@dest.test" }] }],
    },
  });
  const before = bytesHeld();
  const answers: string[] = [];
  for (let at = 0; at < count; at++) {
    const envelope = { sender: "ann@source.test", recipients: [`u${at}@own.test`] };
    const message = `From: ann@source.test\nSubject: mail ${at}\n\n${BODY}\n`;
    const [answer] = await simulator.receive({ envelope, message });
    if (at % 1_000 === 0) answers.push(String(answer!.code));
  }
  const cost = bytesHeld() - before;
  return {
    operations: count,
    measure: async () => ({ cost, answers }),
    close: () => void simulator.close(),
  };
}

export const simulatorMemoryBench: Bench = {
  name: "simulator-memory",
  title: "what the simulator holds after messages of 1 KB, routed, logged and delivered",
  operation: "message",
  unit: "bytes",
  cases: (scale) => (scale === "tiny" ? [20] : COUNTS).map((count) => `${count} messages`),
  contestants: [
    { name: "default bounds", prepare: (caseName) => held(caseName, undefined) },
    { name: "no bounds", prepare: (caseName) => held(caseName, UNBOUNDED) },
  ],
};
