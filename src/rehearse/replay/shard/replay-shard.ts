/** Routes one shard of a replay and writes its part, which `mergeParts` merges with the others. */
import { realpath } from "node:fs/promises";
import { dirname, sep } from "node:path";
import type { RehearsedDomain } from "../../rehearsed-domain.ts";
import type { MailPlace, NamedFile } from "../mail-place.ts";
import { refuseSources } from "../output/own-files.ts";
import type { DecisionSink } from "../output/replay-files.ts";
import type { BatchResult, ReplayJob } from "../replay-batch.ts";
import { ReplayError } from "../replay-error.ts";
import { Merger } from "../replay-merger.ts";
import { MBOX_START, MBOX_WITHIN } from "../replay-parts.ts";
import { type Batch, type MboxPartBatch, planBatches } from "../replay-plan.ts";
import { type BatchPool, openPool, runInOrder, workersFor } from "../replay-pool.ts";
import { type Part, partLine, type ShardHead } from "./part.ts";
import { isDone, openPart, type PartOutput } from "./part-file.ts";
import { divisible, rangeOf, type Shard, type Survey, survey } from "./shard.ts";

export interface ShardOptions {
  readonly recipients?: readonly string[] | undefined;
  readonly sender?: string | undefined;
  readonly workers?: number | undefined;
  /** Whether the part keeps the decisions, or only the sums. */
  readonly keeps: "decisions" | "sums";
  /** `anew`: overwrites an existing file. */
  readonly existing: "refuse" | "anew";
  readonly onProgress?: ((progress: ShardProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Size from which an mbox is divided. */
  readonly partBytes?: number | undefined;
}

export interface ShardProgress {
  readonly messages: number;
  readonly bytes: number;
  /** Approximate octets of the shard. */
  readonly bytesTotal: number;
}

/** `was done`: the file already had the part. */
export type ShardVerdict = "done" | "was done" | "ended";

/** Refuses to write a part into a folder of mail, where other shards would read it. */
async function refuseWithin(places: readonly NamedFile[], out: NamedFile): Promise<void> {
  await refuseSources(places, [out], () => true);
  const folder = await realpath(dirname(out.path)).catch(() => dirname(out.path));
  for (const place of places) {
    const source = await realpath(place.path).catch(() => place.path);
    if (folder !== source && !folder.startsWith(`${source}${sep}`)) continue;
    const said = `\`${out.name}\` is in the folder of mail \`${place.name}\`, where other shards would read it: write it elsewhere`;
    throw new ReplayError("refused", said);
  }
}

/** Merges a shard's batches: those of the mbox inside which it begins, and the others. */
class ShardMerger {
  readonly #output: PartOutput;
  readonly #head: Merger;
  readonly #rest: Merger;
  #batch: MboxPartBatch | null = null;
  #isAtStart = true;
  #hasMbox = false;
  #headBytes = 0;

  constructor(output: PartOutput, pool: BatchPool) {
    this.#output = output;
    const out = {
      name: "the part",
      write: (text: string) => output.write(text),
      keep: async () => ({ path: "", bytes: 0, hash: "" }),
      finish: async () => undefined,
      close: async () => undefined,
    };
    const merger = (mbox: typeof MBOX_START): Merger =>
      new Merger({ out, state: null }, "", pool.run, { kind: "shard", mbox });
    this.#head = merger(MBOX_WITHIN);
    this.#rest = merger(MBOX_START);
  }

  async merge(batch: Batch, result: BatchResult): Promise<void> {
    this.#isAtStart &&= batch.kind === "part" && batch.start > 0;
    if (!this.#isAtStart || batch.kind !== "part") {
      this.#hasMbox ||= batch.kind === "part";
      return this.#rest.merge(batch, result);
    }
    await this.#head.merge(batch, result);
    const { start, bytes } = this.#batch ?? { start: batch.start, bytes: 0 };
    this.#batch = { ...batch, start, bytes: bytes + batch.bytes };
    this.#headBytes = this.#output.bytes;
  }

  progress(): { readonly messages: number; readonly bytes: number } {
    const [head, rest] = [this.#head.progress(), this.#rest.progress()];
    return { messages: head.messages + rest.messages, bytes: head.bytes + rest.bytes };
  }

  parts(): Pick<Part, "head" | "tally" | "mbox"> {
    const head: ShardHead | null = this.#batch && {
      batch: this.#batch,
      tally: this.#head.tally(),
      textBytes: this.#headBytes,
      progress: this.#head.mbox,
    };
    const mbox = this.#hasMbox ? this.#rest.mbox : null;
    return { head, tally: this.#rest.tally(), mbox };
  }
}

async function route(
  places: readonly NamedFile[],
  shard: Shard,
  job: ReplayJob,
  found: Survey,
  output: PartOutput,
  { workers: wanted, signal, onProgress, partBytes }: ShardOptions,
): Promise<"done" | "ended"> {
  const bytesTotal = found.room / shard.of;
  const workers = workersFor(wanted, bytesTotal, found.files / shard.of);
  const pool = await openPool(job, workers);
  try {
    const merger = new ShardMerger(output, pool);
    const batches = planBatches(places, { partBytes, range: rangeOf(shard, found.room) });
    const verdict = await runInOrder(batches, {
      pool,
      workers,
      signal,
      async merge(batch, result) {
        await merger.merge(batch, result);
        onProgress?.({ ...merger.progress(), bytesTotal });
      },
    });
    if (verdict === "ended") return verdict;
    const text = { bytes: output.bytes, hash: output.hash.copy().digest("hex") };
    const { run } = found;
    await output.write(partLine({ version: 1, run, shard, job, text, ...merger.parts() }));
    return verdict;
  } finally {
    await pool.close();
  }
}

/**
 * Routes shard `number` of the mail of all places. Shards may run in any order, anywhere, and more than once: a file
 * that already has the part is left unchanged. Rejects with a `ReplayError` for mail that cannot be divided, if a
 * file would be destroyed, and if one cannot be read or written.
 */
export async function replayShard(
  rehearsed: RehearsedDomain,
  places: readonly MailPlace[],
  shard: Shard,
  out: NamedFile | DecisionSink,
  options: ShardOptions,
): Promise<ShardVerdict> {
  const { recipients = null, sender = null, keeps, existing } = options;
  const lines = keeps === "decisions" ? "wanted" : "unwanted";
  const job: ReplayJob = { config: rehearsed.config, recipients, sender, lines };
  const files = divisible(places);
  if (typeof out !== "function") await refuseWithin(files, out);
  const found = survey(files, job);
  if (typeof out !== "function" && existing === "refuse") {
    if (await isDone(out, found.run, shard)) return "was done";
  }
  const output = await openPart(out);
  try {
    const verdict = await route(files, shard, job, found, output, options);
    if (verdict === "done") await output.finish();
    return verdict;
  } finally {
    await output.close();
  }
}
