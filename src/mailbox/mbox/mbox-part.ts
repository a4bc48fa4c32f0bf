/** Reads the messages that begin in one part of an mbox file, the same ones as reading the whole file finds. */
import { closeSync, openSync, readSync } from "node:fs";
import { fsPath } from "../path-bytes.ts";
import { type MboxMessage, mboxReader } from "./mbox.ts";
import { dialectOfFile } from "./mbox-file-dialect.ts";
import {
  AFTER_BYTES,
  BEFORE_BYTES,
  judgeFromLine,
  LINE_FROM,
  type MboxDialect,
  type MboxDoubt,
  readFromLine,
} from "./mbox-from-line.ts";
import type { MboxBorder, MboxPiece, MboxSplitter } from "./mbox-splitter.ts";

const CHUNK_BYTES = 1_048_576;
/** Octets read at once to find the first message. */
const SEARCH_BYTES = 65_536;

/** Octets of a plain file, half-open. */
export interface PartOfFile {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** Octets of the file to read: what is appended later is not read. */
  readonly fileEnd: number;
  /** How the mbox separates its messages; by default found from the file. */
  readonly dialect?: MboxDialect | undefined;
}

/** The chunks of a file from `at` on, all in the same memory. Reads synchronously, as the thread has nothing else to do. */
function* chunksFrom(file: number, at: number, end: number): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let place = at;
  while (place < end) {
    const bytesRead = readSync(file, buffer, 0, Math.min(CHUNK_BYTES, end - place), place);
    if (bytesRead === 0) return;
    place += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function* piecesOf(splitter: MboxSplitter, chunks: Iterable<Uint8Array>): Generator<MboxPiece> {
  for (const chunk of chunks) yield* splitter.push(chunk);
  yield* splitter.end();
}

/** The first line in `[start, end)` that begins a message, or `null`. Ignores messages held together over such a line. */
function likelyBorder(
  file: number,
  { start, end, fileEnd }: PartOfFile,
  dialect: MboxDialect,
): number | null {
  const buffer = Buffer.allocUnsafe(SEARCH_BYTES);
  let place = Math.max(0, start - BEFORE_BYTES);
  while (place < end) {
    const length = Math.min(SEARCH_BYTES, fileEnd - place);
    const bytes = buffer.subarray(0, readSync(file, buffer, 0, length, place));
    const rest = place + bytes.length >= fileEnd || bytes.length === 0 ? "ended" : "more";
    let lf = bytes.indexOf(LINE_FROM, Math.max(0, start - 1 - place));
    for (; lf >= 0; lf = bytes.indexOf(LINE_FROM, lf + 1)) {
      const line = place + lf + 1;
      if (line >= end) return null;
      const found = readFromLine(bytes, lf + 1, 0, rest);
      if (found === null) break;
      if (judgeFromLine(found, dialect).begins) return line;
    }
    if (rest === "ended") return null;
    // Reads the end of these octets again: a line there could not be judged yet, or is not complete.
    place += bytes.length - BEFORE_BYTES - AFTER_BYTES;
  }
  return null;
}

/**
 * The messages whose `From ` lines are in the part, each read to its end, even beyond the part. Where the first
 * message begins depends on the text before the part: a Content-Length may hold a message together over `From `
 * lines. Without `border` the part assumes that none does. The caller then compares the `next` of the part before
 * with this part's `first`; if they differ, it reads this part again from there.
 */
export class MboxPart {
  /** Where the first message begins, known once that message was asked for; `null`: none begins here. */
  first: MboxBorder | null = null;
  /** Where the first message after the part begins, known once all were asked for; `null`: the file has ended. */
  next: MboxBorder | null = null;
  /** Number of `From ` lines that may have been judged wrong. */
  doubts: ReadonlyMap<MboxDoubt, number> = new Map();
  readonly #part: PartOfFile;
  readonly #border: MboxBorder | undefined;

  /** `border`: where its first message begins, if known. */
  constructor(part: PartOfFile, border?: MboxBorder) {
    this.#part = part;
    this.#border = border;
  }

  #begin(file: number, dialect: MboxDialect): MboxBorder | null {
    if (this.#border !== undefined) return this.#border;
    const at = this.#part.start === 0 ? 0 : likelyBorder(file, this.#part, dialect);
    return at === null ? null : { at, distrusted: 0 };
  }

  *messages(): Generator<MboxMessage, void, void> {
    const { path, start, end, fileEnd } = this.#part;
    const file = openSync(fsPath(path), "r");
    try {
      const dialect = this.#part.dialect ?? dialectOfFile(path, fileEnd);
      this.first = this.#begin(file, dialect);
      if (this.first === null) return;
      const border = start === 0 ? undefined : this.first;
      const { splitter, messageOf } = mboxReader({}, dialect, border);
      this.doubts = splitter.doubts;
      for (const piece of piecesOf(splitter, chunksFrom(file, this.first.at, fileEnd))) {
        yield messageOf(piece);
        this.next = splitter.border;
        if (this.next !== null && this.next.at >= end) return;
      }
    } finally {
      closeSync(file);
    }
  }
}
