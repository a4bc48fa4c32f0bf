/** Finds the parts of a message without decoding them (RFC 2045, RFC 2046), in one pass and without recursion. */
import { LIMITS } from "../../base/limits.ts";
import type { CharsetDecoder } from "../header/encoded-words.ts";
import {
  findBlankLine,
  type HeaderField,
  type HeaderLimits,
  lineEndOf,
  splitHeaderText,
} from "../header/header-block.ts";
import { type MessageProblem, problem } from "../header/message-problem.ts";
import { octetText } from "../text/octet-text.ts";
import { type PartHead, readPartHead, TEXT_HEAD } from "./part-head.ts";

/** How much of the parts is read. */
export interface PartLimits extends HeaderLimits {
  readonly mimePartsMax: number;
  readonly mimeDepthMax: number;
  readonly mimeParametersMax: number;
}

/** A part that is no multipart. An embedded message is one part: it is not opened. */
export interface MimePart extends PartHead {
  /** As transferred, without the line break that belongs to the delimiter. */
  readonly content: Uint8Array;
  /** At least the `Content-` fields of the part's own head, or of the message where it is not divided. */
  readonly fields: readonly HeaderField[];
}

interface OpenMultipart {
  /** `--` and the boundary, an octet text. */
  readonly delimiter: string;
  /** How deep the multipart of the same delimiter is that this one hides; 0 if there is none. */
  readonly hides: number;
  /** Type of parts that declare none: in a digest they are messages (RFC 2046 §5.1.5). */
  readonly defaultType: string;
  partCount: number;
}

const LF = 10;
const CR = 13;
const DASH = 45;

const utf8 = new TextEncoder();

function isTrailingBlank(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === CR;
}

/** End of the line without its trailing blanks and CRs. */
function trimmedEnd(bytes: Uint8Array, start: number, end: number): number {
  let trimmed = end;
  while (trimmed > start && isTrailingBlank(bytes[trimmed - 1]!)) trimmed--;
  return trimmed;
}

/** Where the next line begins that may be a delimiter; -1 if there is none. `from` is a line's start. */
function dashedLine(bytes: Uint8Array, from: number): number {
  if (bytes[from] === DASH && bytes[from + 1] === DASH) return from;
  // One of two dashes in a row is met at every second octet.
  for (let at = from + 2; at < bytes.length; at += 2) {
    if (bytes[at] !== DASH) continue;
    const first = bytes[at - 1] === DASH ? at - 1 : at;
    if (bytes[first - 1] === LF && bytes[first + 1] === DASH) return first;
  }
  return -1;
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
  readonly limits: PartLimits;
  readonly parts: MimePart[];
  readonly problems: Map<string, MessageProblem>;
  /** Multiparts that are open, the innermost last. */
  readonly stack: OpenMultipart[];
  /** Delimiter → how deep the innermost multipart is that has it, so that depth costs no comparisons. */
  readonly depths: Map<string, number>;
  /** Lengths of delimiters so far: most lines of dashes have another. */
  readonly lengths: Set<number>;
  /** The part whose content is being passed; none in a preamble, an epilogue or a head. */
  leaf: {
    readonly head: PartHead;
    readonly fields: readonly HeaderField[];
    readonly start: number;
  } | null;
  /** Where the head that is being passed starts, and the line from which its end is looked for. */
  headStart: number | null;
  headLine: number;
}

function tell(reader: Reader, found: MessageProblem): void {
  reader.problems.set(found.code, found);
}

function pushMultipart(reader: Reader, boundary: string, contentType: string): void {
  const delimiter = octetText(utf8.encode(`--${boundary}`));
  const hides = reader.depths.get(delimiter) ?? 0;
  const defaultType = contentType === "multipart/digest" ? "message/rfc822" : "text/plain";
  reader.stack.push({ delimiter, hides, defaultType, partCount: 0 });
  reader.depths.set(delimiter, reader.stack.length);
  reader.lengths.add(delimiter.length);
}

function popMultipart(reader: Reader): OpenMultipart {
  const multipart = reader.stack.pop()!;
  if (multipart.hides === 0) reader.depths.delete(multipart.delimiter);
  else reader.depths.set(multipart.delimiter, multipart.hides);
  return multipart;
}

/** Begins a part whose content starts at `start`. */
function openPart(reader: Reader, fields: readonly HeaderField[], start: number): void {
  const defaultType = reader.stack.at(-1)?.defaultType ?? "text/plain";
  const { mimeParametersMax } = reader.limits;
  const head = readPartHead(fields, defaultType, reader.decode, mimeParametersMax);
  const { boundary } = head;
  if (head.isCut) {
    const what = `only ${mimeParametersMax} parameters of a MIME field are read`;
    tell(reader, problem("too-many-parameters", what));
  }
  reader.leaf = { head, fields, start };
  if (!head.contentType.startsWith("multipart/")) return;
  if (boundary === "") {
    tell(reader, problem("missing-parts", "a multipart without a boundary is read as text"));
    reader.leaf = { head: TEXT_HEAD, fields, start };
  } else if (reader.stack.length >= reader.limits.mimeDepthMax) {
    const max = reader.limits.mimeDepthMax;
    tell(reader, problem("parts-too-deep", `multiparts nested deeper than ${max} are not opened`));
  } else {
    reader.leaf = null;
    pushMultipart(reader, boundary, head.contentType);
  }
}

