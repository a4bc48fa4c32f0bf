/** Finds the parts of a message without decoding them (RFC 2045, RFC 2046), in one pass and without recursion. */
import { LIMITS } from "../base/limits.ts";
import type { CharsetDecoder } from "./encoded-words.ts";
import { type HeaderField, isBlank, splitHeaderBlock } from "./header-block.ts";
import { type MessageProblem, problem } from "./message-problem.ts";
import { type PartHead, readPartHead, TEXT_HEAD } from "./part-head.ts";

/** A part that is no multipart. An embedded message is one part: it is not opened. */
export interface MimePart extends PartHead {
  /** As transferred, without the line break that belongs to the delimiter. */
  readonly content: Uint8Array;
}

interface OpenMultipart {
  /** `--` and the boundary. */
  readonly delimiter: Uint8Array;
  /** Type of parts that declare none: in a digest they are messages (RFC 2046 §5.1.5). */
  readonly defaultType: string;
  readonly contentStart: number;
  partCount: number;
}

const LF = 10;
const CR = 13;
const DASH = 45;

const utf8 = new TextEncoder();

/** How the line `[start, end)`, trailing blanks left out, stands to a delimiter. */
function compareDelimiter(
  bytes: Uint8Array,
  start: number,
  end: number,
  delimiter: Uint8Array,
): "open" | "close" | null {
  const extra = end - start - delimiter.length;
  if (extra !== 0 && extra !== 2) return null;
  for (let index = 0; index < delimiter.length; index++) {
    if (bytes[start + index] !== delimiter[index]) return null;
  }
  if (extra === 0) return "open";
  return bytes[end - 1] === DASH && bytes[end - 2] === DASH ? "close" : null;
}

function isTrailingBlank(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === CR;
}

/** End of the line without its trailing blanks and CRs. */
function trimmedEnd(bytes: Uint8Array, start: number, end: number): number {
  let trimmed = end;
  while (trimmed > start && isTrailingBlank(bytes[trimmed - 1]!)) trimmed--;
  return trimmed;
}

/** Where content ends before a delimiter line: the line break before it belongs to the delimiter. */
function contentEnd(bytes: Uint8Array, start: number, lineStart: number): number {
  let end = lineStart;
  if (end > start && bytes[end - 1] === LF) end--;
  if (end > start && bytes[end - 1] === CR) end--;
  return end;
}

/** Where the one pass over the message stands. */
interface Reader {
  readonly bytes: Uint8Array;
  readonly decode: CharsetDecoder;
  readonly parts: MimePart[];
  readonly problems: Map<string, MessageProblem>;
  /** Multiparts that are open, the innermost last. */
  readonly stack: OpenMultipart[];
  /** The part whose content is being passed; none in a preamble, an epilogue or a head. */
  leaf: { readonly head: PartHead; readonly start: number } | null;
  /** Where the head that is being passed starts. */
  headStart: number | null;
}

function tell(reader: Reader, found: MessageProblem): void {
  reader.problems.set(found.code, found);
}

/** Begins a part whose content starts at `start`. */
function openPart(reader: Reader, fields: readonly HeaderField[], start: number): void {
  const defaultType = reader.stack.at(-1)?.defaultType ?? "text/plain";
  const { boundary, ...head } = readPartHead(fields, defaultType, reader.decode);
  reader.leaf = { head, start };
  if (!head.contentType.startsWith("multipart/")) return;
  if (boundary === "") {
    tell(reader, problem("missing-parts", "a multipart without a boundary is read as text"));
    reader.leaf = { head: TEXT_HEAD, start };
  } else if (reader.stack.length === LIMITS.mimeDepthMax) {
    const max = LIMITS.mimeDepthMax;
    tell(reader, problem("parts-too-deep", `multiparts nested deeper than ${max} are not opened`));
  } else {
    reader.leaf = null;
    reader.stack.push({
      delimiter: utf8.encode(`--${boundary}`),
      defaultType: head.contentType === "multipart/digest" ? "message/rfc822" : "text/plain",
      contentStart: start,
      partCount: 0,
    });
  }
}

