/** A worker that dies once: on its second batch, unless the file it is told of is there. */
import { existsSync, writeFileSync } from "node:fs";
import { workerData } from "node:worker_threads";
import {
  type BatchResult,
  batchRouter,
  type ReplayJob,
} from "../../../src/rehearse/replay/replay-batch.ts";
import type { Batch } from "../../../src/rehearse/replay/replay-plan.ts";

const route = batchRouter(workerData as ReplayJob);
const marker = process.env.MAILFLOW_TEST_MARKER!;
let batches = 0;

export async function runBatch(batch: Batch): Promise<BatchResult> {
  const result = await route(batch);
  if (++batches === 2 && !existsSync(marker)) {
    writeFileSync(marker, "");
    process.exit(1);
  }
  return result;
}
