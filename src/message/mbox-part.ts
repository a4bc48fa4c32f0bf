/** Reads the messages that begin in one part of an mbox file, as reading the whole file would find them. */
import { closeSync, openSync, readSync } from "node:fs";
import { type MboxMessage, mboxReader } from "./mbox.ts";
import {
  blankLineAt,
  LINE_FROM,
  type MboxBorder,
  type MboxPiece,
  type MboxSplitter,
} from "./mbox-splitter.ts";

const CHUNK_BYTES = 1_048_576;
/** Octets read at once to find the first message. */
const SEARCH_BYTES = 65_536;
/** Octets before a line that tell whether it follows a blank one. */
const BEFORE_BYTES = 64;

/** Octets of a plain file, half-open. */
export interface PartOfFile {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** The chunks of a file from `at` on, each in the same memory, read without leaving the thread: it has nothing else to do. */
function* chunksFrom(file: number, at: number): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let place = at;
  for (;;) {
    const bytesRead = readSync(file, buffer, 0, CHUNK_BYTES, place);
    if (bytesRead === 0) return;
    place += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function* piecesOf(splitter: MboxSplitter, chunks: Iterable<Uint8Array>): Generator<MboxPiece> {
  for (const chunk of chunks) yield* splitter.push(chunk);
  yield* splitter.end();
}

/** The first line in `[start, end)` that separates messages, unless a message is held together over it; or `null`. */
function likelyBorder(file: number, start: number, end: number): number | null {
  const buffer = Buffer.allocUnsafe(SEARCH_BYTES);
  let place = Math.max(0, start - BEFORE_BYTES);
  while (place < end) {
    const bytesRead = readSync(file, buffer, 0, SEARCH_BYTES, place);
    const bytes = buffer.subarray(0, bytesRead);
    let lf = bytes.indexOf(LINE_FROM, Math.max(0, start - 1 - place));
    for (; lf >= 0; lf = bytes.indexOf(LINE_FROM, lf + 1)) {
      const line = place + lf + 1;
      if (line >= end) return null;
      if (blankLineAt(bytes, lf, 0) >= 0) return line;
    }
    if (bytesRead <= BEFORE_BYTES) return null;
    place += bytesRead - BEFORE_BYTES;
  }
  return null;
}

/**
 * The messages whose `From ` lines stand in the part, each read to its end beyond it. Where the part's first message
 * begins depends on what stands before: on a Content-Length that holds a message together over `From ` lines. Without
 * `border` it is taken for granted that there is none; whoever reads the part before compares its `next` with this
 * one's `first`, and where they differ reads this one again from there.
 */
export class MboxPart {
  /** Where the first message begins, once it is asked for; `null`: none begins here. */
  first: MboxBorder | null = null;
  /** Where the first message behind the part begins, once all were asked for; `null`: the file has ended. */
  next: MboxBorder | null = null;
  readonly #part: PartOfFile;
  readonly #border: MboxBorder | undefined;

  /** `border`: where its first message begins, if that is known. */
  constructor(part: PartOfFile, border?: MboxBorder) {
    this.#part = part;
    this.#border = border;
  }

  #begin(file: number): MboxBorder | null {
    const { start, end } = this.#part;
    if (this.#border !== undefined) return this.#border;
    const at = start === 0 ? 0 : likelyBorder(file, start, end);
    return at === null ? null : { at, distrusted: 0 };
  }

  *messages(): Generator<MboxMessage, void, void> {
    const { path, start, end } = this.#part;
    const file = openSync(path, "r");
    try {
      this.first = this.#begin(file);
      if (this.first === null) return;
      const { splitter, messageOf } = mboxReader({}, start === 0 ? undefined : this.first);
      for (const piece of piecesOf(splitter, chunksFrom(file, this.first.at))) {
        yield messageOf(piece);
        this.next = splitter.border;
        if (this.next !== null && this.next.at >= end) return;
      }
    } finally {
      closeSync(file);
    }
  }
}
