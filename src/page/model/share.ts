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
      throw new Error("the link holds more than the page accepts");
    }
    chunks.push(value);
  }
  return joinOctets(chunks);
}

/** The part after `#s=`. */
export async function packState({ saved, draft, mail }: SharedState): Promise<string> {
  const plain =
    mail === null ? null : { ...mail, headers: [...mail.headers], attachments: mail.attachments };
  const json = JSON.stringify({ saved, draft, mail: plain });
  const bytes = await pump(new TextEncoder().encode(json), new CompressionStream("deflate-raw"));
  let text = "";
  for (const octet of bytes) text += String.fromCharCode(octet);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
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

/** Reads what `packState` wrote. Throws an `Error` for anything else. */
export async function unpackState(packed: string): Promise<SharedState> {
  const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(text, (unit) => unit.charCodeAt(0));
  const json = await pump(bytes, new DecompressionStream("deflate-raw"));
  const state = JSON.parse(new TextDecoder().decode(json)) as Readonly<Record<string, unknown>>;
  return {
    saved: readDomain(state.saved),
    draft: readDomain(state.draft),
    mail: readMail(state.mail),
  };
}
