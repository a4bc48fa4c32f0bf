/** The state of the page in a link: compressed into the part after `#`, which browsers never send. */
import { joinOctets } from "../../base/join-octets.ts";
import { type DomainDraft, readDomain } from "./domain.ts";
import type { Mail } from "./mail.ts";

export interface SharedState {
  readonly saved: DomainDraft;
  readonly draft: DomainDraft;
  readonly mail: Mail | null;
}

/** Most octets that a link may unpack to: anybody can write a link. */
const SHARED_BYTES_MAX = 4_000_000;
/** Most characters of the packed part: Firefox opens no address of more than 1 MiB. */
const PACKED_CHARS_MAX = 1_000_000;

const TOO_LONG =
  "this is too much for a link: leave the message out, or download the rules and send the file";
const TOO_MUCH = "the link holds more than the page accepts";
const DAMAGED = "the link is damaged or cut off: copy the whole link again";

async function pump(bytes: Uint8Array, through: TransformStream): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(through as never);
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > SHARED_BYTES_MAX) {
      await reader.cancel();
      throw new Error(TOO_MUCH);
    }
    chunks.push(value);
  }
  return joinOctets(chunks);
}

/** The part after `#s=`. Throws an `Error` if it would be too long to be opened. */
export async function packState({ saved, draft, mail }: SharedState): Promise<string> {
  const plain =
    mail === null ? null : { ...mail, headers: [...mail.headers], attachments: mail.attachments };
  const json = JSON.stringify({ saved, draft, mail: plain });
  const plainBytes = new TextEncoder().encode(json);
  if (plainBytes.length > SHARED_BYTES_MAX) throw new Error(TOO_LONG);
  const bytes = await pump(plainBytes, new CompressionStream("deflate"));
  let text = "";
  for (const octet of bytes) text += String.fromCharCode(octet);
  const packed = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (packed.length > PACKED_CHARS_MAX) throw new Error(TOO_LONG);
  return packed;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

function readMail(value: unknown): Mail | null {
  if (typeof value !== "object" || value === null) return null;
  const mail = value as Readonly<Record<string, unknown>>;
  const headers = Array.isArray(mail.headers) ? mail.headers : [];
  const attachments = Array.isArray(mail.attachments) ? mail.attachments : [];
  return {
    name: textOf(mail.name),
    recipient: textOf(mail.recipient),
    sender: textOf(mail.sender),
    subject: textOf(mail.subject),
    body: textOf(mail.body),
    headers: new Map(
      headers
        .filter(
          (each): each is [string, unknown[]] => Array.isArray(each) && Array.isArray(each[1]),
        )
        .map(([name, values]) => [textOf(name), values.map(textOf)]),
    ),
    attachments: attachments.map((each: Readonly<Record<string, unknown>>) => ({
      filename: textOf(each?.filename),
      contentType: textOf(each?.contentType),
      size: numberOf(each?.size),
    })),
    size: numberOf(mail.size),
    dateMs: typeof mail.dateMs === "number" ? mail.dateMs : null,
    edited: mail.edited === true,
  };
}

/** Older links have no checksum, and so no header: in their first octet the low half is never 8. */
const formatOf = ([first = 0]: Uint8Array): "deflate" | "deflate-raw" =>
  (first & 0x0f) === 8 ? "deflate" : "deflate-raw";

async function unpackJson(packed: string): Promise<unknown> {
  try {
    const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (unit) => unit.charCodeAt(0));
    const json = await pump(bytes, new DecompressionStream(formatOf(bytes)));
    return JSON.parse(new TextDecoder().decode(json));
  } catch (error) {
    const isTooMuch = error instanceof Error && error.message === TOO_MUCH;
    throw isTooMuch ? error : new Error(DAMAGED);
  }
}

/** Reads what `packState` wrote. Throws an `Error` for anything else. */
export async function unpackState(packed: string): Promise<SharedState> {
  const state = ((await unpackJson(packed)) ?? {}) as Readonly<Record<string, unknown>>;
  const saved = readDomain(state.saved);
  const draft = state.draft === undefined ? saved : readDomain(state.draft);
  return { saved, draft, mail: readMail(state.mail) };
}
