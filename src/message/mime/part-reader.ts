/** One pass over the parts of a message, which may come piece by piece (RFC 2046). Not recursive. */
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
import { contentEnd, dashedLine, trimmedEnd } from "./delimiter-lines.ts";
import { type PartHead, readPartHead, TEXT_HEAD } from "./part-head.ts";

/** How much of the parts is read. */
export interface PartLimits extends HeaderLimits {
  readonly mimePartsMax: number;
  readonly mimeDepthMax: number;
  readonly mimeParametersMax: number;
  readonly partHeadsBytesMax: number;
}

/** A part that is not a multipart. An embedded message is one part and is not opened. */
export interface MimePart extends PartHead {
  /** As transferred, without the line break that belongs to the delimiter; only the octets that were kept. */
  readonly content: Uint8Array;
  /** Octets after transfer decoding, if they were counted as they passed. */
  readonly decodedSize?: number;
  /** At least the `Content-` fields of the part's own head, or of the message if it has no parts. */
  readonly fields: readonly HeaderField[];
}

/** What is kept of a part's content. */
type KeptContent = Pick<MimePart, "content" | "decodedSize">;

/** Takes contents as they pass, if the message is not in memory. */
export interface ContentKeeper {
  /** Begins the content of a part. */
  open(head: PartHead): void;
  /** Takes more content. The caller may overwrite the octets afterwards. */
  push(octets: Uint8Array): void;
  /** Ends the content. */
  close(): KeptContent;
}

interface OpenMultipart {
  /** `--` and the boundary, as octet text. */
  readonly delimiter: string;
  /** Depth of the outer multipart with the same delimiter, which this one hides; 0 if there is none. */
  readonly hides: number;
  /** Type of parts that declare none: messages in a digest (RFC 2046 §5.1.5). */
  readonly defaultType: string;
  partCount: number;
}

const LF = 10;
const CR = 13;
const DASH = 45;

const utf8 = new TextEncoder();

/** The state of the pass. */
export interface PartReader {
  /** The message: all of it, or a window that moves on. */
  bytes: Uint8Array;
  /** Where the search for the next delimiter begins. */
  start: number;
  /** Whether `start` is inside a line that is not a delimiter. */
  isWithinLine: boolean;
  readonly decode: CharsetDecoder;
  readonly limits: PartLimits;
  readonly keeper: ContentKeeper | null;
  readonly parts: MimePart[];
  readonly problems: Map<string, MessageProblem>;
  /** Open multiparts, the innermost last. */
  readonly stack: OpenMultipart[];
  /** Delimiter → depth of the innermost multipart that has it, so that deep nesting costs no comparisons. */
  readonly depths: Map<string, number>;
  /** Lengths of the delimiters so far: most lines of dashes have another length. */
  readonly lengths: Set<number>;
  /** The part whose content passes now, from `start` on; none in a preamble, an epilogue or a head. */
  leaf: {
    readonly head: PartHead;
    readonly fields: readonly HeaderField[];
    start: number;
  } | null;
  /** Where the head that passes now starts, and the line from which to search for its end. */
  headStart: number | null;
  headLine: number;
  /** Octets of heads until only the beginnings of further ones are read. */
  headBytesLeft: number;
  /** Whether the rest of the message is ignored. */
  isDone: boolean;
}

function tell(reader: PartReader, found: MessageProblem): void {
  reader.problems.set(found.code, found);
}

/** Whether the number of parts has reached its bound. */
function hasEnough(reader: PartReader): boolean {
  const { mimePartsMax } = reader.limits;
  if (reader.parts.length < mimePartsMax) return false;
  tell(reader, problem("too-many-parts", `only the first ${mimePartsMax} parts are read`));
  reader.parts.length = mimePartsMax;
  reader.isDone = true;
  return true;
}

function pushMultipart(reader: PartReader, boundary: string, contentType: string): void {
  const delimiter = octetText(utf8.encode(`--${boundary}`));
  const hides = reader.depths.get(delimiter) ?? 0;
  const defaultType = contentType === "multipart/digest" ? "message/rfc822" : "text/plain";
  reader.stack.push({ delimiter, hides, defaultType, partCount: 0 });
  reader.depths.set(delimiter, reader.stack.length);
  reader.lengths.add(delimiter.length);
}

function popMultipart(reader: PartReader): OpenMultipart {
  const multipart = reader.stack.pop()!;
  if (multipart.hides === 0) reader.depths.delete(multipart.delimiter);
  else reader.depths.set(multipart.delimiter, multipart.hides);
  return multipart;
}

function openLeaf(
  reader: PartReader,
  head: PartHead,
  fields: readonly HeaderField[],
  start: number,
): void {
  reader.leaf = { head, fields, start };
  reader.keeper?.open(head);
}

