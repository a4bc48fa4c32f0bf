/** Splits an mbox file into its messages (RFC 4155, with the quoting of the mboxrd variant). */
import { LIMITS } from "../base/limits.ts";
import { isBlank } from "../mail/header-block.ts";
import { Collected } from "./collected.ts";
import { chunksOf, type MessageSource } from "./message-source.ts";

const LF = 10;
const GREATER = 62;
const FROM = new TextEncoder().encode("From ");

/** From here on it is known what a line begins with: the rest of a longer line is passed on as it comes. */
const LINE_START_BYTES = 1_024;

/** Whether `From ` stands at `at`. */
function isFrom(bytes: Uint8Array, at: number): boolean {
  return FROM.every((byte, index) => bytes[at + index] === byte);
}

/** Whether the line is `From ` behind one or more `>`: mboxrd adds one to such lines of a message. */
function isQuotedFrom(line: Uint8Array): boolean {
  let at = 0;
  while (line[at] === GREATER) at++;
  return at > 0 && isFrom(line, at);
}

function withoutBom(bytes: Uint8Array): Uint8Array {
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasBom ? bytes.subarray(3) : bytes;
}

/** Whether a file that begins so is an mbox: its first line is `From `, and no field `From :`. */
export function looksLikeMbox(bytes: Uint8Array): boolean {
  const start = withoutBom(bytes);
  let at = FROM.length;
  while (start[at] === 32 || start[at] === 9) at++;
  return isFrom(start, 0) && start[at] !== 58;
}

/** A line with its LF, or a piece of one that is longer than LINE_START_BYTES. */
interface Piece {
  readonly bytes: Uint8Array;
  readonly isLineStart: boolean;
  readonly isLineEnd: boolean;
}

/** Cuts chunks into lines; what is left of a chunk is held, as a copy, until the next one. */
function lineCutter(): { push(chunk: Uint8Array): Generator<Piece>; end(): Generator<Piece> } {
  let held: Uint8Array = new Uint8Array(0);
  let isLineStart = true;
  return {
    *push(chunk) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      let start = 0;
      for (let lf = bytes.indexOf(LF); lf >= 0; lf = bytes.indexOf(LF, start)) {
        yield { bytes: bytes.subarray(start, lf + 1), isLineStart, isLineEnd: true };
        isLineStart = true;
        start = lf + 1;
      }
      held = new Uint8Array(bytes.subarray(start));
      if (held.length < LINE_START_BYTES) return;
      yield { bytes: held, isLineStart, isLineEnd: false };
      isLineStart = false;
      held = new Uint8Array(0);
    },
    *end() {
      if (held.length > 0) yield { bytes: held, isLineStart, isLineEnd: false };
    },
  };
}

/** Takes pieces and gives a message when the next one begins. */
class Splitter {
  #message = new Collected();
  /** A blank line that belongs to the separator if a `From ` line follows. */
  #blank: Uint8Array | null = null;
  #state: "start" | "unquoted" | "mbox" = "start";

  #add(bytes: Uint8Array): void {
    const room = Math.max(0, LIMITS.messageBytesMax + 1 - this.#message.length);
    if (room > 0) this.#message.push(bytes.subarray(0, room));
  }

  /** The message so far, if there is one; the next starts empty. */
  take(): Uint8Array | null {
    if (this.#blank !== null && this.#state !== "mbox") this.#add(this.#blank);
    const message = this.#message;
    this.#message = new Collected();
    this.#blank = null;
    return this.#state === "mbox" || message.length > 0 ? message.bytes : null;
  }

  push({ bytes, isLineStart, isLineEnd }: Piece): Uint8Array | null {
    const line = this.#state === "start" ? withoutBom(bytes) : bytes;
    const mayBegin = isLineStart && (this.#state === "start" || this.#blank !== null);
    if (mayBegin && isFrom(line, 0)) {
      const message = this.take();
      this.#state = "mbox";
      return message;
    }
    if (this.#state === "start") this.#state = "unquoted";
    if (this.#blank !== null) this.#add(this.#blank);
    const isBlankLine = isLineStart && isLineEnd && isBlank(line, 0, line.length - 1);
    this.#blank = isBlankLine ? new Uint8Array(line) : null;
    const isQuoted = this.#state === "mbox" && isLineStart && isQuotedFrom(line);
    if (!isBlankLine) this.#add(isQuoted ? line.subarray(1) : line);
    return null;
  }
}

/**
 * The messages of an mbox, in order, without their `From ` line, the blank line before the next one, and the `>` that
 * quotes a `From ` within. One message is held at a time. Of a message larger than `messageBytesMax` that many octets
 * and one more are given, so that reading it tells `message-too-large`. What stands before the first `From ` line is
 * a message of its own.
 */
// ASSUMPTION(mbox-separator): a line `From ` begins a message only at the start of the file or after a blank line.
export async function* splitMbox(source: MessageSource): AsyncGenerator<Uint8Array, void, void> {
  const splitter = new Splitter();
  const lines = lineCutter();
  for await (const chunk of chunksOf(source)) {
    for (const piece of lines.push(chunk)) {
      const message = splitter.push(piece);
      if (message !== null) yield message;
    }
  }
  for (const piece of lines.end()) {
    const message = splitter.push(piece);
    if (message !== null) yield message;
  }
  const last = splitter.take();
  if (last !== null) yield last;
}
