/** Reads MIME fields of the form `value; name=value` (RFC 2045 §5.1, RFC 2231 for long and non-ASCII values). */
import { joinOctets } from "../../base/join-octets.ts";
import { LIMITS } from "../../base/limits.ts";
import { type CharsetDecoder, decodeEncodedWords } from "../header/encoded-words.ts";
import { cleanText } from "../header/header-text.ts";
import { hexValue } from "../text/octet-text.ts";

export interface MimeField {
  /** The text before the first `;`, in lower case, without quotes, comments and blanks around it. */
  readonly value: string;
  /** Lower-case name → decoded value; if a name is repeated, the first counts. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Whether there were more parameters than the bound. */
  readonly isCut: boolean;
}

/** One `name*0*=` of RFC 2231 §3. */
interface Segment {
  readonly order: number;
  readonly form: "plain" | "percent";
  readonly text: string;
}

/** `name*1*`: the second of several segments, with octets as `%XX`. */
const SEGMENT_NAME = /^([^*]+)(?:\*(\d{1,4}))?(\*)?$/;

/** The value of most fields, such as `text/plain` or `7bit`, with nothing to decode. */
const PLAIN_VALUE = /^[\w/.+-]+$/;
const NO_PARAMETERS: MimeField["parameters"] = new Map();

const utf8 = new TextEncoder();

const [QUOTE, PERCENT, OPEN, CLOSE, SEMICOLON, BACKSLASH] = [34, 37, 40, 41, 59, 92];

/** Whether a comment may begin after `before`: only after a blank, since `a=x(1).pdf` is a value. */
function allowsComment(before: string): boolean {
  return before === "" || before.endsWith(" ") || before.endsWith("\t");
}

interface FieldPieces {
  readonly pieces: string[];
  /** The text that was not read. */
  readonly rest: string;
}

/** Splits at the `;` outside quotes and comments. */
function splitAtSemicolons(text: string, parametersMax: number): FieldPieces {
  const pieces: string[] = [];
  /** The piece up to `from`, which is where its last comment ended. */
  let piece = "";
  let from = 0;
  let depth = 0;
  let state: "out" | "quoted" = "out";
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > SEMICOLON && unit !== BACKSLASH) continue;
    if (unit === BACKSLASH) {
      if (state === "quoted" || depth > 0) index++;
    } else if (depth > 0) {
      if (unit === OPEN) depth++;
      if (unit === CLOSE && --depth === 0) from = index + 1;
    } else if (unit === QUOTE) {
      state = state === "quoted" ? "out" : "quoted";
    } else if (state === "out" && unit === SEMICOLON) {
      const whole = piece + text.slice(from, index);
      // Empty pieces do not count; some spam has thousands.
      if (pieces.length === 0 || /\S/.test(whole)) pieces.push(whole);
      piece = "";
      from = index + 1;
      if (pieces.length > parametersMax) return { pieces, rest: text.slice(from) };
    } else if (state === "out" && unit === OPEN) {
      const before = from === index ? piece : text.slice(index - 1, index);
      if (!allowsComment(before)) continue;
      piece += text.slice(from, index);
      depth = 1;
    }
  }
  pieces.push(depth > 0 ? piece : piece + text.slice(from));
  return { pieces, rest: "" };
}

/** A token, or a quoted string without its quotes; text after the closing quote is dropped. */
function unquote(text: string): string {
  const trimmed = text.trim();
  if (trimmed.charCodeAt(0) !== QUOTE) return trimmed;
  let value = "";
  let from = 1;
  let index = 1;
  for (; index < trimmed.length && trimmed.charCodeAt(index) !== QUOTE; index++) {
    if (trimmed.charCodeAt(index) !== BACKSLASH || index + 1 === trimmed.length) continue;
    value += trimmed.slice(from, index);
    from = ++index;
  }
  return value + trimmed.slice(from, index);
}

/** The octets with `%XX` decoded; a `%` without two hex digits is kept as `%`. */
function percentDecoded(octets: Uint8Array): Uint8Array {
  let length = 0;
  for (let index = 0; index < octets.length; index++) {
    const byte = octets[index]!;
    const high = byte === PERCENT ? hexValue(octets[index + 1]) : -1;
    const low = high < 0 ? -1 : hexValue(octets[index + 2]);
    if (low >= 0) index += 2;
    octets[length++] = low < 0 ? byte : high * 16 + low;
  }
  return octets.subarray(0, length);
}

/** Joins the segments 0, 1, 2, …; the first names the charset. Octets are joined before they are decoded. */
function joinSegments(segments: Segment[], decode: CharsetDecoder): string {
  segments.sort((a, b) => a.order - b.order);
  let charset = "utf-8";
  const pieces: Uint8Array[] = [];
  for (const [index, segment] of segments.entries()) {
    if (segment.order !== index) break;
    let { text } = segment;
    const prefix = index === 0 && segment.form === "percent" ? /^([^']*)'[^']*'/.exec(text) : null;
    if (prefix !== null) {
      charset = prefix[1] || charset;
      text = text.slice(prefix[0].length);
    }
    const octets = utf8.encode(text);
    pieces.push(segment.form === "percent" ? percentDecoded(octets) : octets);
  }
  return decode(joinOctets(pieces), charset);
}

/** A value without the semicolon after it: `text/html charset=utf-8`. */
const UNPARTED = /^([^\s="]+)[ \t]+([^\s="]+[ \t]*=.*)$/s;

/** Reads the unfolded text of a Content-Type, Content-Disposition or Content-Transfer-Encoding field. Total. */
export function parseMimeField(
  text: string,
  decode: CharsetDecoder,
  parametersMax: number = LIMITS.mimeParametersMax,
): MimeField {
  if (PLAIN_VALUE.test(text)) {
    return { value: text.toLowerCase(), parameters: NO_PARAMETERS, isCut: false };
  }
  const { pieces, rest } = splitAtSemicolons(text, parametersMax);
  const unparted = UNPARTED.exec(pieces[0]?.trim() ?? "");
  if (unparted !== null) pieces.splice(0, 1, unparted[1]!, unparted[2]!);
  const [first = "", ...given] = pieces;
  const value = cleanText(unquote(first)).toLowerCase();
  if (given.length === 0) return { value, parameters: NO_PARAMETERS, isCut: false };
  const parameters = new Map<string, string>();
  const segmented = new Map<string, Segment[]>();
  for (const piece of given) {
    const equals = piece.indexOf("=");
    if (equals < 0) continue;
    const name = piece.slice(0, equals).trim().toLowerCase();
    const value = unquote(piece.slice(equals + 1));
    const extended = name.includes("*") ? SEGMENT_NAME.exec(name) : null;
    if (extended === null || (extended[2] === undefined && extended[3] === undefined)) {
      if (!parameters.has(name)) {
        // A boundary is compared, not displayed: encoded words in it are not decoded.
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
  return { value, parameters, isCut: /[^;\s]/.test(rest) };
}
