/** Takes the results of batches in their order: counts, writes decisions, and keeps the state. */
import type { NamedFile } from "./mail-place.ts";
import type { WrittenOut } from "./output/decision-file.ts";
import type { BatchResult, BatchRouter } from "./replay-batch.ts";
import { ReplayError } from "./replay-error.ts";
import { MBOX_START, type MboxProgress, settlePart } from "./replay-parts.ts";
import { type Batch, batchKey } from "./replay-plan.ts";
import { hashOf, type ReplayState, writeState } from "./replay-state.ts";
import { type Tally, TallyCounter } from "./replay-tally.ts";

/** Batches between two writings of the state. */
const STATE_EVERY = 8;

/** Where decisions go, an object of JSON on each line. */
export interface Decisions {
  readonly name: string;
  write(text: string): Promise<void>;
  /** Makes sure of what was written. */
  keep(): Promise<WrittenOut>;
  finish(): Promise<void>;
  close(): Promise<void>;
}

export interface MergerFiles {
  readonly out: Decisions | null;
  readonly state: NamedFile | null;
}

/** The result, if its sources were all along what they were when the batches were cut. */
function unchanged(result: BatchResult): BatchResult {
  if (result.changed === undefined) return result;
  const { name, change } = result.changed;
  const said = `\`${name}\` ${change} while it was read: begin anew, best with a copy of it`;
  throw new ReplayError("failed", said);
}

export class Merger {
  readonly #counter = new TallyCounter();
  readonly #files: MergerFiles;
  readonly #run: string;
  readonly #again: BatchRouter;
  #batches = 0;
  #plan = "";
  #mbox: MboxProgress = MBOX_START;
  #unsaved = 0;
  #kept = 0;

  /** `again`: routes a part of an mbox that began elsewhere than it took for granted. */
  constructor(files: MergerFiles, run: string, again: BatchRouter) {
    this.#files = files;
    this.#run = run;
    this.#again = again;
  }

  restore(state: ReplayState): void {
    this.#counter.add(state.tally);
    this.#mbox = state.mbox;
    this.#kept = state.tally.messages;
  }

  /** Counts a batch that is done already, or was just done. */
  pass(batch: Batch): void {
    this.#batches++;
    // Without a state nobody asks for it.
    if (this.#files.state !== null) this.#plan = hashOf(this.#plan, batchKey(batch));
  }

  get plan(): string {
    return this.#plan;
  }

  async #settled(batch: Batch, result: BatchResult): Promise<BatchResult> {
    if (batch.kind !== "part") return result;
    const settled = await settlePart(batch, result, this.#mbox, async (part) =>
      unchanged(await this.#again(part)),
    );
    this.#mbox = settled.progress;
    return settled.result;
  }

  async merge(batch: Batch, result: BatchResult): Promise<void> {
    const { tally, text } = await this.#settled(batch, unchanged(result));
    this.pass(batch);
    this.#counter.add(tally);
    if (text !== "") await this.#files.out?.write(text);
    if (++this.#unsaved >= STATE_EVERY) await this.save("unfinished");
  }

  async save(progress: "unfinished" | "complete"): Promise<void> {
    const { out, state } = this.#files;
    this.#unsaved = 0;
    if (state === null) return;
    const tally = this.#counter.tally();
    await writeState(state, {
      version: 3,
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

  /** What is left of a replay that fails now, and what can be done with it. */
  kept(): string {
    const { out, state } = this.#files;
    if (state !== null) {
      const where = out === null ? "" : ` and \`${out.name}\``;
      return `kept in \`${state.name}\`${where}: ${this.#kept} messages; the same command goes on after them`;
    }
    if (out === null) return "nothing was to be kept";
    const { messages } = this.#counter.progress();
    return `kept in \`${out.name}\`: decisions of ${messages} messages; only with --resume a replay can go on`;
  }

  progress(): { readonly messages: number; readonly bytes: number } {
    return this.#counter.progress();
  }

  tally(): Tally {
    return this.#counter.tally();
  }
}
