/** All benches, by name. */
import type { Bench } from "./bench.ts";
import { bombsBench } from "./bombs.bench.ts";
import { celBench } from "./cel.bench.ts";
import { compileBench } from "./compile.bench.ts";
import { memoryBench } from "./memory.bench.ts";
import { patternsBench } from "./patterns.bench.ts";
import { peersBench } from "./peers.bench.ts";
import { readingBench } from "./reading.bench.ts";
import { replayBench, replayMemoryBench } from "./replay.bench.ts";
import { rulesBench } from "./rules.bench.ts";
import { simulatorHttpBench } from "./simulator-http.bench.ts";
import { simulatorSmtpBench } from "./simulator-smtp.bench.ts";

export const BENCHES: readonly Bench[] = [
  rulesBench,
  patternsBench,
  celBench,
  compileBench,
  memoryBench,
  readingBench,
  bombsBench,
  peersBench,
  replayBench,
  replayMemoryBench,
  simulatorHttpBench,
  simulatorSmtpBench,
];
