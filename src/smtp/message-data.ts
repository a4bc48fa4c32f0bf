/** Takes in the octets after DATA, bounded, and looks for ends of data in disguise ("SMTP smuggling"). */
import { TOO_LARGE } from "../service/receive.ts";
import type { Reply } from "../service/receive-recipient.ts";

// ASSUMPTION(smuggling-reply): a message with an end of data in disguise is refused with 554 5.6.0
const DISGUISED_END: Reply = {
  code: 554,
  enhanced: "5.6.0",
  text: "a lone dot stands between bare line breaks: end lines with CRLF",
};

const [CR, LF, DOT] = [13, 10, 46];

/** The whole message, or `null` when it is larger than `bytesMax`; nothing of it is then kept. */
async function collect(
  stream: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Uint8Array | null> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length <= bytesMax) chunks.push(chunk);
    else chunks = [];
  }
  return length <= bytesMax ? Buffer.concat(chunks) : null;
}

/** Whether a CRLF, or the start of the message, ends just before `at`. */
function isAfterCrlf(bytes: Uint8Array, at: number): boolean {
  return at === 0 || (bytes[at - 1] === LF && bytes[at - 2] === CR);
}

function isBreak(byte: number | undefined): boolean {
  return byte === CR || byte === LF;
}

/**
 * Whether a line that is a lone dot is set off by anything but CRLF: `<LF>.<CRLF>`, `<CRLF>.<LF>`, `<CR>.<CR>`, …
 * We never end a message there, but a server that we relay to might, and read what follows as commands. What is
 * here has had its dots unstuffed, so `<CRLF>.<CRLF>` is an ordinary line.
 */
export function hasDisguisedEnd(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(DOT); at >= 0; at = bytes.indexOf(DOT, at + 1)) {
    if (at > 0 && !isBreak(bytes[at - 1])) continue;
    if (!isBreak(bytes[at + 1])) continue;
    const isBeforeCrlf = bytes[at + 1] === CR && bytes[at + 2] === LF;
    if (!isAfterCrlf(bytes, at) || !isBeforeCrlf) return true;
  }
  return false;
}

export type ReadMessage =
  | { readonly ok: true; readonly message: Uint8Array }
  | { readonly ok: false; readonly reply: Reply };

/** Reads the stream to its end in any case, for only then can the client hear the answer. */
export async function readMessage(
  stream: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<ReadMessage> {
  const message = await collect(stream, bytesMax);
  if (message === null) return { ok: false, reply: TOO_LARGE };
  return hasDisguisedEnd(message) ? { ok: false, reply: DISGUISED_END } : { ok: true, message };
}
