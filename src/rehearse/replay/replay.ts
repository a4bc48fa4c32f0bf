/** Routes stored mail by the million: on all cores, in the order of the source, with flat memory, and able to go on. */
import manifest from "../../../package.json" with { type: "json" };
import { assertOptions } from "../../base/options.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import type { MailPlace, NamedFile } from "./mail-place.ts";
import { OwnFiles } from "./output/own-files.ts";
import { type DecisionSink, openFiles } from "./output/replay-files.ts";
import type { ReplayJob } from "./replay-batch.ts";
import { ReplayError } from "./replay-error.ts";
import { type Decisions, Merger } from "./replay-merger.ts";
import { type Batch, planBatches, sizeOf } from "./replay-plan.ts";
import { type BatchPool, openPool, runInOrder, workersFor } from "./replay-pool.ts";
import { hashOf, type ReplayState } from "./replay-state.ts";
import type { Tally } from "./replay-tally.ts";

/** How far a replay is. */
export interface ReplayProgress {
  readonly messages: number;
  readonly bytes: number;
  /** Octets of all files, as stored. */
  readonly bytesTotal: number;
}

/** Options of `replay`. */
export interface ReplayOptions {
  /** For whom every message is; default: whom it names at the domain. */
  readonly recipients?: readonly string[] | undefined;
  /** Envelope sender of every message; `""` is the null sender. Rules see it where From has no usable address. */
  readonly sender?: string | undefined;
  /** Worker threads; 0: none, this thread routes. Default: one for each core, none for little mail. */
  readonly workers?: number | undefined;
  /**
   * Where decisions are written, an object of JSON on each line, in the order of the source: a file, which must not
   * be there yet and takes its name when it is complete, or a function that is given the lines.
   */
  readonly out?: string | NamedFile | DecisionSink | undefined;
  /** File that keeps how far the replay has come; one that was ended goes on from there. */
  readonly state?: string | NamedFile | undefined;
  /** `anew`: overwrites an `out` that is there, and begins anew where a state does not fit. Default `refuse`. */
  readonly existing?: "refuse" | "anew" | undefined;
  /** Called after every batch. */
  readonly onProgress?: ((progress: ReplayProgress) => void) | undefined;
  /** Ends the replay after the batches that are done; what was not routed stays for the next one. */
  readonly signal?: AbortSignal | undefined;
  /** Path of the module that workers run; default: ours. It exports `runBatch`. */
  readonly workerModule?: string | undefined;
}

/** What a replay found. */
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
  "existing",
  "onProgress",
  "signal",
  "workerModule",
] as const;

function checkPlan(state: ReplayState, plan: string): void {
  if (plan === state.plan) return;
  const said = "the mail has changed since the replay was ended: begin anew with --force";
  throw new ReplayError("refused", said);
}

/** What a run needs all along. */
interface Running {
  readonly places: readonly MailPlace[];
  readonly pool: BatchPool;
  readonly merger: Merger;
  readonly own: OwnFiles;
  readonly state: ReplayState | null;
  readonly bytesTotal: number;
}

/** The batches behind those of the state; throws where the mail has changed since. */
async function* batchesLeft({ places, merger, own, state }: Running): AsyncGenerator<Batch> {
  let place = 0;
  for await (const batch of planBatches(places, { own })) {
    if (state !== null && place < state.batches) {
      merger.pass(batch);
      if (++place === state.batches) checkPlan(state, merger.plan);
      continue;
    }
    if (state?.isComplete) checkPlan(state, "");
    yield batch;
  }
  if (state !== null && place < state.batches) checkPlan(state, "");
}

/** Routes what is left, and makes the output complete. */
async function routeRest(
  running: Running,
  out: Decisions | null,
  workers: number,
  options: ReplayOptions,
): Promise<Replayed> {
  const { merger, state } = running;
  try {
    // So that a run that ends before its first batches are kept is gone on with, too.
    if (state === null) await merger.save("unfinished");
    const { signal, onProgress } = options;
    const verdict = await runInOrder(batchesLeft(running), {
      pool: running.pool,
      workers,
      signal,
      async merge(batch, result) {
        await merger.merge(batch, result);
        onProgress?.({ ...merger.progress(), bytesTotal: running.bytesTotal });
      },
    });
    await merger.save(verdict === "done" ? "complete" : "unfinished");
    if (verdict === "done") await out?.finish();
    return { tally: merger.tally(), resumedAt: state?.tally.messages ?? 0, verdict };
  } catch (error) {
    if (!(error instanceof ReplayError) || error.kind === "refused") throw error;
    throw new ReplayError("failed", `${error.message}; ${merger.kept()}`, error);
  }
}

/**
 * Routes all mail of the places. The tally and the lines do not depend on the number of workers, nor on how often the
 * replay was ended and went on, but for the times of the slowest messages. Rejects with a TypeError for options it
 * does not know, and with a `ReplayError` where it would destroy a file, where a state, the mail or the output is not
 * what it was, and where a file cannot be read or written.
 */
export async function replay(
  rehearsed: RehearsedDomain,
  places: readonly MailPlace[],
  options: ReplayOptions = {},
): Promise<Replayed> {
  assertOptions(options, OPTIONS);
  try {
    return await replayFrom("state", rehearsed, places, options);
  } catch (error) {
    // Mail that has changed is found once it is looked at, after the files were opened.
    const isRefused = error instanceof ReplayError && error.kind === "refused";
    const isAnew = options.existing === "anew" && options.state !== undefined;
    const canBeReadAgain = places.every((place) => "path" in place);
    if (!isRefused || !isAnew || !canBeReadAgain) throw error;
    return replayFrom("start", rehearsed, places, options);
  }
}

async function replayFrom(
  from: "state" | "start",
  rehearsed: RehearsedDomain,
  places: readonly MailPlace[],
  options: ReplayOptions,
): Promise<Replayed> {
  const { recipients = null, sender = null, workerModule } = options;
  const { config } = rehearsed;
  const lines = options.out === undefined ? "unwanted" : "wanted";
  const job: ReplayJob = { config, recipients, sender, lines };
  const names = places.map(({ name }) => name);
  const run = hashOf(
    manifest.version,
    JSON.stringify({ ...job, lines: "" }),
    JSON.stringify(names),
  );
  const files = await openFiles(places, run, options, from);
  try {
    const own = new OwnFiles(files.outputs);
    const { bytes: bytesTotal, files: filesTotal } = sizeOf(places, own);
    const workers = workersFor(options.workers, bytesTotal, filesTotal);
    const pool = await openPool(job, workers, workerModule);
    try {
      const merger = new Merger({ out: files.out, state: files.stateFile }, run, pool.run);
      if (files.state !== null) merger.restore(files.state);
      const running = { places, pool, merger, own, state: files.state, bytesTotal };
      return await routeRest(running, files.out, workers, options);
    } finally {
      await pool.close();
    }
  } finally {
    await files.close();
  }
}
