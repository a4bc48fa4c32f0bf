/** Routes stored mail by the million: on all cores, in the order of the source, with flat memory, and able to go on. */
import { type FileHandle, open } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { assertOptions } from "../base/options.ts";
import type { RehearsedDomain } from "./rehearsed-domain.ts";
import type { BatchResult, ReplayJob } from "./replay-batch.ts";
import { MBOX_START, type MboxProgress, settlePart } from "./replay-parts.ts";
import { type Batch, batchKey, bytesOf, type MailPlace, planBatches } from "./replay-plan.ts";
import { type BatchPool, openPool } from "./replay-pool.ts";
import { hashOf, type ReplayState, readState, writeState } from "./replay-state.ts";
import { type Tally, TallyCounter } from "./replay-tally.ts";

export interface ReplayProgress {
  readonly messages: number;
  readonly bytes: number;
  /** Octets of all files, as stored. */
  readonly bytesTotal: number;
}

export interface ReplayOptions {
  /** For whom every message is; default: whom it names at the domain. */
  readonly recipients?: readonly string[] | undefined;
  /** Envelope sender of every message; `""` is the null sender. Rules see it where From names nobody. */
  readonly sender?: string | undefined;
  /** Worker threads; 0: none, this thread routes. Default: one for each core, none for little mail. */
  readonly workers?: number | undefined;
  /** File that decisions are written to, an object of JSON on each line, in the order of the source. */
  readonly out?: string | undefined;
  /** File that keeps how far the replay has come; one that was ended goes on from there. */
  readonly state?: string | undefined;
  /** Called after every batch. */
  readonly onProgress?: ((progress: ReplayProgress) => void) | undefined;
  /** Ends the replay after the batches that are done; what was not routed stays for the next one. */
  readonly signal?: AbortSignal | undefined;
  /** Path of the module that workers run; default: ours. It exports `runBatch`. */
  readonly workerModule?: string | undefined;
}

export interface Replayed {
  readonly tally: Tally;
  /** Messages that an earlier run had routed. */
  readonly resumedAt: number;
  /** `ended`: the signal came before all was routed. */
  readonly verdict: "done" | "ended";
}

const OPTIONS = [
  "recipients",
  "sender",
  "workers",
  "out",
  "state",
  "onProgress",
  "signal",
  "workerModule",
] as const;

/** Octets of mail from which threads are worth their start. */
const THREADS_FROM_BYTES = 8_388_608;
/** Batches under way for each worker: enough that none waits, few enough that memory stays flat. */
const BATCHES_PER_WORKER = 3;
/** Batches between two writings of the state. */
const STATE_EVERY = 8;

function workersFor({ workers }: ReplayOptions, bytesTotal: number): number {
  if (workers === undefined) return bytesTotal < THREADS_FROM_BYTES ? 0 : availableParallelism();
  if (Number.isSafeInteger(workers) && workers >= 0) return workers;
  throw new TypeError(`\`workers\` is ${workers}: give a whole number from 0 on`);
}

/** Takes results in the order of the batches: counts, writes, and keeps the state. */
class Merger {
  readonly #counter = new TallyCounter();
  readonly #out: FileHandle | null;
  readonly #path: string | undefined;
  readonly #run: string;
  readonly #pool: BatchPool;
  #batches = 0;
  #plan = "";
  #mbox: MboxProgress = MBOX_START;
  #outBytes = 0;
  #unsaved = 0;

  constructor(out: FileHandle | null, path: string | undefined, run: string, pool: BatchPool) {
    this.#out = out;
    this.#path = path;
    this.#run = run;
    this.#pool = pool;
  }

  /** Goes on from a state: what was written after it is cut off. */
  async restore(state: ReplayState): Promise<void> {
    this.#counter.add(state.tally);
    this.#outBytes = state.outBytes;
    this.#mbox = state.mbox;
    await this.#out?.truncate(state.outBytes);
  }

  /** Counts a batch that is done already, or was just done. */
  pass(key: string): void {
    this.#batches++;
    this.#plan = hashOf(this.#plan, key);
  }

  get plan(): string {
    return this.#plan;
  }

  async #settled(batch: Batch, result: BatchResult): Promise<BatchResult> {
    if (batch.kind !== "part") return result;
    const settled = await settlePart(batch, result, this.#mbox, this.#pool.run);
    this.#mbox = settled.progress;
    return settled.result;
  }

