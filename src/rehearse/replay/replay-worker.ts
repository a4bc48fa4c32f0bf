/** The code of a replay's worker thread: receives batches, returns tallies and lines. */
import { workerData } from "node:worker_threads";
import { type BatchResult, batchRouter, type ReplayJob } from "./replay-batch.ts";
import type { Batch } from "./replay-plan.ts";

const route = batchRouter(workerData as ReplayJob);

export function runBatch(batch: Batch): Promise<BatchResult> {
  return route(batch);
}
