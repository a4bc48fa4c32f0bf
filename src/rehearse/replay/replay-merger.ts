/** Merges the results of batches in their order: counts them, writes decisions, and saves the state. */

import type { NotMail } from "../../mailbox/not-mail.ts";
import type { NamedFile } from "./mail-place.ts";
import type { WrittenOut } from "./output/decision-file.ts";
import type { BatchResult, BatchRouter } from "./replay-batch.ts";
import { ReplayError } from "./replay-error.ts";
import { endOfMbox, MBOX_START, type MboxProgress, settlePart } from "./replay-parts.ts";
import { type Batch, batchKey } from "./replay-plan.ts";
import { hashOf, type ReplayState, writeState } from "./replay-state.ts";
import { type Tally, TallyCounter } from "./replay-tally.ts";

/** Batches between two saves of the state. */
const STATE_EVERY = 8;

/** Where decisions go, one JSON object on each line. */
export interface Decisions {
  readonly name: string;
  write(text: string): Promise<void>;
  /** Makes what was written safe on the disk. */
  keep(): Promise<WrittenOut>;
  finish(): Promise<void>;
  close(): Promise<void>;
}

export interface MergerFiles {
  readonly out: Decisions | null;
  readonly state: NamedFile | null;
}

/** Returns the result; throws if a source has changed since the batches were cut. */
function unchanged(result: BatchResult): BatchResult {
  if (result.changed === undefined) return result;
  const { name, change } = result.changed;
  const said = `\`${name}\` ${change} while it was read: start again, preferably with a copy of it`;
  throw new ReplayError("failed", said);
}

export class Merger {
  readonly #counter: TallyCounter;
  readonly #files: MergerFiles;
  readonly #run: string;
  readonly #again: BatchRouter;
  #batches = 0;
  #plan = "";
  #mbox: MboxProgress;
  #unsaved = 0;
  #kept = 0;

  /**
   * `again`: routes a part of an mbox that began elsewhere than assumed. `of`: what is merged; a shard may begin
   * inside an mbox.
   */
  constructor(
    files: MergerFiles,
    run: string,
    again: BatchRouter,
    of: { readonly kind: "run" } | { readonly kind: "shard"; readonly mbox: MboxProgress } = {
      kind: "run",
    },
  ) {
    this.#files = files;
    this.#run = run;
    this.#again = again;
    const isRun = of.kind === "run";
    this.#counter = new TallyCounter(isRun ? "the first destinations" : "all destinations");
    this.#mbox = isRun ? MBOX_START : of.mbox;
  }

  restore(state: ReplayState): void {
    this.#counter.add(state.tally);
    this.#mbox = state.mbox;
    this.#kept = state.tally.messages;
  }

  /** Counts a batch that is done. */
  pass(batch: Batch): void {
    this.#batches++;
    // Only the state needs this hash.
    if (this.#files.state !== null) this.#plan = hashOf(this.#plan, batchKey(batch));
  }

  get plan(): string {
    return this.#plan;
  }

  /** Progress in the mbox whose part was merged last. */
  get mbox(): MboxProgress {
    return this.#mbox;
  }

  /** Counts a result that is final, and writes its decisions. `mbox`: the progress in the last mbox. */
  async take(
    { tally, text }: Pick<BatchResult, "tally" | "text">,
    mbox: MboxProgress = this.#mbox,
    said: readonly NotMail[] = [],
  ): Promise<void> {
    this.#counter.add(tally);
    for (const each of said) this.#counter.notMail(each);
    this.#mbox = mbox;
    await this.write(text);
  }

  async write(text: string): Promise<void> {
    if (text !== "") await this.#files.out?.write(text);
  }

  async merge(batch: Batch, result: BatchResult): Promise<void> {
    unchanged(result);
    if (batch.kind === "part") {
      const again: BatchRouter = async (part) => unchanged(await this.#again(part));
      const { progress, ...settled } = await settlePart(batch, result, this.#mbox, again);
      await this.take(settled, progress, endOfMbox(batch, progress));
    } else await this.take(result);
    this.pass(batch);
    if (++this.#unsaved >= STATE_EVERY) await this.save("unfinished");
  }

  async save(progress: "unfinished" | "complete"): Promise<void> {
    const { out, state } = this.#files;
    this.#unsaved = 0;
    if (state === null) return;
    const tally = this.#counter.tally();
    await writeState(state, {
      version: 4,
      run: this.#run,
      batches: this.#batches,
      plan: this.#plan,
      out: out === null ? null : await out.keep(),
      isComplete: progress === "complete",
      mbox: this.#mbox,
      tally,
    });
    this.#kept = tally.messages;
  }

  /** Describes what a replay that fails now has kept, and how to continue. */
  kept(): string {
    const { out, state } = this.#files;
    if (state !== null) {
      const where = out === null ? "" : ` and \`${out.name}\``;
      return `kept in \`${state.name}\`${where}: ${this.#kept} messages; the same command continues after them`;
    }
    if (out === null) return "nothing was kept";
    const { messages } = this.#counter.progress();
    return `kept in \`${out.name}\`: decisions of ${messages} messages; only --resume lets a replay continue`;
  }

  progress(): { readonly messages: number; readonly bytes: number } {
    return this.#counter.progress();
  }

  tally(): Tally {
    return this.#counter.tally();
  }
}
