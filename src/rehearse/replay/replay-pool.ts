/** Runs batches on worker threads, or in this one, and gives their results in the order of the batches. */
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BatchResult, batchRouter, type ReplayJob } from "./replay-batch.ts";
import type { Batch } from "./replay-plan.ts";

export interface BatchPool {
  run(batch: Batch): Promise<BatchResult>;
  close(): Promise<void>;
}

/** How often a batch is tried: a worker that is killed was killed by something else than mail. */
const TRIES_MAX = 3;

/** Only when run from its sources the worker is TypeScript, which tsx has to load. */
function workerModule(): { readonly filename: string; readonly execArgv: string[] } {
  const isSource = import.meta.url.endsWith(".ts");
  const url = new URL(isSource ? "./replay-worker.ts" : "./replay-worker.js", import.meta.url);
  const filename = fileURLToPath(url);
  if (!isSource) return { filename, execArgv: [] };
  const tsx = createRequire(import.meta.url).resolve("tsx");
  return { filename, execArgv: ["--import", pathToFileURL(tsx).href] };
}

function poolOfOne(job: ReplayJob): BatchPool {
  const run = batchRouter(job);
  return { run, close: async () => undefined };
}

/** `workers`: threads; 0 is this one. `module`: what they run, if not `replay-worker`. */
export async function openPool(
  job: ReplayJob,
  workers: number,
  module: string | undefined,
): Promise<BatchPool> {
  if (workers === 0) return poolOfOne(job);
  const { Piscina } = await import("piscina");
  const ours = workerModule();
  const pool = new Piscina({
    filename: module ?? ours.filename,
    name: "runBatch",
    workerData: job,
    minThreads: workers,
    maxThreads: workers,
    execArgv: ours.execArgv,
    recordTiming: false,
  });
  // Without a listener the death of an idle worker would end the process.
  pool.on("error", () => undefined);
  return {
    async run(batch) {
      for (let tries = 1; ; tries++) {
        try {
          return (await pool.run(batch)) as BatchResult;
        } catch (error) {
          if (tries === TRIES_MAX) throw error;
        }
      }
    },
    close: () => pool.destroy(),
  };
}
