/** Splits off the header block of a message whose bytes are there, without looking at what follows it. */
import { latin1Text } from "../text/octet-text.ts";
import { type HeaderBlock, type HeaderLimits, splitHeaderText } from "./header-block.ts";

/** Octets that are tried first, in turn: nearly all header blocks end within the first, and none is copied twice over. */
const WINDOWS_BYTES = [4_096, 32_768];

/** The header block of bytes with LF or CRLF lines. */
export function headerBlockOf(bytes: Uint8Array, limits: HeaderLimits): HeaderBlock {
  // One octet more than the bound, so that it is seen to be exceeded.
  const most = Math.min(bytes.length, limits.headerBlockBytesMax + 1);
  for (const window of WINDOWS_BYTES) {
    if (window >= most) break;
    const block = splitHeaderText(latin1Text(bytes, 0, window), limits);
    if (block.bodyStart !== null) return block;
  }
  return splitHeaderText(latin1Text(bytes, 0, most), limits);
}
