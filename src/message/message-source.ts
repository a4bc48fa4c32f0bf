/** Where a message's bytes come from, and reading as much of them as a stage needs. */
import { LIMITS } from "../base/limits.ts";
import { findBlankLine } from "../mail/header-block.ts";
import { lineEndings } from "../mail/line-endings.ts";
import { Collected } from "./collected.ts";

/** A whole message, or its chunks in order; a Node.js Readable of bytes is one. */
export type MessageSource = Uint8Array | AsyncIterable<Uint8Array>;

/** How much of a large chunk is looked at before the blank line is searched again. */
const STEP_BYTES = 65_536;

/** The chunks of a source; rejects what is no bytes. */
export async function* chunksOf(source: MessageSource): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) {
    yield source;
    return;
  }
  for await (const chunk of source) {
    if (!(chunk instanceof Uint8Array)) {
      throw new TypeError("a message is bytes: give chunks that are Uint8Array");
    }
    yield chunk;
  }
}

/**
 * The message up to its blank line, or a little more than the bound of a header block, with LF or CRLF lines.
 * A stream is asked for no chunk after the one that holds the blank line, and is then closed.
 */
export async function collectHeader(source: MessageSource): Promise<Uint8Array> {
  const endings = lineEndings();
  const collected = new Collected();
  let lineStart = 0;
  for await (const chunk of chunksOf(source)) {
    for (let at = 0; at < chunk.length; at += STEP_BYTES) {
      collected.push(endings.push(chunk.subarray(at, at + STEP_BYTES)));
      const { bodyStart, complete } = findBlankLine(collected.bytes, lineStart);
      if (bodyStart !== null || collected.length > LIMITS.headerBlockBytesMax) {
        return collected.bytes;
      }
      lineStart = complete;
    }
  }
  collected.push(endings.end());
  return collected.bytes;
}

/** The whole message with LF or CRLF lines, cut at `messageBytesMax`, and its size as received. */
export async function collectMessage(
  source: MessageSource,
): Promise<{ readonly bytes: Uint8Array; readonly size: number }> {
  const endings = lineEndings();
  const collected = new Collected();
  let size = 0;
  for await (const chunk of chunksOf(source)) {
    const room = Math.max(0, LIMITS.messageBytesMax - size);
    size += chunk.length;
    if (room > 0) collected.push(endings.push(chunk.subarray(0, room)));
  }
  collected.push(endings.end());
  return { bytes: collected.bytes, size };
}
