/** Splits the header block of a message, or of a MIME part, into its fields (RFC 5322 §2.2). */
import { LIMITS } from "../../base/limits.ts";
import { octetText } from "../text/octet-text.ts";
import { type MessageProblem, type MessageProblemCode, problem } from "./message-problem.ts";

const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;
const COLON = 58;
const DASH = 45;

const NO_PROBLEMS: readonly MessageProblem[] = [];

/** How much of a header block is read. */
export interface HeaderLimits {
  readonly headerBlockBytesMax: number;
  readonly headerFieldsMax: number;
  readonly headerFieldBytesMax: number;
  readonly sendersMax: number;
  readonly commentDepthMax: number;
}

/** One field, as positions in the text of its block. Name and value are cut out when asked for. */
export class HeaderField {
  readonly #text: string;
  readonly #start: number;
  readonly #nameEnd: number;
  readonly #valueStart: number;
  readonly #valueEnd: number;

  constructor(text: string, start: number, nameEnd: number, valueStart: number, valueEnd: number) {
    this.#text = text;
    this.#start = start;
    this.#nameEnd = nameEnd;
    this.#valueStart = valueStart;
    this.#valueEnd = valueEnd;
  }

  /** In lower case. */
  get name(): string {
    return this.#text.slice(this.#start, this.#nameEnd).toLowerCase();
  }

  /** `name`: in lower case. */
  isNamed(name: string): boolean {
    const length = this.#nameEnd - this.#start;
    return length === name.length && this.name === name;
  }

  /** Everything after the colon as received: an octet text, with the line breaks of folds. */
  get value(): string {
    return this.#text.slice(this.#valueStart, this.#valueEnd);
  }
}

/** Octets to compare one by one first: on such short lines, starting a native search costs as much. */
const SHORT_LINE = 8;

/** Where the line that contains `from` ends; -1 if it has no LF. */
export function lineEndOf(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < from + SHORT_LINE; at++) if (bytes[at] === LF) return at;
  return bytes.indexOf(LF, at);
}

/** Whether the line `[start, end)`, without its LF, is blank. Several CRs before an LF are one line ending. */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (bytes[index] !== CR) return false;
  return true;
}

/**
 * Finds the first blank line from `from`, the start of a line, up to `to`, the start of another line or the end.
 * `bodyStart` is where the next line starts, `null` without a blank line. `complete` is the start of the first line
 * that has no end yet: go on there when more bytes have come.
 */
export function findBlankLine(
  bytes: Uint8Array,
  from: number,
  to: number = bytes.length,
): { readonly bodyStart: number | null; readonly complete: number } {
  let start = from;
  while (start < to) {
    const end = lineEndOf(bytes, start);
    if (end < 0 || end >= to) return { bodyStart: null, complete: start };
    if (isBlank(bytes, start, end)) return { bodyStart: end + 1, complete: end + 1 };
    start = end + 1;
  }
  return { bodyStart: null, complete: start };
}

function isBlankText(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (text.charCodeAt(index) !== CR) return false;
  return true;
}

function isBlankUnit(unit: number): boolean {
  return unit === SPACE || unit === TAB;
}

/** Length of a byte order mark and of an mbox separator line; neither is part of the message. */
function preambleLength(text: string): number {
  const bom = text.startsWith("\xef\xbb\xbf") ? 3 : 0;
  if (!text.startsWith("From ", bom)) return bom;
  let index = bom + 5;
  while (isBlankUnit(text.charCodeAt(index))) index++;
  if (text.charCodeAt(index) === COLON) return bom;
  const end = text.indexOf("\n", bom);
  return end < 0 ? text.length : end + 1;
}

/** Whether the line is an mbox separator, which no reader shows as text. */
function isSeparator(text: string, start: number): boolean {
  return text.startsWith("From ", start) || text.startsWith(">From ", start);
}

/** Where the field name at the start of the line ends; `start` if there is no name. */
function nameEndOf(text: string, start: number, end: number): number {
  let index = start;
  for (; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit <= SPACE || unit >= 127 || unit === COLON) break;
  }
  return index;
}

const [LOWER_C, LOWER_F, LOWER_S] = [99, 102, 115];

/** Whether `[start, nameEnd)` names a key field. */
function isKeyName(text: string, start: number, nameEnd: number): boolean {
  const first = text.charCodeAt(start) | 32;
  const length = nameEnd - start;
  if (first === LOWER_F) return length === 4 && text.slice(start, nameEnd).toLowerCase() === "from";
  if (first === LOWER_S) {
    return length === 7 && text.slice(start, nameEnd).toLowerCase() === "subject";
  }
  return (
    first === LOWER_C &&
    length > 8 &&
    text.charCodeAt(start + 7) === DASH &&
    text.slice(start, start + 8).toLowerCase() === "content-"
  );
}

/** Which fields a pass over the block keeps. */
type Kept = "key fields" | "all fields";

/** One pass over the text of a block. */
class Pass {
  readonly fields: HeaderField[] = [];
  /** One of each code: the last reported. */
  problems: readonly MessageProblem[] = NO_PROBLEMS;
  bodyStart: number | null = null;
  /**
   * Where the first line starts that is not a field and that a reader shows as text, though no blank line precedes
   * it.
   */
  strayStart: number | null = null;
  readonly #text: string;
  readonly #limits: HeaderLimits;
  readonly #kept: Kept;
  #count = 0;
  /** The field that continuation lines belong to; none if `#valueStart` is -1. */
  #start = 0;
  #nameEnd = 0;
  #valueStart = -1;

