/** The place of a message in a file, so that it can be read again later or elsewhere. */
import { createReadStream } from "node:fs";
import { messageLimits, type ReadOptions } from "../message/message-limits.ts";
import type { MessageSource } from "../message/message-source.ts";
import { type MboxQuoting, unquoteFromLines } from "./mbox/mbox-quoting.ts";
import { type Compression, decompressed } from "./packed/compressed.ts";
import { fsPath } from "./path-bytes.ts";

/** Plain JSON. */
export interface MailRange {
  readonly path: string;
  readonly compression: Compression;
  /** Octets of the decompressed file, half-open; `end` is `null` if the message extends to the end of the file. */
  readonly start: number;
  readonly end: number | null;
  /** What `>` before `From ` means in the message. */
  readonly quoting: MboxQuoting;
}

/** The chunks of `[start, end)` of a source. */
async function* slice(
  source: AsyncIterable<Uint8Array>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of source) {
    const [from, to] = [Math.max(0, start - at), Math.min(chunk.length, end - at)];
    at += chunk.length;
    if (from < to) yield chunk.subarray(from, to);
    if (at >= end) return;
  }
}

async function* unquoted(
  source: AsyncIterable<Uint8Array>,
  quoting: MboxQuoting,
): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  yield unquoteFromLines(Buffer.concat(chunks), quoting);
}

/**
 * The message at a range. Of a plain file only its octets are read; a compressed file is read from its beginning. A
 * message of an mbox is held whole to be unquoted. As when it was found, a message larger than `messageBytesMax`
 * gives that many octets and one more. Throws a TypeError for options it does not know.
 */
export function openRange(range: MailRange, options?: ReadOptions): MessageSource {
  const { path, compression, start, end, quoting } = range;
  const { messageBytesMax } = messageLimits(options);
  const last = end === null ? Number.POSITIVE_INFINITY : Math.min(end, start + messageBytesMax + 1);
  if (start >= last) return new Uint8Array(0);
  const source =
    compression === "none"
      ? createReadStream(fsPath(path), { start, end: last - 1 })
      : slice(decompressed(createReadStream(fsPath(path)), compression), start, last);
  return quoting === "none" ? source : unquoted(source, quoting);
}
