/** Removes the `>` with which an mbox quotes lines of a message that begin with `From `. */

/**
 * `mboxrd`: one `>` was put before each such line, even if it begins with `>` already; `mboxo`: only before `From `
 * itself; `none`: nothing was quoted.
 */
export type MboxQuoting = "mboxrd" | "mboxo" | "none";

const GREATER = 62;
const FROM = Buffer.from("From ");
const LINE_GREATER = Buffer.from("\n>");

/** The message as it was before it was put into an mbox: `message` itself if nothing was quoted. */
export function unquoteFromLines(message: Uint8Array, quoting: MboxQuoting): Uint8Array {
  if (quoting === "none") return message;
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const pieces: Uint8Array[] = [];
  let from = 0;
  let line = bytes[0] === GREATER ? 0 : bytes.indexOf(LINE_GREATER) + 1;
  while (line > 0 || (line === 0 && bytes[0] === GREATER)) {
    let at = line;
    while (bytes[at] === GREATER) at++;
    const isQuoted = bytes.subarray(at, at + FROM.length).equals(FROM);
    if (isQuoted && (quoting === "mboxrd" || at === line + 1)) {
      pieces.push(bytes.subarray(from, line));
      from = line + 1;
    }
    const next = bytes.indexOf(LINE_GREATER, at);
    if (next < 0) break;
    line = next + 1;
  }
  if (pieces.length === 0) return message;
  pieces.push(bytes.subarray(from));
  return Buffer.concat(pieces);
}
