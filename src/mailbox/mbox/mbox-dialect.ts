/**
 * How an mbox separates its messages, found from the whole file: by dates in `From ` lines, blank lines before them
 * and headers after them.
 */
import {
  type FromLine,
  firstFromLine,
  LINE_FROM,
  type MboxDialect,
  readFromLine,
} from "./mbox-from-line.ts";

/** Octets to look at before giving the first message, in a file that can be read only once. */
export const HEAD_EVIDENCE_BYTES = 4_194_304;

/** Counts `From ` lines with a header after them; other lines do not show how messages are separated. */
export class DialectEvidence {
  #lines = 0;
  #dated = 0;
  #afterBlank = 0;
  #commits = 0;

  #add({ afterBlank, isDated, isCommit }: FromLine): void {
    this.#lines++;
    if (isDated) this.#dated++;
    if (afterBlank) this.#afterBlank++;
    if (isCommit) this.#commits++;
  }

  /** Adds all `From ` lines of `bytes`, which are the start of the file or a window inside it. */
  addAll(bytes: Buffer, place: "start" | "within", rest: "more" | "ended"): void {
    const start = place === "start" ? (firstFromLine(bytes, rest) ?? -1) : -1;
    if (start >= 0) {
      const first = readFromLine(bytes, start, 0, rest);
      if (first !== null) this.#add({ ...first, afterBlank: true });
    }
    let lf = bytes.indexOf(LINE_FROM, Math.max(0, start));
    for (; lf >= 0; lf = bytes.indexOf(LINE_FROM, lf + 1)) {
      const line = readFromLine(bytes, lf + 1, 0, rest);
      if (line === null) return;
      if (line.next === "known field" || line.next === "field") this.#add(line);
    }
  }

  dialect(): MboxDialect {
    const dated = 2 * this.#dated >= this.#lines;
    // The first line of a file counts as if a blank line came before it.
    const later = Math.max(0, this.#lines - 1);
    const none = later > 0 && 2 * (this.#afterBlank - 1) < later;
    const commits = 2 * this.#commits > this.#lines;
    return {
      dates: dated ? "always" : "none",
      blanks: none ? "none" : "before",
      senders: commits ? "commits" : "people",
    };
  }
}

/** The dialect of an mbox, from its first octets. */
export function dialectOfHead(bytes: Uint8Array, rest: "more" | "ended"): MboxDialect {
  const evidence = new DialectEvidence();
  evidence.addAll(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), "start", rest);
  return evidence.dialect();
}

/** A dialect in words: ``dated `From ` lines after blank lines``. */
export function dialectText({ dates, blanks, senders }: MboxDialect): string {
  const lines = dates === "always" ? "dated `From ` lines" : "`From ` lines without dates";
  const after = blanks === "before" ? "after blank lines" : "without blank lines before them";
  return `${senders === "commits" ? "a series of patches: " : ""}${lines} ${after}`;
}
