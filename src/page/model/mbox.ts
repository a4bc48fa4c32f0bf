/** The messages of an mbox (RFC 4155, quoted as in mboxrd), in the browser: `mailflow/mailbox` reads more kinds of them. */
const LF = 10;
const CR = 13;
const GREATER = 62;
const FROM = [..."From "].map((letter) => letter.charCodeAt(0));
/** Octets of a line that separates messages. */
const LINE_BYTES_MAX = 1_000;
/** `From ann@x.example Thu Jan  1 09:30:00 2026`: a time, and a year. */
const SEPARATOR = /^From .*\b\d{1,2}:\d\d(?::\d\d)?\b.*\b(?:19|20)\d\d\b/;

function isAt(bytes: Uint8Array, at: number, wanted: readonly number[]): boolean {
  return wanted.every((octet, index) => bytes[at + index] === octet);
}

function isBlankBefore(bytes: Uint8Array, lineStart: number): boolean {
  if (lineStart === 0) return true;
  const end = bytes[lineStart - 2] === CR ? lineStart - 2 : lineStart - 1;
  return end === 0 || bytes[end - 1] === LF;
}

/** The end of the separator that begins here, after its line end; -1: none does. */
function separatorEnd(bytes: Uint8Array, at: number): number {
  if (!isAt(bytes, at, FROM) || !isBlankBefore(bytes, at)) return -1;
  const lf = bytes.indexOf(LF, at);
  const end = lf < 0 ? bytes.length : lf;
  if (end - at > LINE_BYTES_MAX) return -1;
  const line = new TextDecoder().decode(bytes.subarray(at, end));
  return SEPARATOR.test(line) || at === 0 ? Math.min(end + 1, bytes.length) : -1;
}

/** Without the `>` that quotes a line `From `, and without the blank line before the next separator. */
function unquoted(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const lf = bytes.indexOf(LF, at);
    const end = lf < 0 ? bytes.length : lf + 1;
    let quotes = at;
    while (bytes[quotes] === GREATER) quotes++;
    const from = quotes > at && isAt(bytes, quotes, FROM) ? at + 1 : at;
    out.set(bytes.subarray(from, end), length);
    length += end - from;
    at = end;
  }
  if (out[length - 1] === LF) length--;
  if (out[length - 1] === CR) length--;
  return out.subarray(0, length);
}

/** One message after the other, in the order of the file. */
export function* splitMbox(bytes: Uint8Array): Generator<Uint8Array> {
  let start = separatorEnd(bytes, 0);
  if (start < 0) return;
  for (let at = start; ; ) {
    const lf = bytes.indexOf(LF, at);
    if (lf < 0) {
      yield unquoted(bytes.subarray(start));
      return;
    }
    at = lf + 1;
    const end = separatorEnd(bytes, at);
    if (end < 0) continue;
    yield unquoted(bytes.subarray(start, at));
    start = end;
    at = end;
  }
}