/** Begins a part whose content starts at `start`. */
function openPart(reader: PartReader, fields: readonly HeaderField[], start: number): void {
  const defaultType = reader.stack.at(-1)?.defaultType ?? "text/plain";
  const { mimeParametersMax } = reader.limits;
  const head = readPartHead(fields, defaultType, reader.decode, mimeParametersMax);
  const { boundary } = head;
  if (head.isCut) {
    const what = `only ${mimeParametersMax} parameters of a MIME field are read`;
    tell(reader, problem("too-many-parameters", what));
  }
  if (!head.contentType.startsWith("multipart/")) {
    openLeaf(reader, head, fields, start);
  } else if (boundary === "") {
    tell(reader, problem("missing-parts", "a multipart without a boundary is read as text"));
    openLeaf(reader, TEXT_HEAD, fields, start);
  } else if (reader.stack.length >= reader.limits.mimeDepthMax) {
    const max = reader.limits.mimeDepthMax;
    tell(reader, problem("parts-too-deep", `multiparts nested deeper than ${max} are not opened`));
    openLeaf(reader, head, fields, start);
  } else {
    pushMultipart(reader, boundary, head.contentType);
  }
}

/** The content `[start, end)`, or what the keeper kept of it. */
function contentOf(reader: PartReader, start: number, end: number): KeptContent {
  const content = reader.bytes.subarray(start, end);
  if (reader.keeper === null) return { content };
  reader.keeper.push(content);
  return reader.keeper.close();
}

/** Adds a part for the text `[start, end)`, found among the fields of a head. */
function pushText(reader: PartReader, start: number, end: number): void {
  let last = end;
  while (last > start && (reader.bytes[last - 1] === LF || reader.bytes[last - 1] === CR)) last--;
  reader.keeper?.open(TEXT_HEAD);
  reader.parts.push({ ...TEXT_HEAD, fields: [], ...contentOf(reader, start, last) });
}

/** Begins the part whose head passes now; the head ends at `end`. */
function openHead(reader: PartReader, end: number): void {
  if (reader.headStart === null) return;
  const { headStart, bytes, limits } = reader;
  const share = Math.ceil(limits.partHeadsBytesMax / limits.mimePartsMax);
  const headerBlockBytesMax = Math.min(
    limits.headerBlockBytesMax,
    Math.max(reader.headBytesLeft, share),
  );
  // One octet more than the bound shows that the head exceeds it.
  const most = Math.min(end, headStart + headerBlockBytesMax + 1);
  reader.headBytesLeft -= most - headStart;
  const block = splitHeaderText(octetText(bytes, headStart, most), {
    ...limits,
    headerBlockBytesMax,
  });
  // A part without fields and without a blank line is all content.
  const isContent = block.bodyStart === null && block.fields.length === 0;
  if (!isContent) for (const found of block.problems) tell(reader, found);
  if (!isContent && block.strayStart !== null) {
    pushText(reader, headStart + block.strayStart, end);
    if (hasEnough(reader)) return;
  }
  openPart(reader, block.keyFields, isContent ? headStart : end);
  reader.headStart = null;
}

/** Begins the part whose head passes now, if its blank line comes before `lineStart`. */
function passHead(reader: PartReader, lineStart: number): void {
  if (reader.headStart === null) return;
  const { bodyStart, complete } = findBlankLine(reader.bytes, reader.headLine, lineStart);
  if (bodyStart === null) reader.headLine = complete;
  else openHead(reader, bodyStart);
}

/** Ends the current part; its content ends at `end`. */
function closeLeaf(reader: PartReader, end: number): void {
  if (reader.leaf === null) return;
  const { head, fields, start } = reader.leaf;
  const { contentType, charset, transferEncoding, disposition, filename, format } = head;
  const { content, decodedSize } = contentOf(reader, start, end);
  reader.parts.push({
    contentType,
    charset,
    transferEncoding,
    disposition,
    filename,
    format,
    content,
    ...(decodedSize === undefined ? {} : { decodedSize }),
    fields,
  });
  reader.leaf = null;
}

/** Ends the current part before the delimiter line at `lineStart`. */
function closeBefore(reader: PartReader, lineStart: number): void {
  openHead(reader, lineStart);
  if (reader.leaf === null) return;
  closeLeaf(reader, contentEnd(reader.bytes, reader.leaf.start, lineStart));
}

/** Closes multiparts until `depth` of them are open. */
function closeMultiparts(reader: PartReader, depth: number): void {
  while (reader.stack.length > depth) {
    if (popMultipart(reader).partCount > 0) continue;
    tell(reader, problem("missing-parts", "a multipart in which no part begins has no text"));
  }
}