/** Adds a part of the text `[start, end)`, which stands among the fields of a head. */
function pushText(reader: Reader, start: number, end: number): void {
  let last = end;
  while (last > start && (reader.bytes[last - 1] === LF || reader.bytes[last - 1] === CR)) last--;
  reader.parts.push({ ...TEXT_HEAD, fields: [], content: reader.bytes.subarray(start, last) });
}

/** Begins the part whose head is being passed, the head ending at `end`. */
function openHead(reader: Reader, end: number): void {
  if (reader.headStart === null) return;
  const { headStart, bytes, limits } = reader;
  // One octet more than the bound, so that it is seen to be exceeded.
  const most = Math.min(end, headStart + limits.headerBlockBytesMax + 1);
  const block = splitHeaderText(octetText(bytes, headStart, most), limits);
  // A part that has neither fields nor a blank line is all content.
  const isContent = block.bodyStart === null && block.fields.length === 0;
  if (!isContent) for (const found of block.problems) tell(reader, found);
  if (!isContent && block.strayStart !== null) {
    pushText(reader, headStart + block.strayStart, end);
  }
  openPart(reader, block.keyFields, isContent ? headStart : end);
  reader.headStart = null;
}

/** Begins the part whose head is being passed, if its blank line stands before `lineStart`. */
function passHead(reader: Reader, lineStart: number): void {
  if (reader.headStart === null) return;
  const { bodyStart, complete } = findBlankLine(reader.bytes, reader.headLine, lineStart);
  if (bodyStart === null) reader.headLine = complete;
  else openHead(reader, bodyStart);
}

/** Ends the part that is being passed, before the delimiter line, or the end of the message, at `lineStart`. */
function closeLeaf(reader: Reader, lineStart: number): void {
  openHead(reader, lineStart);
  if (reader.leaf === null) return;
  const { head, fields, start } = reader.leaf;
  const end =
    lineStart === reader.bytes.length ? lineStart : contentEnd(reader.bytes, start, lineStart);
  const { contentType, charset, transferEncoding, disposition, filename, format } = head;
  const content = reader.bytes.subarray(start, end);
  reader.parts.push({
    contentType,
    charset,
    transferEncoding,
    disposition,
    filename,
    format,
    content,
    fields,
  });
  reader.leaf = null;
}

/** Ends multiparts until `depth` are open. */
function closeMultiparts(reader: Reader, depth: number): void {
  while (reader.stack.length > depth) {
    if (popMultipart(reader).partCount > 0) continue;
    tell(reader, problem("missing-parts", "a multipart in which no part begins has no text"));
  }
}

/** Acts on the line `[start, end)` if it is a delimiter of an open multipart; `next` is the following line. */
function passDelimiter(reader: Reader, start: number, end: number, next: number): void {
  const lineEnd = trimmedEnd(reader.bytes, start, end);
  const length = lineEnd - start;
  if (!reader.lengths.has(length) && !reader.lengths.has(length - 2)) return;
  const line = octetText(reader.bytes, start, lineEnd);
  const opened = reader.depths.get(line) ?? 0;
  const closed = line.endsWith("--") ? (reader.depths.get(line.slice(0, -2)) ?? 0) : 0;
  // The innermost counts: its boundary may be the outer one with `--` behind it.
  const depth = Math.max(opened, closed);
  if (depth === 0) return;
  const multipart = reader.stack[depth - 1]!;
  // A closing delimiter before the first part would hide the parts that follow from rules.
  if (closed === depth && multipart.partCount === 0) return;
  closeLeaf(reader, start);
  closeMultiparts(reader, closed === depth ? depth - 1 : depth);
  if (closed === depth) return;
  multipart.partCount++;
  reader.headStart = next;
  reader.headLine = next;
}

/**
 * The parts of a message whose fields were read, in order. Total: a multipart without a boundary is one text part, as no
 * reader finds parts in it; one in which no part begins has none; what exceeds the bounds is left out. `problems`
 * lists all of that. `strayStart` is where text begins among the fields. `bytes` has LF or CRLF lines.
 */
// ASSUMPTION(embedded-message): a message within the message is an attachment; its text is not part of the body.
export function findParts(
  bytes: Uint8Array,
  fields: readonly HeaderField[],
  bodyStart: number,
  decode: CharsetDecoder,
  limits: PartLimits = LIMITS,
  strayStart: number | null = null,
): { readonly parts: readonly MimePart[]; readonly problems: readonly MessageProblem[] } {
  const reader: Reader = {
    bytes,
    decode,
    limits,
    parts: [],
    problems: new Map(),
    stack: [],
    depths: new Map(),
    lengths: new Set(),
    leaf: null,
    headStart: null,
    headLine: 0,
  };
  if (strayStart !== null) pushText(reader, strayStart, bodyStart);
  openPart(reader, fields, bodyStart);
  let start = bodyStart;
  while (reader.stack.length > 0) {
    if (reader.parts.length >= limits.mimePartsMax) {
      const max = limits.mimePartsMax;
      tell(reader, problem("too-many-parts", `only the first ${max} parts are read`));
      return { parts: reader.parts.slice(0, max), problems: [...reader.problems.values()] };
    }
    const line = dashedLine(bytes, start);
    passHead(reader, line < 0 ? bytes.length : line);
    if (line < 0) break;
    const lf = lineEndOf(bytes, line);
    const end = lf < 0 ? bytes.length : lf;
    start = Math.min(end + 1, bytes.length);
    passDelimiter(reader, line, end, start);
  }
  closeLeaf(reader, bytes.length);
  closeMultiparts(reader, 0);
  return { parts: reader.parts, problems: [...reader.problems.values()] };
}
