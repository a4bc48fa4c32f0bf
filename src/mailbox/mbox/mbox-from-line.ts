/** A line of an mbox that begins with `From `, and the text around it, which distinguishes a separator from text. */
const LF = 10;
const CR = 13;
const FROM = "From ";
const SPACE = 32;
const TAB = 9;
export const LINE_FROM: Buffer = Buffer.from("\nFrom ");
/** Octets of a blank line with its blanks, CRs and LF; a longer line is no separator. */
const BLANK_BYTES = 32;
/** Octets to look at of a `From ` line, and of the line after it. */
const LINE_BYTES = 1_024;
const NEXT_BYTES = 256;
/** Octets before and after a `From ` line that suffice to judge it. */
export const BEFORE_BYTES = 64;
export const AFTER_BYTES: number = LINE_BYTES + NEXT_BYTES + 64;

/** How an mbox separates its messages. Plain JSON. */
export interface MboxDialect {
  /** Whether the `From ` lines that begin messages have dates. */
  readonly dates: "always" | "none";
  /** Whether a blank line comes before them; Eudora writes none. */
  readonly blanks: "before" | "none";
  /** `commits`: the mbox is a series of patches, each of which begins with a commit. */
  readonly senders: "people" | "commits";
}

/** The properties of a `From ` line. */
export interface FromLine {
  readonly afterBlank: boolean;
  /** Whether it has a month or a numeric date, a time and a year. */
  readonly isDated: boolean;
  /** Whether it begins a patch of `git format-patch`; people attach such patches to messages. */
  readonly isCommit: boolean;
  /** Whether it has only a sender. */
  readonly isBare: boolean;
  /** The line after it; `known field`: a usual field of mail, such as `Subject:`. */
  readonly next: "known field" | "field" | "blank" | "text" | "end";
}

const TIME = /\d\d?:\d\d/;
const DATE =
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b.*\b\d{2}|\d{4}-\d\d-\d\d|\b\d\d?[/.]\d\d?[/.]\d{2}/i;
const COMMIT = /^From [0-9a-f]{40}(?:[0-9a-f]{24})? Mon Sep 17 00:00:00 2001/;
const FIELD = /^[!-9;-~]+[ \t]*:|^>From /;
const KNOWN_FIELD =
  /^(?:from|to|cc|bcc|subject|date|sender|reply-to|received|return-path|message-id|delivered-to|envelope-to|mime-version|status|references|in-reply-to|errors-to|precedence|dkim-signature|domainkey-signature|(?:arc|authentication|content|list|received|resent|x)-[!-9;-~]+)[ \t]*:/i;

/** Where the line ended by the LF at `lf` begins, if it is blank and not before `from`; otherwise -1. */
export function blankLineAt(bytes: Uint8Array, lf: number, from: number): number {
  if (lf < from || bytes[lf] !== LF) return -1;
  const least = Math.max(from, lf - BLANK_BYTES + 1);
  let at = lf;
  while (at > least) {
    const byte = bytes[at - 1];
    if (byte !== CR && byte !== SPACE && byte !== TAB) break;
    at--;
  }
  return at === from || bytes[at - 1] === LF ? at : -1;
}

function isBlank(byte: number | undefined): boolean {
  return byte === LF || byte === CR || byte === SPACE || byte === TAB;
}

/** Octets that may be blank before the first `From ` line. */
const START_BLANKS = 64;

/**
 * Where the `From ` line is with which a file begins, after a byte order mark and blank lines. -1: the file begins
 * otherwise; `null`: more octets are needed to tell.
 */
export function firstFromLine(bytes: Buffer, rest: "more" | "ended"): number | null {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let at = bom;
  while (at - bom < START_BLANKS && isBlank(bytes[at])) at++;
  const isKnown = rest === "ended" || bytes.length >= at + FROM.length || at - bom >= START_BLANKS;
  if (!isKnown) return null;
  const isLine = at === bom || bytes[at - 1] === LF;
  return isLine && bytes.toString("latin1", at, at + FROM.length) === FROM ? at : -1;
}

