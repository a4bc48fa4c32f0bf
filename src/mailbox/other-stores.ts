/** Reads other files of several messages: MMDF, and Babyl of Emacs; and Apple's file of one message. */
import { Collected } from "../message/text/collected.ts";
import { readHead } from "./mail-head.ts";

const MMDF_LINE = Buffer.from("\x01\x01\x01\x01\n", "latin1");
const MMDF_CRLF_LINE = Buffer.from("\x01\x01\x01\x01\r\n", "latin1");
const [LF, CR] = [10, 13];

function isLineStart(bytes: Uint8Array, at: number): boolean {
  return at === 0 || bytes[at - 1] === LF;
}

/** The octets between two separators, unchanged. A message larger than the bound is cut one octet after it, so that the caller sees that it was larger. */
async function* pieces(
  source: AsyncIterable<Uint8Array>,
  separator: Buffer,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  const held = new Collected(Buffer.allocUnsafe);
  let search = 0;
  for await (const chunk of source) {
    held.push(chunk);
    // What was yielded is cut out once for all pieces of a chunk: moving up the rest for each takes quadratic time.
    let from = 0;
    for (;;) {
      const at = held.bytes.indexOf(separator, search);
      if (at < 0) break;
      search = at + 1;
      if (!isLineStart(held.bytes, at)) continue;
      yield new Uint8Array(held.bytes.subarray(from, Math.min(at, from + bytesMax + 1)));
      from = at + separator.length;
      search = from;
    }
    held.cutOut(0, from);
    search -= from;
    search = Math.max(search, held.length - separator.length);
    if (held.length > 2 * (bytesMax + 1)) {
      const end = held.length - 2 * separator.length;
      held.cutOut(bytesMax + 1, end);
      search = Math.max(0, search - (end - bytesMax - 1));
    }
  }
  yield new Uint8Array(held.bytes.subarray(0, Math.min(held.length, bytesMax + 1)));
}

/**
 * The messages of an MMDF file. Each is between two lines of four octets 1, with or without a `From ` line. Text
 * between two messages is a message too, so that nothing is lost if one of those lines is missing.
 */
export async function* mmdfMessages(
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  const head = await readHead(source, MMDF_CRLF_LINE.length);
  const separator = head.bytes[MMDF_LINE.length - 1] === CR ? MMDF_CRLF_LINE : MMDF_LINE;
  for await (const piece of pieces(head.all, separator, bytesMax)) {
    // Between two messages there are two separator lines with nothing between them.
    if (piece.every((byte) => byte === LF || byte === CR)) continue;
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const from = bytes.toString("latin1", 0, 5) === "From " ? bytes.indexOf(LF) + 1 : 0;
    yield piece.subarray(from);
  }
}

const BABYL_SEPARATOR = Buffer.from("\x1f\x0c\n", "latin1");
const EOOH = "*** EOOH ***\n";

/**
 * The messages of a Babyl file. Each has a line of labels, the header as received, a line `*** EOOH ***`, the
 * displayed header, and the body. If there is no header as received, the displayed header is used.
 */
export async function* babylMessages(
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const piece of pieces(source, BABYL_SEPARATOR, bytesMax)) {
    if (isFirst) {
      isFirst = false;
      continue;
    }
    const text = Buffer.from(piece).toString("latin1").replace(/\x1f$/, "");
    const labels = text.indexOf("\n") + 1;
    const end = text.indexOf(EOOH, labels);
    if (end < 0) {
      if (text.trim() !== "") yield Buffer.from(text.slice(labels), "latin1");
      continue;
    }
    const original = text.slice(labels, end);
    const rest = text.slice(end + EOOH.length);
    const blank = rest.indexOf("\n\n");
    const body = blank < 0 ? "" : rest.slice(blank + 2);
    const isWhole = original.trim() === "";
    const header = original.endsWith("\n\n") ? original : `${original.trimEnd()}\n\n`;
    yield Buffer.from(isWhole ? rest : `${header}${body}`, "latin1");
  }
}

/**
 * The message in an `.emlx` file of Apple Mail, which is a line with its length, the message, and a property list;
 * `null` if the file ends before the message.
 */
export function emlxMessage(bytes: Buffer): Uint8Array | null {
  const line = /^(\d+)[ \t]*\n/.exec(bytes.toString("latin1", 0, 64));
  if (line === null) return bytes;
  const start = line[0].length;
  const end = start + Number(line[1]);
  return end > bytes.length ? null : bytes.subarray(start, end);
}
