/**
 * What a shard writes: its decisions, one JSON object on each line, then one line with the sums and the identity of
 * its run and shard. A file without that line was cut off.
 */
import type { Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { NamedFile } from "../mail-place.ts";
import type { ReplayJob } from "../replay-batch.ts";
import { onFile, ReplayError } from "../replay-error.ts";
import type { MboxProgress } from "../replay-parts.ts";
import type { MboxPartBatch } from "../replay-plan.ts";
import type { Tally } from "../replay-tally.ts";
import type { RunIdentity, Shard } from "./shard.ts";

/** What a shard says about the mbox inside which it begins. */
export interface ShardHead {
  /** All octets of the file that belong to the shard. */
  readonly batch: MboxPartBatch;
  readonly tally: Tally;
  /** Octets of its decisions. */
  readonly textBytes: number;
  readonly progress: MboxProgress;
}

/** Plain JSON. */
export interface Part {
  readonly version: 1;
  readonly run: RunIdentity;
  readonly shard: Shard;
  readonly job: ReplayJob;
  /** Octets of the decisions, and their SHA-256. */
  readonly text: { readonly bytes: number; readonly hash: string };
  /** `null`: the shard does not begin inside an mbox. */
  readonly head: ShardHead | null;
  /** The tally of everything but the head. */
  readonly tally: Tally;
  /** Progress in the last mbox that begins in the shard; `null`: none begins in it. */
  readonly mbox: MboxProgress | null;
}

const START = '{"part":';
/** Octets to read first to find the last line. */
const STEP_BYTES = 1_048_576;
/** Most octets of the last line: a JavaScript string cannot be longer. Enough for millions of destinations. */
const LINE_BYTES_MAX = 512_000_000;
const LF = 10;

export function partLine(part: Part): string {
  return `${START}${JSON.stringify(part)}}\n`;
}

/** The last line of a file, without its line feed; `null` if it does not end with one. */
async function lastLine({ path, name }: NamedFile): Promise<string | null> {
  return onFile("read", name, async () => {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      let tail = Buffer.alloc(0);
      for (let at = size; at > 0; ) {
        // Reads twice as many each time: a line may be long if the shard has many destinations.
        const length = Math.min(Math.max(STEP_BYTES, tail.length), at);
        at -= length;
        const piece = Buffer.alloc(length);
        await file.read(piece, 0, length, at);
        tail = Buffer.concat([piece, tail]);
        if (tail[tail.length - 1] !== LF) return null;
        const lf = tail.lastIndexOf(LF, tail.length - 2);
        if (lf >= 0) return tail.toString("utf8", lf + 1, tail.length - 1);
        if (tail.length > LINE_BYTES_MAX) return null;
      }
      return tail.length === 0 ? null : tail.toString("utf8", 0, tail.length - 1);
    } finally {
      await file.close();
    }
  });
}

/** Reads the part in a file; refuses a file that is not a part or not complete. */
export async function readPart(file: NamedFile): Promise<Part> {
  const line = await lastLine(file);
  if (line?.startsWith(START)) {
    try {
      const { part } = JSON.parse(line) as { readonly part: Part };
      if (part.version === 1 && typeof part.shard?.number === "number") return part;
    } catch {
      // Refused below.
    }
  }
  const said = `\`${file.name}\` is not a part of a replay, or not a whole one: run its shard again`;
  throw new ReplayError("refused", said);
}

/** Octets `[from, to)` of a part's decisions, in whole lines; adds each octet to `hash`. */
export async function* textOf(
  { path }: NamedFile,
  from: number,
  to: number,
  hash: Hash,
): AsyncGenerator<string> {
  if (to <= from) return;
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { start: from, end: to - 1 })) {
    hash.update(chunk);
    const bytes: Buffer = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = bytes.lastIndexOf(LF) + 1;
    if (end > 0) yield bytes.toString("utf8", 0, end);
    held = bytes.subarray(end);
  }
  if (held.length > 0) yield held.toString("utf8");
}