/** Handles the line `[start, end)` if it is a delimiter of an open multipart; `next` is the start of the next line. */
function passDelimiter(reader: PartReader, start: number, end: number, next: number): void {
  const lineEnd = trimmedEnd(reader.bytes, start, end);
  const length = lineEnd - start;
  if (!reader.lengths.has(length) && !reader.lengths.has(length - 2)) return;
  const line = octetText(reader.bytes, start, lineEnd);
  const opened = reader.depths.get(line) ?? 0;
  const closed = line.endsWith("--") ? (reader.depths.get(line.slice(0, -2)) ?? 0) : 0;
  // The innermost counts: its boundary may be that of the outer one followed by `--`.
  const depth = Math.max(opened, closed);
  if (depth === 0) return;
  const multipart = reader.stack[depth - 1]!;
  // A closing delimiter before the first part would hide the parts that follow from rules.
  if (closed === depth && multipart.partCount === 0) return;
  closeBefore(reader, start);
  closeMultiparts(reader, closed === depth ? depth - 1 : depth);
  if (closed === depth) return;
  multipart.partCount++;
  reader.headStart = next;
  reader.headLine = next;
}

/** A pass over a message whose fields were read; its body begins at `bodyStart` of `bytes`. */
export function readerOf(
  bytes: Uint8Array,
  fields: readonly HeaderField[],
  bodyStart: number,
  strayStart: number | null,
  decode: CharsetDecoder,
  limits: PartLimits,
  keeper: ContentKeeper | null,
): PartReader {
  const reader: PartReader = {
    bytes,
    start: bodyStart,
    isWithinLine: false,
    decode,
    limits,
    keeper,
    parts: [],
    problems: new Map(),
    stack: [],
    depths: new Map(),
    lengths: new Set(),
    leaf: null,
    headStart: null,
    headLine: 0,
    headBytesLeft: limits.partHeadsBytesMax,
    isDone: false,
  };
  if (strayStart !== null) pushText(reader, strayStart, bodyStart);
  if (!hasEnough(reader)) openPart(reader, fields, bodyStart);
  return reader;
}

/** Where the line begins in which the search for a delimiter goes on; -1 if that line has not come yet. */
function searchStart(reader: PartReader): number {
  if (!reader.isWithinLine) return reader.start;
  const lf = reader.bytes.indexOf(LF, reader.start);
  if (lf < 0) return -1;
  reader.isWithinLine = false;
  reader.start = lf + 1;
  return reader.start;
}

/** Passes all complete lines that may be delimiters; with `"end"`, the last line too. */
export function passLines(reader: PartReader, end: "more comes" | "end"): void {
  const { bytes } = reader;
  while (!reader.isDone && reader.stack.length > 0) {
    if (hasEnough(reader)) return;
    const from = searchStart(reader);
    if (from < 0) return;
    const line = dashedLine(bytes, from);
    passHead(reader, line < 0 ? bytes.length : line);
    if (line < 0) return;
    const lf = lineEndOf(bytes, line);
    reader.start = line;
    if (lf < 0 && end === "more comes") return;
    const lineEnd = lf < 0 ? bytes.length : lf;
    reader.start = Math.min(lineEnd + 1, bytes.length);
    passDelimiter(reader, line, lineEnd, reader.start);
  }
}

/** Whether the line at `start`, whose end has not come yet, may become a delimiter. */
function mayBeDelimiter(bytes: Uint8Array, start: number): boolean {
  if (start === bytes.length) return true;
  return bytes[start] === DASH && (start + 1 === bytes.length || bytes[start + 1] === DASH);
}

/** Where the octets end that surely are content or ignored, and where the search for a delimiter goes on. */
function certainEnd(reader: PartReader): { readonly end: number; readonly next: number } {
  const { bytes, leaf } = reader;
  const last = bytes.length;
  if (reader.stack.length === 0) return { end: last, next: last };
  const line = Math.max(reader.start, bytes.lastIndexOf(LF) + 1);
  if (!reader.isWithinLine && mayBeDelimiter(bytes, line)) {
    return { end: leaf === null ? line : contentEnd(bytes, leaf.start, line), next: line };
  }
  reader.isWithinLine = true;
  // A CR may belong to the line break before a delimiter.
  const end = bytes[last - 1] === CR ? last - 1 : last;
  return { end, next: end };
}

/**
 * Hands on the octets that surely are content. Returns how many octets are no longer needed; positions are then
 * counted from there.
 */
export function letGo(reader: PartReader): number {
  const { leaf } = reader;
  let gone = reader.headStart ?? 0;
  if (reader.headStart === null) {
    const { end, next } = certainEnd(reader);
    reader.start = next;
    gone = end;
    if (leaf === null) reader.isDone ||= reader.stack.length === 0;
    else reader.keeper?.push(reader.bytes.subarray(leaf.start, end));
  }
  reader.start -= gone;
  if (leaf !== null) leaf.start = 0;
  if (reader.headStart !== null) reader.headStart = 0;
  reader.headLine -= gone;
  return gone;
}

/** Closes everything that is open, at the end of the message. */
export function closeAll(reader: PartReader): void {
  if (reader.isDone) return;
  openHead(reader, reader.bytes.length);
  closeLeaf(reader, reader.bytes.length);
  closeMultiparts(reader, 0);
}
