/** Reads a message's bytes from its source, as many as a stage needs. */
import { LIMITS } from "../base/limits.ts";
import { type CollectorLimits, HeaderCollector } from "./header/header-collector.ts";
import { collectedBytes } from "./text/collected.ts";
import { normalLines } from "./text/line-endings.ts";

/** A whole message, or its chunks in order, such as a Node.js Readable of bytes. */
export type MessageSource = Uint8Array | AsyncIterable<Uint8Array>;

/** Returns the chunk if it is bytes, and throws otherwise. */
export function checkedChunk(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError("a message is bytes: give chunks that are Uint8Array");
}

/** The chunks of a source; rejects for a chunk that is not bytes. */
export async function* chunksOf(source: MessageSource): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) {
    yield source;
    return;
  }
  for await (const chunk of source) {
    yield checkedChunk(chunk);
  }
}

/**
 * The message up to its blank line, or a little beyond the bound of a header block, with LF or CRLF lines. Takes no
 * chunk after the one with the blank line, and then closes the stream.
 */
export async function collectHeader(
  source: MessageSource,
  limits: CollectorLimits = LIMITS,
): Promise<Uint8Array> {
  const collector = new HeaderCollector(limits);
  for await (const chunk of chunksOf(source)) {
    collector.push(chunk);
    if (collector.isComplete) break;
  }
  return collector.end();
}

/** A message with LF or CRLF lines, cut at a bound, and its size as received. */
export interface CollectedMessage {
  readonly bytes: Uint8Array;
  readonly size: number;
}

/** A message that is in memory. Copies nothing unless its lines end with lone CR. */
export function wholeOf(
  message: Uint8Array,
  messageBytesMax: number = LIMITS.messageBytesMax,
): CollectedMessage {
  const kept = message.length > messageBytesMax ? message.subarray(0, messageBytesMax) : message;
  return { bytes: normalLines(kept), size: message.length };
}

/** The whole message, cut at `messageBytesMax`; octets after that are counted and dropped. */
export async function collectMessage(
  source: MessageSource,
  messageBytesMax: number = LIMITS.messageBytesMax,
): Promise<CollectedMessage> {
  if (source instanceof Uint8Array) return wholeOf(source, messageBytesMax);
  const collected = collectedBytes();
  let size = 0;
  for await (const chunk of chunksOf(source)) {
    const room = Math.max(0, messageBytesMax - size);
    size += chunk.length;
    if (room > 0) collected.push(chunk.subarray(0, room));
  }
  return { bytes: normalLines(collected.bytes), size };
}
