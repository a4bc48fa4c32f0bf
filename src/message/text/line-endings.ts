/** Line endings: lines of a message end with CRLF (RFC 5322 §2.1), with LF when stored, and with lone CR in old files. */
import { joinOctets } from "../../base/join-octets.ts";

const LF = 10;
const CR = 13;

/** Takes a message's chunks in order and returns them, with lone CRs as LF if the message ends its lines with lone CR. */
export interface LineEndings {
  push(chunk: Uint8Array): Uint8Array;
  /** The octets held back. Call it after the last chunk. */
  end(): Uint8Array;
}

function firstBreak(bytes: Uint8Array): number {
  const lf = bytes.indexOf(LF);
  const cr = (lf < 0 ? bytes : bytes.subarray(0, lf)).indexOf(CR);
  return cr < 0 ? lf : cr;
}

const concat = (a: Uint8Array, b: Uint8Array): Uint8Array =>
  a.length === 0 ? b : joinOctets([a, b]);

/**
 * The first line ending decides. After CRLF, CRs with an LF, or LF, the message stays as it is. After a lone CR, each
 * CR and CRLF becomes LF. A lone CR in a message of LF lines stays a control character, so it cannot forge a field.
 */
// ASSUMPTION(lone-cr): a message ends its lines with lone CR exactly when its first line ends with one.
export function lineEndings(): LineEndings {
  let mode: "unknown" | "lf" | "cr" = "unknown";
  let held: Uint8Array = new Uint8Array(0);
  let afterCr = false;

  const toLf = (chunk: Uint8Array): Uint8Array => {
    const out = new Uint8Array(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      if (byte !== LF || !afterCr) out[length++] = byte === CR ? LF : byte;
      afterCr = byte === CR;
    }
    return out.subarray(0, length);
  };

  const push = (chunk: Uint8Array): Uint8Array => {
    if (mode === "lf") return chunk;
    if (mode === "cr") return toLf(chunk);
    const bytes = concat(held, chunk);
    held = new Uint8Array(0);
    const start = firstBreak(bytes);
    if (start < 0) return bytes;
    let next = start;
    while (bytes[next] === CR) next++;
    if (next === bytes.length) {
      // A copy, since the caller may reuse the chunk's memory.
      held = new Uint8Array(bytes.subarray(start));
      return bytes.subarray(0, start);
    }
    mode = bytes[next] === LF ? "lf" : "cr";
    return push(bytes);
  };

  const end = (): Uint8Array => {
    mode = "cr";
    return toLf(held);
  };
  return { push, end };
}

/** A whole message with LF or CRLF lines: `bytes` itself unless its lines end with lone CR. */
export function normalLines(bytes: Uint8Array): Uint8Array {
  const start = firstBreak(bytes);
  if (start < 0 || bytes[start] === LF) return bytes;
  let next = start;
  while (bytes[next] === CR) next++;
  if (bytes[next] === LF) return bytes;
  const endings = lineEndings();
  return concat(endings.push(bytes), endings.end());
}
