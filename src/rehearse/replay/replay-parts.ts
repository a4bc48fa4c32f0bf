/** Puts parts of an mbox that were routed apart together again: borders are compared, messages numbered through. */
import type { MboxBorder } from "../../mailbox/mbox/mbox-splitter.ts";
import type { NotMail } from "../../mailbox/not-mail.ts";
import { doubtsOf } from "../../mailbox/stored-mail.ts";
import type { BatchResult, BatchRouter, Doubts } from "./replay-batch.ts";
import type { MboxPartBatch } from "./replay-plan.ts";
import { type Tally, TallyCounter } from "./replay-tally.ts";

/** What the parts that are done say of the next one; plain data. */
export interface MboxProgress {
  /** Where the next message begins; `null`: the file has ended. */
  readonly next: MboxBorder | null;
  readonly messages: number;
  readonly doubts: Doubts;
  /**
   * Of a shard that begins within the file: where it took its first message to begin, `null` while none has begun.
   * `messages` and `doubts` count from there.
   */
  readonly shardStart?: MboxBorder | null;
}

/** Before the first part of a file. */
export const MBOX_START: MboxProgress = {
  next: { at: 0, distrusted: 0 },
  messages: 0,
  doubts: [],
};

/** Before the first part of a shard that begins within a file. */
export const MBOX_WITHIN: MboxProgress = { next: null, messages: 0, doubts: [], shardStart: null };

/** What is said of a file once its last part is done. */
export function endOfMbox(
  { name, end, stamp, dialect }: MboxPartBatch,
  now: MboxProgress,
): NotMail[] {
  const isWhole = end === stamp.bytes && now.shardStart === undefined;
  return isWhole ? doubtsOf(name, dialect, new Map(now.doubts)) : [];
}

/** How far a file has come with what goes on where `before` ended. */
export function advanced(before: MboxProgress, by: Omit<MboxProgress, "shardStart">): MboxProgress {
  const doubts = new Map(before.doubts);
  for (const [doubt, times] of by.doubts) doubts.set(doubt, (doubts.get(doubt) ?? 0) + times);
  const { shardStart } = before;
  return {
    next: by.next,
    messages: before.messages + by.messages,
    doubts: [...doubts],
    ...(shardStart === undefined ? {} : { shardStart }),
  };
}

/**
 * What the parts before it say of one that took its first message to begin at `first`: it is `right`, it has to be
 * routed `again` from where they say, or it is `empty`, since a message before it goes on through it.
 */
export function judgePart(
  end: number,
  first: MboxBorder | null,
  { next }: MboxProgress,
): "right" | "again" | "empty" {
  if (next === null || next.at >= end) return "empty";
  return first?.at === next.at && next.distrusted <= next.at ? "right" : "again";
}

/** Gives the messages of a part, which are numbered from 1 on, their numbers in the file. */
export class Renumbering {
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
  lines(text: string): string {
    if (this.#by === 0) return text;
    const start = JSON.stringify({ message: this.#prefix }).slice(0, -2);
    const lines = text.split("\n").map((line) => {
      if (line === "") return line;
      const end = line.indexOf('"', start.length);
      return `${start}${Number(line.slice(start.length, end)) + this.#by}${line.slice(end)}`;
    });
    return lines.join("\n");
  }

  tally(tally: Tally): Tally {
    if (this.#by === 0) return tally;
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
}

/** No message begins in the octets: an earlier one goes on through them. */
export function emptyTally(bytes: number): Tally {
  const counter = new TallyCounter("all destinations");
  counter.bytes(bytes);
  return counter.tally();
}

/** The first part of a shard in which a message begins, and those before it. */
function settleStart(batch: MboxPartBatch, result: BatchResult, before: MboxProgress): Settled {
  const first = result.borders?.first ?? null;
  if (first === null) return { tally: emptyTally(batch.bytes), text: "", progress: before };
  const { next, doubts } = result.borders!;
  const progress = { next, messages: result.tally.messages, doubts, shardStart: first };
  return { tally: result.tally, text: result.text, progress };
}

export interface Settled {
  readonly tally: Tally;
  readonly text: string;
  readonly progress: MboxProgress;
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
): Promise<Settled> {
  const now = batch.start === 0 ? MBOX_START : before;
  if (now.shardStart === null) return settleStart(batch, result, now);
  const verdict = judgePart(batch.end, result.borders?.first ?? null, now);
  if (verdict === "empty") return { tally: emptyTally(batch.bytes), text: "", progress: now };
  const right = verdict === "right" ? result : await again({ ...batch, border: now.next! });
  const renumbering = new Renumbering(batch.name, now.messages);
  const { next = null, doubts = [] } = right.borders ?? {};
  return {
    tally: renumbering.tally(right.tally),
    text: renumbering.lines(right.text),
    progress: advanced(now, { next, messages: right.tally.messages, doubts }),
  };
}
