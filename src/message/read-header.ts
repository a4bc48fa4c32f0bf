/** Splits off the header block of a message whose bytes are there, without looking at what follows it. */
import { type HeaderBlock, type HeaderLimits, splitHeaderText } from "../mail/header-block.ts";

/** Octets that are tried first, in turn: nearly all header blocks end within the first, and none is copied twice over. */
const WINDOWS_BYTES = [4_096, 32_768];

/** The header block of bytes with LF or CRLF lines. */
export function headerBlockOf(bytes: Uint8Array, limits: HeaderLimits): HeaderBlock {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // One octet more than the bound, so that it is seen to be exceeded.
  const most = Math.min(buffer.length, limits.headerBlockBytesMax + 1);
  for (const window of WINDOWS_BYTES) {
    if (window >= most) break;
    const block = splitHeaderText(buffer.toString("latin1", 0, window), limits);
    if (block.bodyStart !== null) return block;
  }
  return splitHeaderText(buffer.toString("latin1", 0, most), limits);
}
