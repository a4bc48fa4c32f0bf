/** All benches, by name; each is loaded when it is run, so that no contestant carries what another needs. */
import type { Bench, OwnBench } from "./bench.ts";

const LOADERS: Readonly<Record<string, () => Promise<Bench | OwnBench>>> = {
  rules: async () => (await import("./rules.bench.ts")).rulesBench,
  patterns: async () => (await import("./patterns.bench.ts")).patternsBench,
  hostile: async () => (await import("./hostile.bench.ts")).hostileBench,
  cel: async () => (await import("./cel.bench.ts")).celBench,
  compile: async () => (await import("./compile.bench.ts")).compileBench,
  memory: async () => (await import("./memory.bench.ts")).memoryBench,
  reading: async () => (await import("./reading.bench.ts")).readingBench,
  bombs: async () => (await import("./bombs.bench.ts")).bombsBench,
  peers: async () => (await import("./peers.bench.ts")).peersBench,
  replay: async () => (await import("./replay.bench.ts")).replayBench,
  "replay-memory": async () => (await import("./replay.bench.ts")).replayMemoryBench,
  proofs: async () => (await import("./proofs.bench.ts")).proofsBench,
  "simulator-http": async () => (await import("./simulator-http.bench.ts")).simulatorHttpBench,
  "simulator-memory": async () =>
    (await import("./simulator-memory.bench.ts")).simulatorMemoryBench,
  "simulator-pauses": async () =>
    (await import("./simulator-pauses.bench.ts")).simulatorPausesBench,
  "simulator-smtp": async () => (await import("./simulator-smtp.bench.ts")).simulatorSmtpBench,
};

export const BENCH_NAMES: readonly string[] = Object.keys(LOADERS);

export async function loadBench(name: string): Promise<Bench | OwnBench | undefined> {
  return LOADERS[name]?.();
}