function nextLine(bytes: Buffer, from: number, rest: "more" | "ended"): FromLine["next"] | null {
  const lf = bytes.subarray(from, from + NEXT_BYTES).indexOf(LF);
  if (lf < 0 && rest === "more" && bytes.length - from < NEXT_BYTES) return null;
  const text = bytes.toString("latin1", from, lf < 0 ? from + NEXT_BYTES : from + lf);
  if (text === "" && lf < 0) return "end";
  if (/^[ \t\r]*$/.test(text)) return "blank";
  if (KNOWN_FIELD.test(text)) return "known field";
  return FIELD.test(text) ? "field" : "text";
}

/**
 * The `From ` line at `at` of `bytes`; the message before it begins at `from`. `null`: more octets are needed to
 * tell.
 */
export function readFromLine(
  bytes: Buffer,
  at: number,
  from: number,
  rest: "more" | "ended",
): FromLine | null {
  const afterBlank = at === 0 || blankLineAt(bytes, at - 1, from) >= 0;
  const lf = bytes.subarray(at, at + LINE_BYTES).indexOf(LF);
  if (lf < 0 && rest === "more" && bytes.length - at < LINE_BYTES) return null;
  if (lf < 0) {
    const next = bytes.length - at < LINE_BYTES ? "end" : "text";
    return { afterBlank, isDated: false, isCommit: false, isBare: next === "end", next };
  }
  const next = nextLine(bytes, at + lf + 1, rest);
  if (next === null) return null;
  const text = bytes.toString("latin1", at, at + lf);
  const isDated = TIME.test(text) && DATE.test(text);
  const isBare = /^From \S*\s*$/.test(text);
  return { afterBlank, isDated, isCommit: isDated && COMMIT.test(text), isBare, next };
}

/** Whether a message begins at the line, and why that is doubtful if it is. */
export interface FromLineVerdict {
  readonly begins: boolean;
  readonly doubt: MboxDoubt | null;
}

/** What may be wrong about where messages begin. */
export type MboxDoubt =
  | "no blank line before"
  | "no header after"
  | "no date"
  | "a patch"
  | "left in the text";

const YES: FromLineVerdict = { begins: true, doubt: null };
const NO: FromLineVerdict = { begins: false, doubt: null };

function doubtful(begins: boolean, doubt: MboxDoubt): FromLineVerdict {
  return { begins, doubt };
}

function judgeDated(
  { afterBlank, isCommit, next }: FromLine,
  dialect: MboxDialect,
): FromLineVerdict {
  const isHeader = next === "known field" || next === "field";
  if (isCommit && dialect.senders === "people") return doubtful(false, "a patch");
  if (isHeader) {
    return afterBlank || dialect.blanks === "none" ? YES : doubtful(true, "no blank line before");
  }
  if (afterBlank) return next === "text" ? doubtful(true, "no header after") : YES;
  return dialect.blanks === "none" ? doubtful(true, "no header after") : NO;
}

/**
 * Whether a message begins at the line. A line with a date begins one if a header field follows or a blank line comes
 * before it, and always in a file without blank lines before messages. A line without a date needs a blank line
 * before it, and after it a header, or no text if it has only a sender. In a file whose lines have dates, that header
 * must begin with a field that mail has; in a file without dates and blank lines, such a field alone suffices. A line
 * of a patch begins a message only in a series of patches.
 */
// ASSUMPTION(mbox-separator): a `From ` line begins a message if it has a date and a header field follows, whether or not there is a blank line before it.
export function judgeFromLine(line: FromLine, dialect: MboxDialect): FromLineVerdict {
  if (line.isDated) return judgeDated(line, dialect);
  const { afterBlank, isBare, next } = line;
  if (dialect.dates === "always") {
    return afterBlank && next === "known field" ? doubtful(true, "no date") : NO;
  }
  if (!afterBlank) {
    if (next !== "known field") return NO;
    return dialect.blanks === "none" ? YES : doubtful(false, "left in the text");
  }
  const isHeader = next === "known field" || next === "field";
  if (isHeader || (isBare && next !== "text")) return YES;
  return doubtful(false, "left in the text");
}
