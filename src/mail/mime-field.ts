/** Reads MIME fields of the form `value; name=value` (RFC 2045 §5.1, RFC 2231 for long and non-ASCII values). */
import { LIMITS } from "../base/limits.ts";
import { type CharsetDecoder, decodeEncodedWords } from "./encoded-words.ts";
import { cleanText } from "./header-text.ts";

export interface MimeField {
  /** Before the first `;`, lower case, without quotes, comments and blanks around it. */
  readonly value: string;
  /** Lower-case name → decoded value; of a name given twice the first counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** One `name*0*=` of RFC 2231 §3. */
interface Segment {
  readonly order: number;
  readonly form: "plain" | "percent";
  readonly text: string;
}

const utf8 = new TextEncoder();

/** Splits at the `;` outside quotes and comments. A comment begins only after a blank: `a=x(1).pdf` is a value. */
function splitAtSemicolons(text: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  let depth = 0;
  let state: "out" | "quoted" = "out";
  for (let index = 0; index < text.length; index++) {
    const letter = text[index]!;
    if (letter === "\\" && (state === "quoted" || depth > 0)) {
      if (depth === 0) piece += text.slice(index, index + 2);
      index++;
    } else if (depth > 0) {
      depth += letter === "(" ? 1 : letter === ")" ? -1 : 0;
    } else if (letter === '"') {
      state = state === "quoted" ? "out" : "quoted";
      piece += letter;
    } else if (state === "out" && letter === "(" && (piece === "" || /[ \t]$/.test(piece))) {
      depth = 1;
    } else if (state === "out" && letter === ";") {
      pieces.push(piece);
      piece = "";
      if (pieces.length > LIMITS.mimeParametersMax) return pieces;
    } else {
      piece += letter;
    }
  }
  pieces.push(piece);
  return pieces;
}

/** A token or a quoted string without its quotes; what follows the closing quote is dropped. */
function unquote(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('"')) return trimmed;
  let value = "";
  for (let index = 1; index < trimmed.length && trimmed[index] !== '"'; index++) {
    if (trimmed[index] === "\\" && index + 1 < trimmed.length) index++;
    value += trimmed[index];
  }
  return value;
}

function percentBytes(text: string): number[] {
  const bytes: number[] = [];
  for (const [piece] of text.matchAll(/%[0-9a-f]{2}|[^%]+|%/gi)) {
    if (piece.length === 3 && piece.startsWith("%"))
      bytes.push(Number.parseInt(piece.slice(1), 16));
    else for (const byte of utf8.encode(piece)) bytes.push(byte);
  }
  return bytes;
}

/** Joins the segments 0, 1, 2, …; the first names the charset. Bytes are joined before they are decoded. */
function joinSegments(segments: Segment[], decode: CharsetDecoder): string {
  segments.sort((a, b) => a.order - b.order);
  let charset = "utf-8";
  const bytes: number[] = [];
  for (const [index, segment] of segments.entries()) {
    if (segment.order !== index) break;
    let { text } = segment;
    const prefix = index === 0 && segment.form === "percent" ? /^([^']*)'[^']*'/.exec(text) : null;
    if (prefix !== null) {
      charset = prefix[1] || charset;
      text = text.slice(prefix[0].length);
    }
    const added = segment.form === "percent" ? percentBytes(text) : utf8.encode(text);
    for (const byte of added) bytes.push(byte);
  }
  return decode(Uint8Array.from(bytes), charset);
}

/** Reads the unfolded text of a Content-Type, Content-Disposition or Content-Transfer-Encoding field. Total. */
export function parseMimeField(text: string, decode: CharsetDecoder): MimeField {
  const [first = "", ...rest] = splitAtSemicolons(text);
  const parameters = new Map<string, string>();
  const segmented = new Map<string, Segment[]>();
  for (const piece of rest) {
    const equals = piece.indexOf("=");
    if (equals < 0) continue;
    const name = piece.slice(0, equals).trim().toLowerCase();
    const value = unquote(piece.slice(equals + 1));
    const extended = /^([^*]+)(?:\*(\d{1,4}))?(\*)?$/.exec(name);
    if (extended === null || (extended[2] === undefined && extended[3] === undefined)) {
      if (!parameters.has(name)) {
        // A boundary is compared, not read: what looks like an encoded word in it is none.
        const text = name === "boundary" ? value : decodeEncodedWords(value, decode);
        parameters.set(name, cleanText(text));
      }
      continue;
    }
    const segment: Segment = {
      order: Number(extended[2] ?? 0),
      form: extended[3] === undefined ? "plain" : "percent",
      text: value,
    };
    const segments = segmented.get(extended[1]!);
    if (segments === undefined) segmented.set(extended[1]!, [segment]);
    else segments.push(segment);
  }
  for (const [name, segments] of segmented) {
    parameters.set(name, cleanText(joinSegments(segments, decode)));
  }
  return { value: cleanText(unquote(first)).toLowerCase(), parameters };
}
