/** Routes stored mail by the million: on all cores, in the order of the source, in flat memory, and resumable. */
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

/** The progress of a replay. */
export interface ReplayProgress {
  readonly messages: number;
  readonly bytes: number;
  /** Octets of all files, as stored. */
  readonly bytesTotal: number;
}

/** Options of `replay`. */
export interface ReplayOptions {
  /** Recipients of every message; default: those that it names at the domain. */
  readonly recipients?: readonly string[] | undefined;
  /** Envelope sender of every message; `""` is the null sender. Rules see it if From has no usable address. */
  readonly sender?: string | undefined;
  /**
   * Worker threads; 0: none, this thread routes. Default: one per core, or none for little mail and for a domain with
   * `ruleTypes`, which workers do not know.
   */
  readonly workers?: number | undefined;
  /**
   * Where decisions are written, one JSON object on each line, in the order of the source: a file, which must not
   * exist yet and gets its name when it is complete, or a function that gets the lines.
   */
  readonly out?: string | NamedFile | DecisionSink | undefined;
  /** File for the progress of the replay; a replay that was ended resumes from it. */
  readonly state?: string | NamedFile | undefined;
  /** `anew`: overwrites an existing `out`, and starts over if a state does not fit. Default `refuse`. */
  readonly existing?: "refuse" | "anew" | undefined;
  /** Called after every batch. */
  readonly onProgress?: ((progress: ReplayProgress) => void) | undefined;
  /** Ends the replay with the batches that are done; the next replay can route the rest. */
  readonly signal?: AbortSignal | undefined;
  /** Path of the module that workers run; default: mailflow's. It exports `runBatch`. */
  readonly workerModule?: string | undefined;
}

/** The result of a replay. */
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
  const said = "the mail has changed since the replay was stopped: start again with --force";
  throw new ReplayError("refused", said);
}

/** What a run needs throughout. */
interface Running {
  readonly places: readonly MailPlace[];
  readonly pool: BatchPool;
  readonly merger: Merger;
  readonly own: OwnFiles;
  readonly state: ReplayState | null;
  readonly bytesTotal: number;
}

/** The batches after those of the state; throws if the mail has changed since. */
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

/** Routes the remaining batches and completes the output. */
async function routeRest(
  running: Running,
  out: Decisions | null,
  workers: number,
  options: ReplayOptions,
): Promise<Replayed> {
  const { merger, state } = running;
  try {
    // Saves the state at once, so that a run that ends before its first batches are saved can resume too.
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
 * Routes all mail of the places. The tally and the lines do not depend on the number of workers or on how often the
 * replay was ended and resumed, except for the times of the slowest messages. Rejects with a TypeError for options it
 * does not know. Rejects with a `ReplayError` if it would destroy a file, if a state, the mail or the output has
 * changed, and if a file cannot be read or written.
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
    // Changed mail is noticed only when it is read, after the files were opened.
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
  const {
    config,
    options: { ruleTypes },
  } = rehearsed;
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
    const workers = workersFor(options.workers, bytesTotal, filesTotal, ruleTypes);
    const pool = await openPool(job, workers, workerModule, ruleTypes);
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
