/** Text of `format=flowed` with its paragraphs joined again (RFC 3676 §4). */
import { unitsFor, unitText } from "./unit-text.ts";

const [LF, SPACE, DASH, GREATER] = [10, 32, 45, 62];
/** What makes flowed text differ: a blank at the end of a line, a quote mark or a blank at its start. */
const MARK = /^[> ]| \n|\n[> ]/;
const NOT_ASCII = /[^\u0000-\u007f]/;
const ascii = new TextDecoder();

/** Where the quote marks of the line that begins at `start` end. */
function quotesEnd(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === GREATER) at++;
  return at;
}

/** Whether the line at `start` separates a signature: it ends with a blank, but that is not a soft line break. */
function isSeparator(text: string, start: number): boolean {
  if (text.charCodeAt(start) !== DASH || !text.startsWith("-- ", start)) return false;
  return start + 3 === text.length || text.charCodeAt(start + 3) === LF;
}

/**
 * Joins soft line breaks and removes stuffed blanks; never joins lines of different quote depths. A quoted paragraph
 * keeps its `>` marks once. `delSp`: the blank before a soft break belongs to the break. Lines end with LF. Code
 * units are written one by one, so that a line costs no more than its length.
 */
export function joinFlowed(text: string, delSp: "delsp" | "keep"): string {
  if (!MARK.test(text)) return text;
  // Each line may get a blank after its quote marks.
  const most = text.length + (text.length >> 1) + 2;
  const isAscii = !NOT_ASCII.test(text);
  const out = isAscii ? new Uint8Array(most) : unitsFor(most);
  let length = 0;
  /** Quote depth of the paragraph that the line before left open; -1 if it left none open. */
  let openDepth = -1;
  for (let start = 0; start <= text.length; ) {
    // Most lines begin with a letter.
    const isPlain = text.charCodeAt(start) > GREATER;
    const quotes = isPlain ? start : quotesEnd(text, start);
    const depth = quotes - start;
    const first = text.charCodeAt(quotes) === SPACE ? quotes + 1 : quotes;
    const separates = !isPlain && isSeparator(text, first);
    const isJoined = openDepth === depth && !separates;
    if (openDepth >= 0 && !isJoined) out[length++] = LF;
    for (let mark = 0; !isJoined && mark < depth; mark++) out[length++] = GREATER;
    const isEmpty = first === text.length || text.charCodeAt(first) === LF;
    if (!isJoined && !isEmpty && depth > 0) out[length++] = SPACE;
    let end = first;
    for (; end < text.length; end++) {
      const unit = text.charCodeAt(end);
      if (unit === LF) break;
      out[length++] = unit;
    }
    const isLast = end === text.length;
    const isSoft = !separates && !isLast && end > first && text.charCodeAt(end - 1) === SPACE;
    if (isSoft && delSp === "delsp") length--;
    openDepth = isSoft ? depth : -1;
    if (!isSoft && !isLast) out[length++] = LF;
    start = end + 1;
  }
  return out instanceof Uint8Array ? ascii.decode(out.subarray(0, length)) : unitText(out, length);
}
