/** Finds the messages of an mbox in chunks of the file. Holds one message at a time. */
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
/** Octets kept at the end of a message that is cut: a separator with its blank line may begin in them. */
const TAIL_BYTES = 2_048;

/** Where a message begins, with what the messages before it imply: reading can go on from there. */
export interface MboxBorder {
  /** Where its `From ` line is: octets from the start of the file. */
  readonly at: number;
  /** Before this place in the file no Content-Length counts, since one that covers it was wrong. */
  readonly distrusted: number;
}

/** A message as it is in the file. */
export interface MboxPiece {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** `before`: before the first `From ` line; `held together`: by its Content-Length, over `From ` lines inside it. */
  readonly kind: "usual" | "before" | "held together";
}

export class MboxSplitter {
  readonly #lengths: "where they fit" | "never";
  readonly #bytesMax: number;
  readonly #dialect: MboxDialect;
  /** Lines that may have been judged wrong. */
  readonly doubts: Map<MboxDoubt, number> = new Map();
  /** The current message, and what follows it in the chunk; it begins at `#from`. */
  readonly #held = new Collected(Buffer.allocUnsafe);
  #from = 0;
  /** Where `#from` is in the file, and the number of octets dropped after it. */
  #start = 0;
  #dropped = 0;
  /** Up to here no separator was found. */
  #search = 0;
  #state: "start" | "before" | "separator" | "message" = "start";
  /** The message's length according to its Content-Length; -1 if that does not count, `null` if not looked up yet. */
  #expected: number | null = null;
  /** The first `From ` line that this length covers; -1 if there is none. */
  #covered = -1;
  /** Before this place in the file no Content-Length counts, since one that covers it was wrong. */
  #distrusted = 0;
  /** Where the `From ` line after the last piece is in the file; -1 if there is none. */
  #next = -1;

  /** The first chunk must begin at the start of the file, or at `border`. */
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

  /** Where the message after the last piece begins; `null` if there is none. */
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
    // The file ends inside a `From ` line.
    if (this.#state === "separator") this.#begin(this.#held.length, "message");
    const end = this.#held.length;
    const blank = this.#state === "before" ? end : this.#blankLine(end - 1);
    const length = end - this.#from + this.#dropped;
    this.#next = -1;
    if (this.#state !== "before" || length > 0) yield this.#piece(blank < 0 ? end : blank);
  }

  /** At `from` in the held octets a message begins, or the text before the first message. */
  #begin(from: number, state: "before" | "message"): void {
    this.#start += from - this.#from + this.#dropped;
    this.#from = from;
    this.#search = from;
    this.#dropped = 0;
    this.#expected = null;
    this.#covered = -1;
    this.#state = state;
  }

  /** Begins a message after the `From ` line at `line`, if the end of that line has come. */
  #passSeparator(line: number): boolean {
    const lf = this.#held.bytes.indexOf(LF, Math.max(line, this.#search));
    if (lf < 0) {
      this.#search = this.#held.length;
      return false;
    }
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

  /** The length that the header declares; the header ends before the line at `next`. */
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
   * What the message's own length says about an end before the blank line at `blank`; the next line begins at `next`.
   * If the length was wrong, it no longer counts, nor does that of any message up to there.
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

  /** Whether it is known how the file begins. Passes that beginning. */
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

  /** Whether no separator followed at the end that the message's own length gives, though that length covers some. */
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