  async merge(batch: Batch, result: BatchResult): Promise<void> {
    const { tally, text } = await this.#settled(batch, result);
    this.pass(batchKey(batch));
    this.#counter.add(tally);
    if (this.#out !== null && text !== "") {
      const bytes = Buffer.from(text);
      await this.#out.write(bytes, 0, bytes.length, this.#outBytes);
      this.#outBytes += bytes.length;
    }
    if (++this.#unsaved >= STATE_EVERY) await this.save();
  }

  async save(): Promise<void> {
    this.#unsaved = 0;
    if (this.#path === undefined) return;
    await writeState(this.#path, {
      version: 2,
      run: this.#run,
      batches: this.#batches,
      plan: this.#plan,
      outBytes: this.#outBytes,
      mbox: this.#mbox,
      tally: this.#counter.tally(),
    });
  }

  progress(): { readonly messages: number; readonly bytes: number } {
    return this.#counter.progress();
  }

  tally(): Tally {
    return this.#counter.tally();
  }
}

async function stateOf(path: string | undefined, run: string): Promise<ReplayState | null> {
  const state = path === undefined ? null : await readState(path);
  if (state === null || state.run === run) return state;
  throw new TypeError(
    `\`${path}\` is the state of another replay: remove it, or give the same domain, mail and options`,
  );
}

function checkPlan(state: ReplayState, plan: string): void {
  if (plan === state.plan) return;
  throw new TypeError("the mail has changed since the replay was ended: begin anew");
}

/** Runs the batches behind those of `state`, several at once, and merges them in order. */
async function runBatches(
  places: readonly MailPlace[],
  pool: BatchPool,
  merger: Merger,
  atOnce: number,
  state: ReplayState | null,
  { onProgress, signal }: ReplayOptions,
  bytesTotal: number,
): Promise<Replayed["verdict"]> {
  const underWay: { readonly batch: Batch; readonly result: Promise<BatchResult> }[] = [];
  const mergeFirst = async (): Promise<void> => {
    const { batch, result } = underWay.shift()!;
    await merger.merge(batch, await result);
    onProgress?.({ ...merger.progress(), bytesTotal });
  };
  let place = 0;
  for await (const batch of planBatches(places)) {
    if (state !== null && place < state.batches) {
      merger.pass(batchKey(batch));
      if (++place === state.batches) checkPlan(state, merger.plan);
      continue;
    }
    if (signal?.aborted) break;
    const result = pool.run(batch);
    // It is awaited in its turn; until then its failure is no unhandled one.
    result.catch(() => undefined);
    underWay.push({ batch, result });
    if (underWay.length >= atOnce) await mergeFirst();
  }
  if (state !== null && place < state.batches) checkPlan(state, "");
  while (underWay.length > 0 && !signal?.aborted) await mergeFirst();
  return signal?.aborted ? "ended" : "done";
}

/**
 * Routes all mail of the places. The tally and the lines do not depend on the number of workers, nor on how often the
 * replay was ended and went on, but for the times of the slowest messages. Rejects with a TypeError for options it
 * does not know, or a state that is not of this replay.
 */
export async function replay(
  rehearsed: RehearsedDomain,
  places: readonly MailPlace[],
  options: ReplayOptions = {},
): Promise<Replayed> {
  assertOptions(options, OPTIONS);
  const { recipients = null, sender = null, out, state: statePath, workerModule } = options;
  const { config } = rehearsed;
  const lines = out === undefined ? "unwanted" : "wanted";
  const job: ReplayJob = { config, recipients, sender, lines };
  const names = places.map(({ name }) => name);
  const run = hashOf(JSON.stringify(job), JSON.stringify(names));
  const state = await stateOf(statePath, run);
  const bytesTotal = await bytesOf(places);
  const workers = workersFor(options, bytesTotal);
  const file = out === undefined ? null : await open(out, state === null ? "w" : "r+");
  const pool = await openPool(job, workers, workerModule);
  try {
    const merger = new Merger(file, statePath, run, pool);
    if (state !== null) await merger.restore(state);
    const atOnce = Math.max(1, workers * BATCHES_PER_WORKER);
    const verdict = await runBatches(places, pool, merger, atOnce, state, options, bytesTotal);
    await merger.save();
    return { tally: merger.tally(), resumedAt: state?.tally.messages ?? 0, verdict };
  } finally {
    await pool.close();
    await file?.close();
  }
}
