/** Splits off the header block of a message in memory, without looking at what follows it. */
import { latin1Text } from "../text/octet-text.ts";
import { type HeaderBlock, type HeaderLimits, splitHeaderText } from "./header-block.ts";

/**
 * Octets to try first, in turn. Nearly all header blocks end within the first, and no octet is copied more than
 * twice.
 */
const WINDOWS_BYTES = [4_096, 32_768];

/** The header block of bytes with LF or CRLF lines. */
export function headerBlockOf(bytes: Uint8Array, limits: HeaderLimits): HeaderBlock {
  // One octet more than the bound shows that the block exceeds it.
  const most = Math.min(bytes.length, limits.headerBlockBytesMax + 1);
  for (const window of WINDOWS_BYTES) {
    if (window >= most) break;
    const block = splitHeaderText(latin1Text(bytes, 0, window), limits);
    if (block.bodyStart !== null) return block;
  }
  return splitHeaderText(latin1Text(bytes, 0, most), limits);
}
