/** Finds lines among octets that may be delimiters of a multipart (RFC 2046 §5.1.1). */

const LF = 10;
const CR = 13;
const DASH = 45;

function isTrailingBlank(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === CR;
}

/** End of the line without its trailing blanks and CRs. */
export function trimmedEnd(bytes: Uint8Array, start: number, end: number): number {
  let trimmed = end;
  while (trimmed > start && isTrailingBlank(bytes[trimmed - 1]!)) trimmed--;
  return trimmed;
}

/** Where the next line begins that may be a delimiter; -1 if there is none. `from` is the start of a line. */
export function dashedLine(bytes: Uint8Array, from: number): number {
  if (bytes[from] === DASH && bytes[from + 1] === DASH) return from;
  // Looking at every second octet finds one of two dashes in a row.
  for (let at = from + 2; at < bytes.length; at += 2) {
    if (bytes[at] !== DASH) continue;
    const first = bytes[at - 1] === DASH ? at - 1 : at;
    if (bytes[first - 1] === LF && bytes[first + 1] === DASH) return first;
  }
  return -1;
}

/** Where content ends before a delimiter line: the line break before it belongs to the delimiter. */
export function contentEnd(bytes: Uint8Array, start: number, lineStart: number): number {
  let end = lineStart;
  if (end > start && bytes[end - 1] === LF) end--;
  if (end > start && bytes[end - 1] === CR) end--;
  return end;
}
