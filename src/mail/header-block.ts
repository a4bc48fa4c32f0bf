/** Splits the header block of a message, or of a MIME part, into its fields (RFC 5322 §2.2). */
import { LIMITS } from "../base/limits.ts";
import { type MessageProblem, problem } from "./message-problem.ts";

const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;
const COLON = 58;

/** One field. */
export interface HeaderField {
  /** Lower case. */
  readonly name: string;
  /** All after the colon as received, line breaks of folds included. */
  readonly value: Uint8Array;
}

export interface HeaderBlock {
  /** In the order of the message. */
  readonly fields: readonly HeaderField[];
  /** Where the body starts; `null` if no blank line was found within the bounds. */
  readonly bodyStart: number | null;
  readonly problems: readonly MessageProblem[];
}

/** Whether the line `[start, end)`, without its LF, is blank. Several CRs before an LF are one line ending. */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (bytes[index] !== CR) return false;
  return true;
}

/**
 * The first blank line at or after `from`, which must be a line's start: where it starts and where the body does.
 * `complete` is the start of the first line that has no end yet, to go on from when more bytes are there.
 */
export function findBlankLine(
  bytes: Uint8Array,
  from: number,
): { readonly bodyStart: number | null; readonly complete: number } {
  let start = from;
  for (;;) {
    const end = bytes.indexOf(LF, start);
    if (end < 0) return { bodyStart: null, complete: start };
    if (isBlank(bytes, start, end)) return { bodyStart: end + 1, complete: end + 1 };
    start = end + 1;
  }
}

/** Length of a byte order mark and of an mbox separator line, which are no part of the message. */
function preambleLength(bytes: Uint8Array): number {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const isFrom = [70, 114, 111, 109, SPACE].every((byte, index) => bytes[bom + index] === byte);
  if (!isFrom) return bom;
  let index = bom + 4;
  while (bytes[index] === SPACE || bytes[index] === TAB) index++;
  if (bytes[index] === COLON) return bom;
  const end = bytes.indexOf(LF, bom);
  return end < 0 ? bytes.length : end + 1;
}

/** The field name, lower case, that the line `[start, end)` begins with, and where its colon is; `null` if none. */
function fieldName(bytes: Uint8Array, start: number, end: number): [string, number] | null {
  let name = "";
  let index = start;
  for (; index < end; index++) {
    const byte = bytes[index]!;
    if (byte <= SPACE || byte >= 127 || byte === COLON) break;
    name += String.fromCharCode(byte);
  }
  while (bytes[index] === SPACE || bytes[index] === TAB) index++;
  return name !== "" && index < end && bytes[index] === COLON ? [name.toLowerCase(), index] : null;
}

/** Reads the fields up to the first blank line, within the bounds. Total: what is no field is told and skipped. */
export function splitHeaderBlock(bytes: Uint8Array): HeaderBlock {
  const fields: HeaderField[] = [];
  const codes = new Map<string, MessageProblem>();
  const tell = (found: MessageProblem): void => void codes.set(found.code, found);
  const max = LIMITS.headerBlockBytesMax;
  let start = preambleLength(bytes);
  let bodyStart: number | null = null;
  /** Name and value start of the field that continuation lines belong to. */
  let open: { readonly name: string; readonly valueStart: number } | null = null;
  let openEnd = 0;

  const close = (): void => {
    if (open === null) return;
    if (fields.length === LIMITS.headerFieldsMax) {
      tell(problem("too-many-fields", `only the first ${fields.length} header fields are read`));
      return;
    }
    const valueMax = open.valueStart + LIMITS.headerFieldBytesMax;
    if (openEnd > valueMax) {
      tell(problem("field-too-long", `the header field \`${open.name.slice(0, 80)}\` was cut`));
    }
    const value = bytes.subarray(open.valueStart, Math.min(openEnd, valueMax));
    fields.push({ name: open.name, value });
  };

  while (start < bytes.length) {
    const lf = bytes.indexOf(LF, start);
    const end = lf < 0 ? bytes.length : lf;
    if (lf < 0 ? end > max : end >= max) {
      tell(problem("header-too-long", `only the first ${max} octets of the header are read`));
      break;
    }
    if (isBlank(bytes, start, end) && lf >= 0) {
      bodyStart = end + 1;
      break;
    }
    if (bytes[start] === SPACE || bytes[start] === TAB) {
      openEnd = end;
    } else {
      close();
      const named = fieldName(bytes, start, end);
      open = named === null ? null : { name: named[0], valueStart: named[1] + 1 };
      openEnd = end;
      if (named === null)
        tell(problem("malformed-field", "a header line without a field name was skipped"));
    }
    start = end + 1;
  }
  close();
  return { fields, bodyStart, problems: [...codes.values()] };
}
