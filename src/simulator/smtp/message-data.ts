/** Reads the octets after DATA, up to a limit, and looks for hidden ends of data ("SMTP smuggling"). */
import type { Readable } from "node:stream";
import { latin1Text } from "../../message/text/octet-text.ts";
import { TOO_LARGE } from "../receive/receive.ts";
import type { Reply } from "../receive/receive-recipient.ts";
import { SmtpRefusal } from "./guarded-server.ts";

// ASSUMPTION(smuggling-reply): a message with a lone CR or LF, or with a lone dot behind NULs, is refused with 554 5.6.0: no server could relay it octet for octet, and some would see an end of data there
const DISGUISED_END: Reply = {
  code: 554,
  enhanced: "5.6.0",
  text: "a lone CR or LF, or a dot disguised by NULs, in the message: end lines with CRLF",
};

const [CR, LF, DOT] = [13, 10, 46];

/** Nobody hears it: the client went away, as it may. */
const CUT_OFF: Reply = {
  code: 451,
  enhanced: "4.4.2",
  text: "the connection ended within a message",
};

/** The whole message, or `null` if it is larger than `bytesMax`; then nothing of it is kept. */
function collect(stream: Readable, bytesMax: number): Promise<Uint8Array | null> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  // Reads by events, because iterating over the stream takes three times as long.
  return new Promise((resolve, reject) => {
    stream.on("data", (chunk: Uint8Array) => {
      length += chunk.length;
      if (length <= bytesMax) chunks.push(chunk);
      else chunks = [];
    });
    stream.once("end", () => {
      const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      resolve(length <= bytesMax ? whole : null);
    });
    const cutOff = (): void => reject(new SmtpRefusal(CUT_OFF));
    stream.once("error", cutOff);
    stream.once("close", () => {
      // An error for each message that did end would cost more than reading it.
      if (!stream.readableEnded) cutOff();
    });
  });
}

const NUL = 0;

/** Octets turned into one text for the search: searching a text is several times as fast as searching octets. */
const WINDOW_BYTES = 65_536;

/** Whether there is a CR without an LF, or an LF without a CR. */
function hasBareBreak(bytes: Uint8Array): boolean {
  for (let from = 0; from < bytes.length; from += WINDOW_BYTES) {
    const text = latin1Text(bytes, from, Math.min(bytes.length, from + WINDOW_BYTES));
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
      if (bytes[from + at - 1] !== CR) return true;
    }
    for (let at = text.indexOf("\r"); at >= 0; at = text.indexOf("\r", at + 1)) {
      if (bytes[from + at + 1] !== LF) return true;
    }
  }
  return false;
}

/** At most `count` octets from `at` on, without NULs. */
function withoutNul(bytes: Uint8Array, at: number, count: number): number[] {
  const found: number[] = [];
  for (let next = at; next < bytes.length && found.length < count; next++) {
    if (bytes[next] !== NUL) found.push(bytes[next]!);
  }
  return found;
}

/** Whether a line has only NULs and one dot: servers that drop NULs see `<CRLF>.<CRLF>`. */
function hasNulDot(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(NUL); at >= 0; at = bytes.indexOf(NUL, at + 1)) {
    // The line with the NUL, from its start.
    const start = bytes.lastIndexOf(LF, at) + 1;
    const [first, second] = withoutNul(bytes, start, 2);
    if (first === DOT && (second === CR || second === undefined)) return true;
    const end = bytes.indexOf(LF, at);
    if (end < 0) return false;
    at = end;
  }
  return false;
}

/**
 * Whether a server that gets this message might see an end of data within these octets, and read the rest as commands. Dots are
 * already unstuffed here, so `<CRLF>.<CRLF>` is an ordinary line.
 */
export function hasDisguisedEnd(bytes: Uint8Array): boolean {
  return hasBareBreak(bytes) || hasNulDot(bytes);
}

export type ReadMessage =
  | { readonly ok: true; readonly message: Uint8Array }
  | { readonly ok: false; readonly reply: Reply };

/** Always reads the stream to its end: only then does the client read the answer. Rejects with an `SmtpRefusal` if the client goes away. */
export async function readMessage(stream: Readable, bytesMax: number): Promise<ReadMessage> {
  const message = await collect(stream, bytesMax);
  if (message === null) return { ok: false, reply: TOO_LARGE };
  return hasDisguisedEnd(message) ? { ok: false, reply: DISGUISED_END } : { ok: true, message };
}
