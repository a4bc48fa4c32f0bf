/** Finds the messages of an mbox in chunks of it, holding one message at a time. */
import { splitHeaderBlock } from "../../message/header/header-block.ts";
import { Collected } from "../../message/text/collected.ts";
import {
  blankLineAt,
  firstFromLine,
  judgeFromLine,
  LINE_FROM,
  type MboxDialect,
  type MboxDoubt,
  readFromLine,
} from "./mbox-from-line.ts";

const LF = 10;
/** Octets kept of the end of a message that is cut: a separator, after its blank line, may have begun in them. */
const TAIL_BYTES = 2_048;

/** Where a message begins, and what the messages before it leave behind: reading can go on from there. */
export interface MboxBorder {
  /** Of its `From ` line: octets from the start of the file. */
  readonly at: number;
  /** Up to where no Content-Length counts, since one was wrong that covered it. */
  readonly distrusted: number;
}

/** A message as it stands in the file. */
export interface MboxPiece {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** `before`: before the first `From ` line; `held together`: by its Content-Length, over such lines within it. */
  readonly kind: "usual" | "before" | "held together";
}

export class MboxSplitter {
  readonly #lengths: "where they fit" | "never";
  readonly #bytesMax: number;
  readonly #dialect: MboxDialect;
  /** Lines that may have been judged wrong. */
  readonly doubts: Map<MboxDoubt, number> = new Map();
  /** The message that is read, and what follows it in the chunk; it begins at `#from`. */
  readonly #held = new Collected(Buffer.allocUnsafe);
  #from = 0;
  /** Where `#from` stands in the file, and the octets after it that were dropped. */
  #start = 0;
  #dropped = 0;
  /** Up to where no separator was found. */
  #search = 0;
  #state: "start" | "before" | "separator" | "message" = "start";
  /** Length that the message's Content-Length gives it; -1 if it counts for nothing, `null` while not looked up. */
  #expected: number | null = null;
  /** The first `From ` line that it covers; -1 if there is none. */
  #covered = -1;
  /** Up to where in the file Content-Length does not count, since one was wrong that covered it. */
  #distrusted = 0;
  /** Where the `From ` line behind the last piece stands in the file; -1 if there is none. */
  #next = -1;

  /** What is pushed begins at the file's start, or at `border`. */
  constructor(
    lengths: "where they fit" | "never",
    bytesMax: number,
    dialect: MboxDialect,
    border?: MboxBorder,
  ) {
    this.#lengths = lengths;
    this.#bytesMax = bytesMax;
    this.#dialect = dialect;
    if (border === undefined) return;
    this.#start = border.at;
    this.#distrusted = border.distrusted;
    this.#state = "separator";
  }

  /** Where the message behind the last piece begins; `null` if there is none. */
  get border(): MboxBorder | null {
    return this.#next < 0 ? null : { at: this.#next, distrusted: this.#distrusted };
  }

