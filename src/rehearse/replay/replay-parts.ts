/** Joins the parts of an mbox that were routed separately: compares their borders and numbers their messages. */
import type { MboxBorder } from "../../mailbox/mbox/mbox-splitter.ts";
import type { NotMail } from "../../mailbox/not-mail.ts";
import { doubtsOf } from "../../mailbox/stored-mail.ts";
import type { BatchResult, BatchRouter, Doubts } from "./replay-batch.ts";
import type { MboxPartBatch } from "./replay-plan.ts";
import { type Tally, TallyCounter } from "./replay-tally.ts";

/** What the finished parts say about the next one; plain data. */
export interface MboxProgress {
  /** Where the next message begins; `null`: the file has ended. */
  readonly next: MboxBorder | null;
  readonly messages: number;
  readonly doubts: Doubts;
  /**
   * For a shard that begins inside the file: where it assumed that its first message begins, `null` until one has
   * begun. `messages` and `doubts` count from there.
   */
  readonly shardStart?: MboxBorder | null;
}

/** The progress before the first part of a file. */
export const MBOX_START: MboxProgress = {
  next: { at: 0, distrusted: 0 },
  messages: 0,
  doubts: [],
};

/** The progress before the first part of a shard that begins inside a file. */
export const MBOX_WITHIN: MboxProgress = { next: null, messages: 0, doubts: [], shardStart: null };

/** Entries about a file, given once its last part is done. */
export function endOfMbox(
  { name, end, stamp, dialect }: MboxPartBatch,
  now: MboxProgress,
): NotMail[] {
  const isWhole = end === stamp.bytes && now.shardStart === undefined;
  return isWhole ? doubtsOf(name, dialect, new Map(now.doubts)) : [];
}

/** The progress in a file after a part that begins where `before` ended. */
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
 * Judges a part that assumed its first message begins at `first`, from the parts before it. It is `right`; or it must
 * be routed `again` from where they say; or it is `empty`, since a message before it extends through it.
 */
export function judgePart(
  end: number,
  first: MboxBorder | null,
  { next }: MboxProgress,
): "right" | "again" | "empty" {
  if (next === null || next.at >= end) return "empty";
  return first?.at === next.at && next.distrusted <= next.at ? "right" : "again";
}

/** Numbers the messages of a part, which count from 1, as in the file. */
export class Renumbering {
  readonly #prefix: string;
  readonly #by: number;

  constructor(fileName: string, by: number) {
    this.#prefix = `${fileName}#`;
    this.#by = by;
  }

  /** A name that is not a message's stays: if the file cannot be read, it is the file's name. */
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

/** The tally of octets in which no message begins, since an earlier one extends through them. */
export function emptyTally(bytes: number): Tally {
  const counter = new TallyCounter("all destinations");
  counter.bytes(bytes);
  return counter.tally();
}

/** Settles the first part of a shard in which a message begins, and the parts before it. */
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
 * The final result of a part and the progress in the file, given the parts before it. If its first message begins
 * elsewhere than assumed, routes it `again`: a Content-Length of an earlier message holds together what looked like
 * two messages, or was wrong.
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
