/** Collects the beginning of a message, chunk by chunk, up to its blank line. */

import { collectedBytes } from "../text/collected.ts";
import { lineEndings } from "../text/line-endings.ts";
import { findBlankLine } from "./header-block.ts";

/** Octets of a large chunk to take before the next search for the blank line. */
const STEP_BYTES = 65_536;

/** How much of a message is read for its header. */
export interface CollectorLimits {
  readonly headerBlockBytesMax: number;
  readonly messageBytesMax: number;
}

export class HeaderCollector {
  readonly #collected = collectedBytes();
  readonly #endings = lineEndings();
  readonly #bytesMax: number;
  /** Octets of the message until the rest of it is not read. */
  #room: number;
  #lineStart = 0;
  /** Whether the blank line was found or the bound was passed. Later bytes are not needed. */
  isComplete = false;

  constructor(limits: CollectorLimits) {
    this.#bytesMax = limits.headerBlockBytesMax;
    this.#room = limits.messageBytesMax;
  }

  push(all: Uint8Array): void {
    const chunk = all.length > this.#room ? all.subarray(0, this.#room) : all;
    this.#room -= chunk.length;
    for (let at = 0; at < chunk.length && !this.isComplete; at += STEP_BYTES) {
      this.#collected.push(this.#endings.push(chunk.subarray(at, at + STEP_BYTES)));
      const { bodyStart, complete } = findBlankLine(this.#collected.bytes, this.#lineStart);
      this.#lineStart = complete;
      this.isComplete = bodyStart !== null || this.#collected.length > this.#bytesMax;
    }
    if (this.#room === 0) this.end();
  }

  /** The header block as far as it was received, with LF or CRLF lines. Push nothing afterwards. */
  end(): Uint8Array {
    if (!this.isComplete) this.#collected.push(this.#endings.end());
    this.isComplete = true;
    return this.#collected.bytes;
  }
}