  constructor(text: string, limits: HeaderLimits, kept: Kept) {
    this.#text = text;
    this.#limits = limits;
    this.#kept = kept;
    this.#run();
  }

  #tell(code: MessageProblemCode, message: string): void {
    const told = this.problems.findIndex((each) => each.code === code);
    if (this.problems[told]?.message === message) return;
    this.problems = this.problems.toSpliced(
      told < 0 ? this.problems.length : told,
      1,
      problem(code, message),
    );
  }

  /** For a message that is always the same, which many lines may ask for. */
  #tellOnce(code: MessageProblemCode, message: string): void {
    if (!this.problems.some((told) => told.code === code)) this.#tell(code, message);
  }

  /** Begins the field on the line `[start, end)`. */
  #open(start: number, end: number): void {
    this.#valueStart = -1;
    const { headerFieldsMax } = this.#limits;
    const nameEnd = nameEndOf(this.#text, start, end);
    let colon = nameEnd;
    while (isBlankUnit(this.#text.charCodeAt(colon))) colon++;
    const isField = nameEnd > start && colon < end && this.#text.charCodeAt(colon) === COLON;
    if (!isField) {
      if (!isSeparator(this.#text, start)) this.strayStart ??= start;
      this.#tellOnce("malformed-field", "a header line without a field name is read as text");
    }
    if (this.#count >= headerFieldsMax) {
      this.#tellOnce(
        "too-many-fields",
        `of the fields after the first ${headerFieldsMax} only From, Subject and those of MIME are read`,
      );
      if (!isField || !isKeyName(this.#text, start, nameEnd)) return;
    }
    this.#count++;
    this.#start = start;
    this.#nameEnd = nameEnd;
    if (isField) this.#valueStart = colon + 1;
  }

  /** Ends the open field at `end`. */
  #close(end: number): void {
    if (this.#valueStart < 0) return;
    const { headerFieldBytesMax } = this.#limits;
    const valueMax = this.#valueStart + headerFieldBytesMax;
    if (end > valueMax) {
      const name = this.#text.slice(this.#start, Math.min(this.#nameEnd, this.#start + 80));
      this.#tell("field-too-long", `the header field \`${name.toLowerCase()}\` was cut`);
    }
    const [text, start, nameEnd] = [this.#text, this.#start, this.#nameEnd];
    if (this.#kept === "key fields" && !isKeyName(text, start, nameEnd)) return;
    const valueEnd = Math.min(end, valueMax);
    this.fields.push(new HeaderField(text, start, nameEnd, this.#valueStart, valueEnd));
  }

  #run(): void {
    const text = this.#text;
    const max = this.#limits.headerBlockBytesMax;
    let start = preambleLength(text);
    /** Where the open field ends so far. */
    let openEnd = 0;
    while (start < text.length) {
      const lf = text.indexOf("\n", start);
      const end = lf < 0 ? text.length : lf;
      if (lf < 0 ? end > max : end >= max) {
        this.#tell("header-too-long", `only the first ${max} octets of the header are read`);
        break;
      }
      if (lf >= 0 && isBlankText(text, start, end)) {
        this.bodyStart = end + 1;
        break;
      }
      if (!isBlankUnit(text.charCodeAt(start))) {
        this.#close(openEnd);
        this.#open(start, end);
      }
      openEnd = end;
      start = end + 1;
    }
    this.#close(openEnd);
  }
}

/** A header block that was read. */
export class HeaderBlock {
  /** The fields that nearly every message is asked for: From, Subject and all that begin with `Content-`. */
  readonly keyFields: readonly HeaderField[];
  /** Where the body starts; `null` if no blank line was found within the bounds. */
  readonly bodyStart: number | null;
  /**
   * Where the first line starts that is not a field; `null` if all are fields. Text from there on may be shown as
   * body.
   */
  readonly strayStart: number | null;
  readonly problems: readonly MessageProblem[];
  readonly limits: HeaderLimits;
  readonly #text: string;

  constructor(text: string, limits: HeaderLimits) {
    const pass = new Pass(text, limits, "key fields");
    this.keyFields = pass.fields;
    this.bodyStart = pass.bodyStart;
    this.strayStart = pass.strayStart;
    this.problems = pass.problems;
    this.limits = limits;
    this.#text = text;
  }

  /** All fields, in the order of the message. Each call reads the block again. */
  get fields(): readonly HeaderField[] {
    return new Pass(this.#text, this.limits, "all fields").fields;
  }
}

/**
 * Reads the fields of an octet text up to the first blank line, within the bounds. Total: it skips a line that is not
 * a field and reports it in `problems`.
 */
export function splitHeaderText(text: string, limits: HeaderLimits = LIMITS): HeaderBlock {
  return new HeaderBlock(text, limits);
}

/** Reads the fields of the bytes up to the first blank line, within the bounds. */
export function splitHeaderBlock(bytes: Uint8Array, limits: HeaderLimits = LIMITS): HeaderBlock {
  const end = findBlankLine(bytes, 0).bodyStart ?? bytes.length;
  // One octet more than the bound shows that the block exceeds it. A separator line counts towards the bound.
  return splitHeaderText(
    octetText(bytes.subarray(0, Math.min(end, limits.headerBlockBytesMax + 1))),
    limits,
  );
}
