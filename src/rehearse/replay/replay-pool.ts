/** Runs batches on worker threads or in this thread, and returns their results in the order of the batches. */
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { RehearseOptions } from "../rehearsed-domain.ts";
import { type BatchResult, batchRouter, type ReplayJob } from "./replay-batch.ts";
import type { Batch } from "./replay-plan.ts";

export interface BatchPool {
  run(batch: Batch): Promise<BatchResult>;
  close(): Promise<void>;
}

/** Octets of mail from which starting threads pays. */
const THREADS_FROM_BYTES = 8_388_608;
/** Files from which starting threads pays: a small file costs as much as 4 KB of an mbox and its opening. */
const THREADS_FROM_FILES = 4_000;
/** Batches in progress per worker: enough that no worker waits, few enough that memory stays flat. */
const BATCHES_PER_WORKER = 3;

/**
 * How many threads pay for so much mail; `workers` overrides that. A host's rule types are functions, which only this
 * thread has.
 */
export function workersFor(
  workers: number | undefined,
  bytesTotal: number,
  filesTotal: number,
  ruleTypes: RehearseOptions["ruleTypes"] = [],
): number {
  if (ruleTypes.length > 0) {
    if (workers === undefined || workers === 0) return 0;
    throw new TypeError("worker threads do not know `ruleTypes`: leave `workers` out, or give 0");
  }
  if (workers === undefined) {
    const isLittle = bytesTotal < THREADS_FROM_BYTES && filesTotal < THREADS_FROM_FILES;
    return isLittle ? 0 : availableParallelism();
  }
  if (Number.isSafeInteger(workers) && workers >= 0) return workers;
  throw new TypeError(`\`workers\` is ${workers}: give a whole number from 0 on`);
}

/** How often a batch is tried: what kills a worker is not the mail in its batch. */
const TRIES_MAX = 3;

/** When run from source, the worker is TypeScript, which tsx must load. */
function workerModule(): { readonly filename: string; readonly execArgv: string[] } {
  const isSource = import.meta.url.endsWith(".ts");
  const url = new URL(isSource ? "./replay-worker.ts" : "./replay-worker.js", import.meta.url);
  const filename = fileURLToPath(url);
  if (!isSource) return { filename, execArgv: [] };
  const tsx = createRequire(import.meta.url).resolve("tsx");
  return { filename, execArgv: ["--import", pathToFileURL(tsx).href] };
}

/** `workers`: number of threads; 0: this thread. `module`: what they run instead of `replay-worker`. */
export async function openPool(
  job: ReplayJob,
  workers: number,
  module?: string | undefined,
  ruleTypes?: RehearseOptions["ruleTypes"],
): Promise<BatchPool> {
  if (workers === 0) return { run: batchRouter(job, ruleTypes), close: async () => undefined };
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
  const waiting = new Set<(error: unknown) => void>();
  // Without a listener, the death of an idle worker ends the process. Workers that cannot start are not replaced:
  // batches would wait for them forever.
  pool.on("error", (error: unknown) => {
    if (pool.threads.length === 0) for (const reject of waiting) reject(error);
  });
  const runOnce = (batch: Batch): Promise<BatchResult> =>
    new Promise((resolve, reject) => {
      waiting.add(reject);
      pool
        .run(batch)
        .then(resolve, reject)
        .finally(() => waiting.delete(reject));
    });
  return {
    async run(batch) {
      for (let tries = 1; ; tries++) {
        try {
          return await runOnce(batch);
        } catch (error) {
          if (tries === TRIES_MAX || pool.threads.length === 0) throw error;
        }
      }
    },
    close: () => pool.destroy(),
  };
}

interface InOrder {
  readonly pool: BatchPool;
  readonly workers: number;
  readonly signal: AbortSignal | undefined;
  merge(batch: Batch, result: BatchResult): Promise<void>;
}

/** Runs batches, several at once, and merges them in their order. `ended`: the signal came before all were merged. */
export async function runInOrder(
  batches: AsyncIterable<Batch>,
  { pool, workers, signal, merge }: InOrder,
): Promise<"done" | "ended"> {
  const atOnce = Math.max(1, workers * BATCHES_PER_WORKER);
  const underWay: { readonly batch: Batch; readonly result: Promise<BatchResult> }[] = [];
  const mergeFirst = async (): Promise<void> => {
    const { batch, result } = underWay.shift()!;
    await merge(batch, await result);
  };
  for await (const batch of batches) {
    if (signal?.aborted) break;
    const result = pool.run(batch);
    // Its failure is awaited in its turn; until then it must not count as unhandled.
    result.catch(() => undefined);
    underWay.push({ batch, result });
    if (underWay.length >= atOnce) await mergeFirst();
  }
  while (underWay.length > 0 && !signal?.aborted) await mergeFirst();
  return signal?.aborted ? "ended" : "done";
}