  *push(chunk: Uint8Array): Generator<MboxPiece> {
    if (this.#from > 0) {
      this.#held.cutOut(0, this.#from);
      this.#search -= this.#from;
      if (this.#covered >= 0) this.#covered -= this.#from;
      this.#from = 0;
    }
    this.#held.push(chunk);
    yield* this.#split("more");
  }

  *end(): Generator<MboxPiece> {
    yield* this.#split("ended");
    if (this.#state === "start") return;
    // A file that ends within a `From ` line.
    if (this.#state === "separator") this.#begin(this.#held.length, "message");
    const end = this.#held.length;
    const blank = this.#state === "before" ? end : this.#blankLine(end - 1);
    const length = end - this.#from + this.#dropped;
    this.#next = -1;
    if (this.#state !== "before" || length > 0) yield this.#piece(blank < 0 ? end : blank);
  }

  /** What goes on at `from` of what is held begins a message, or what stands before the first. */
  #begin(from: number, state: "before" | "message"): void {
    this.#start += from - this.#from + this.#dropped;
    this.#from = from;
    this.#search = from;
    this.#dropped = 0;
    this.#expected = null;
    this.#covered = -1;
    this.#state = state;
  }

  /** Begins after the `From ` line that starts at `line`, if its end is there. */
  #passSeparator(line: number): boolean {
    const lf = this.#held.bytes.indexOf(LF, line);
    if (lf < 0) return false;
    this.#begin(lf + 1, "message");
    return true;
  }

  #piece(end: number): MboxPiece {
    const { bytes } = this.#held;
    const length = end - this.#from + this.#dropped;
    const kept = Math.min(end, this.#from + this.#bytesMax);
    const kind = this.#state === "before" ? "before" : "usual";
    return {
      bytes: new Uint8Array(bytes.subarray(this.#from, kept)),
      start: this.#start,
      end: this.#start + length,
      kind: this.#covered >= 0 ? "held together" : kind,
    };
  }

  #blankLine(lf: number): number {
    return blankLineAt(this.#held.bytes, lf, this.#from);
  }

  /** What the header says, which stands before the line at `next`. */
  #expectedLength(next: number): number {
    if (this.#expected !== null) return this.#expected;
    this.#expected = -1;
    if (this.#lengths === "never" || this.#state === "before") return -1;
    if (this.#start < this.#distrusted) return -1;
    const end = Math.min(next, this.#from + this.#bytesMax);
    const { keyFields, bodyStart } = splitHeaderBlock(this.#held.bytes.subarray(this.#from, end));
    const value = keyFields.find(({ name }) => name === "content-length")?.value.trim() ?? "";
    if (bodyStart === null || !/^\d{1,12}$/.test(value)) return -1;
    const expected = bodyStart + Number(value);
    if (expected <= this.#bytesMax) this.#expected = expected;
    return this.#expected;
  }

  /**
   * What the message's own length says of its end before the blank line at `blank`, the next line beginning at
   * `next`. Where it was wrong, it counts no more, nor does that of any message up to there.
   */
  #judge(blank: number, next: number): "ends" | "goes on" | "was wrong" {
    const expected = this.#expectedLength(next);
    if (expected < 0 || expected === next - this.#from || expected === blank - this.#from) {
      return "ends";
    }
    if (expected > next - this.#from) return "goes on";
    return this.#covered < 0 ? "ends" : "was wrong";
  }

  #distrust(): void {
    this.#distrusted = this.#start + this.#expected!;
    this.#expected = -1;
    this.#search = this.#covered;
    this.#covered = -1;
  }

  /** Drops the middle of a message that is too long. */
  #shorten(): void {
    const [start, end] = [this.#from + this.#bytesMax, this.#held.length - TAIL_BYTES];
    if (end - start < this.#bytesMax / 8) return;
    this.#held.cutOut(start, end);
    this.#dropped += end - start;
    this.#search = Math.max(start, this.#search - (end - start));
  }

  /** Whether it is known how the file begins; what it begins with is passed. */
  #passStart(rest: "more" | "ended"): boolean {
    if (this.#state === "separator") return this.#passSeparator(this.#from);
    if (this.#state !== "start") return true;
    const start = firstFromLine(this.#held.bytes, rest);
    if (start === null) return false;
    this.#begin(Math.max(0, start), "before");
    if (start < 0) return true;
    this.#state = "separator";
    return this.#passSeparator(start);
  }

  *#split(rest: "more" | "ended"): Generator<MboxPiece> {
    if (!this.#passStart(rest)) return;
    for (;;) {
      const lf = this.#held.bytes.indexOf(LINE_FROM, this.#search);
      if (lf < 0) {
        this.#search = Math.max(this.#search, this.#held.length - LINE_FROM.length + 1);
        if (!this.#isOverrun(rest)) break;
        this.#distrust();
        continue;
      }
      this.#search = lf;
      const line = readFromLine(this.#held.bytes, lf + 1, this.#from, rest);
      if (line === null) break;
      this.#search = lf + 1;
      const { begins, doubt } = judgeFromLine(line, this.#dialect);
      const blank = this.#blankLine(lf);
      const verdict = begins ? this.#judge(blank, lf + 1) : "goes on";
      if (begins && verdict === "goes on" && this.#covered < 0) this.#covered = lf;
      if (verdict === "was wrong") this.#distrust();
      else if (doubt !== null && (verdict === "ends" || this.#covered < 0)) {
        this.doubts.set(doubt, (this.doubts.get(doubt) ?? 0) + 1);
      }
      if (verdict !== "ends") continue;
      this.#next = this.#start + (lf + 1 - this.#from) + this.#dropped;
      yield this.#piece(this.#state === "before" || blank < 0 ? lf + 1 : blank);
      this.#begin(lf + 1, "message");
      if (this.#passSeparator(this.#from)) continue;
      this.#state = "separator";
      return;
    }
    this.#shorten();
  }

  /** Whether no separator followed where the message's own length, which covers some, says it ends. */
  #isOverrun(rest: "more" | "ended"): boolean {
    if (this.#covered < 0) return false;
    const length = this.#held.length - this.#from;
    const expected = this.#expected!;
    if (rest === "more") return length > expected + TAIL_BYTES;
    const blank = this.#blankLine(this.#held.length - 1);
    const bare = blank < 0 ? length : blank - this.#from;
    return expected !== length && expected !== bare;
  }
}
