/** Puts parts of an mbox that were routed apart together again: borders are compared, messages numbered through. */
import type { MboxBorder } from "../../mailbox/mbox/mbox-splitter.ts";
import type { BatchResult, BatchRouter } from "./replay-batch.ts";
import type { MboxPartBatch } from "./replay-plan.ts";
import { type Tally, TallyCounter } from "./replay-tally.ts";

/** What the parts that are done say of the next one; plain data. */
export interface MboxProgress {
  /** Where the next message begins; `null`: the file has ended. */
  readonly next: MboxBorder | null;
  readonly messages: number;
}

/** Before the first part of a file. */
export const MBOX_START: MboxProgress = { next: { at: 0, distrusted: 0 }, messages: 0 };

/** Gives the messages of a part, which are numbered from 1 on, their numbers in the file. */
class Renumbering {
  readonly #prefix: string;
  readonly #by: number;

  constructor(fileName: string, by: number) {
    this.#prefix = `${fileName}#`;
    this.#by = by;
  }

  /** What is no message's name stays: where the file cannot be read, it is the file's. */
  #name(name: string): string {
    const { length } = this.#prefix;
    if (!name.startsWith(this.#prefix)) return name;
    return `${this.#prefix}${Number(name.slice(length)) + this.#by}`;
  }

  /** Every line begins with the name: `{"message":"archive.mbox#3",…`. */
  #lines(text: string): string {
    const start = JSON.stringify({ message: this.#prefix }).slice(0, -2);
    const lines = text.split("\n").map((line) => {
      if (line === "") return line;
      const end = line.indexOf('"', start.length);
      return `${start}${Number(line.slice(start.length, end)) + this.#by}${line.slice(end)}`;
    });
    return lines.join("\n");
  }

  #tally(tally: Tally): Tally {
    return {
      ...tally,
      unreadableFirst: tally.unreadableFirst.map(({ name, failure }) => ({
        name: this.#name(name),
        failure,
      })),
      failures: tally.failures.map(([rule, failure]) => [
        rule,
        { ...failure, message: this.#name(failure.message) },
      ]),
      slowest: tally.slowest.map(({ message, ms }) => ({ message: this.#name(message), ms })),
    };
  }

  of({ tally, text }: BatchResult): BatchResult {
    return this.#by === 0
      ? { tally, text }
      : { tally: this.#tally(tally), text: this.#lines(text) };
  }
}

/** No message begins in the part: an earlier one goes on through it. */
function emptyResult(bytes: number): BatchResult {
  const counter = new TallyCounter();
  counter.bytes(bytes);
  return { tally: counter.tally(), text: "" };
}

/**
 * The result of a part, and how far the file has come, from what the parts before it told. Where its first message
 * begins elsewhere than it took for granted it is routed `again`: a Content-Length of a message before it holds
 * together what looked like two, or was told wrong.
 */
export async function settlePart(
  batch: MboxPartBatch,
  result: BatchResult,
  before: MboxProgress,
  again: BatchRouter,
): Promise<{ readonly result: BatchResult; readonly progress: MboxProgress }> {
  const { next, messages } = batch.start === 0 ? MBOX_START : before;
  if (next === null || next.at >= batch.end) {
    return { result: emptyResult(batch.bytes), progress: { next, messages } };
  }
  const isRight = result.borders?.first?.at === next.at && next.distrusted <= next.at;
  const right = isRight ? result : await again({ ...batch, border: next });
  return {
    result: new Renumbering(batch.name, messages).of(right),
    progress: {
      next: right.borders?.next ?? null,
      messages: messages + right.tally.messages,
    },
  };
}