/** Begins the part whose head is being passed, the head ending at `end`. */
function openHead(reader: Reader, end: number): void {
  if (reader.headStart === null) return;
  const block = splitHeaderBlock(reader.bytes.subarray(reader.headStart, end));
  // A part that has neither fields nor a blank line is all content.
  const isContent = block.fields.length === 0 && block.bodyStart === null;
  if (!isContent) for (const found of block.problems) tell(reader, found);
  openPart(reader, block.fields, isContent ? reader.headStart : end);
  reader.headStart = null;
}

/** Ends the part that is being passed, before the delimiter line, or the end of the message, at `lineStart`. */
function closeLeaf(reader: Reader, lineStart: number): void {
  openHead(reader, lineStart);
  if (reader.leaf === null) return;
  const { head, start } = reader.leaf;
  const end =
    lineStart === reader.bytes.length ? lineStart : contentEnd(reader.bytes, start, lineStart);
  reader.parts.push({ ...head, content: reader.bytes.subarray(start, end) });
  reader.leaf = null;
}

/** Ends multiparts until `depth` are open. */
function closeMultiparts(reader: Reader, depth: number, lineStart: number): void {
  while (reader.stack.length > depth) {
    const { partCount, contentStart } = reader.stack.pop()!;
    if (partCount > 0) continue;
    tell(reader, problem("missing-parts", "a multipart in which no part begins is read as text"));
    const end = contentEnd(reader.bytes, contentStart, lineStart);
    reader.parts.push({ ...TEXT_HEAD, content: reader.bytes.subarray(contentStart, end) });
  }
}

/** Acts on the line `[start, end)` if it is a delimiter of an open multipart; `next` is the following line. */
function passDelimiter(reader: Reader, start: number, end: number, next: number): boolean {
  const lineEnd = trimmedEnd(reader.bytes, start, end);
  for (let depth = reader.stack.length; depth > 0; depth--) {
    const multipart = reader.stack[depth - 1]!;
    const kind = compareDelimiter(reader.bytes, start, lineEnd, multipart.delimiter);
    if (kind === null) continue;
    // A closing delimiter before the first part would hide the parts that follow from rules.
    if (kind === "close" && multipart.partCount === 0) return false;
    closeLeaf(reader, start);
    closeMultiparts(reader, kind === "close" ? depth - 1 : depth, start);
    if (kind === "open") {
      multipart.partCount++;
      reader.headStart = next;
    }
    return true;
  }
  return false;
}

/**
 * The parts of a message whose fields were read, in order. Total: a multipart in which no part begins is one text
 * part, so that rules see what it holds; what exceeds the bounds is left out; both are told in `problems`.
 * `bytes` has LF or CRLF lines.
 */
// ASSUMPTION(embedded-message): a message within the message is an attachment; its text is not part of the body.
export function findParts(
  bytes: Uint8Array,
  fields: readonly HeaderField[],
  bodyStart: number,
  decode: CharsetDecoder,
): { readonly parts: readonly MimePart[]; readonly problems: readonly MessageProblem[] } {
  const reader: Reader = {
    bytes,
    decode,
    parts: [],
    problems: new Map(),
    stack: [],
    leaf: null,
    headStart: null,
  };
  openPart(reader, fields, bodyStart);
  let start = bodyStart;
  while (start < bytes.length && reader.stack.length > 0) {
    if (reader.parts.length >= LIMITS.mimePartsMax) {
      const max = LIMITS.mimePartsMax;
      tell(reader, problem("too-many-parts", `only the first ${max} parts are read`));
      return { parts: reader.parts.slice(0, max), problems: [...reader.problems.values()] };
    }
    const lf = bytes.indexOf(LF, start);
    const end = lf < 0 ? bytes.length : lf;
    const next = Math.min(end + 1, bytes.length);
    const dashes = bytes[start] === DASH && bytes[start + 1] === DASH;
    if (!(dashes && passDelimiter(reader, start, end, next)) && reader.headStart !== null) {
      if (isBlank(bytes, start, end)) openHead(reader, next);
    }
    start = next;
  }
  closeLeaf(reader, bytes.length);
  closeMultiparts(reader, 0, bytes.length);
  return { parts: reader.parts, problems: [...reader.problems.values()] };
}
