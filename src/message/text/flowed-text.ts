/** Text of `format=flowed` with its paragraphs joined again (RFC 3676 §4). */

/** A line ends softly when it ends with a space, but for the separator before a signature. */
const SIGNATURE_SEPARATOR = "-- ";

const LF = "\n";
const [SPACE, GREATER] = [32, 62];

/** Where the quote marks of the line that begins at `start` end. */
function quotesEnd(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === GREATER) at++;
  return at;
}

/**
 * Joins soft line breaks and takes out the stuffed blanks; lines of another quote depth are never joined. A quoted
 * paragraph keeps its `>` marks once. `delSp`: the blank before a soft break belongs to the break. Lines end with LF.
 */
export function joinFlowed(text: string, delSp: "delsp" | "keep"): string {
  let out = "";
  /** Quote depth of the paragraph that the line before left open; -1 if it did not. */
  let openDepth = -1;
  /** Start of lines that stay as they are and are not written yet. */
  let plain = 0;
  for (let start = 0; start <= text.length; ) {
    const lf = text.indexOf(LF, start);
    const end = lf < 0 ? text.length : lf;
    const first = text.charCodeAt(start);
    const isSoftEnded = end > start && text.charCodeAt(end - 1) === SPACE;
    // Most lines: not stuffed, not quoted, ended firmly, after one that was too.
    if (openDepth < 0 && !isSoftEnded && first !== SPACE && first !== GREATER) {
      start = end + 1;
      continue;
    }
    out += text.slice(plain, start);
    const quotes = quotesEnd(text, start);
    const depth = quotes - start;
    const content = text.slice(text.charCodeAt(quotes) === SPACE ? quotes + 1 : quotes, end);
    const isSeparator = content === SIGNATURE_SEPARATOR;
    if (openDepth >= 0 && (openDepth !== depth || isSeparator)) out += LF;
    const joins = openDepth === depth && !isSeparator;
    if (!joins && depth > 0) out += text.slice(start, quotes) + (content === "" ? "" : " ");
    const isSoft = content.endsWith(" ") && !isSeparator && lf >= 0;
    out += isSoft && delSp === "delsp" ? content.slice(0, -1) : content;
    openDepth = isSoft ? depth : -1;
    start = end + 1;
    // The line end of what is not joined is written with what follows.
    plain = isSoft ? start : end;
  }
  return out + text.slice(plain);
}
