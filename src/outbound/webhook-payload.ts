/** The JSON that a webhook destination is sent for a message. */
import { parseMailboxes } from "../mail/address-list.ts";
import { findBlankLine, type HeaderBlock, splitHeaderBlock } from "../mail/header-block.ts";
import { factsOfBlock, type HeaderFacts } from "../mail/header-facts.ts";
import { rawHeaderText } from "../mail/header-text.ts";
import { findParts, type MimePart } from "../mail/mime-parts.ts";
import { decodeTransfer } from "../mail/transfer-decoding.ts";
import { decodeCharset } from "../message/charset.ts";
import { wholeOf } from "../message/message-source.ts";
import { decodeText } from "../message/part-text.ts";
import { isText } from "../message/read-message.ts";
import { partyIn } from "../service/log-parties.ts";
import type { Party } from "../service/records.ts";
import type { Parcel } from "../service/service.ts";

type TextType = "text/plain" | "text/html";

interface Attached {
  readonly type: string;
  readonly name: string;
  /** Base64. */
  readonly content: string;
  readonly encoding: "base64";
}

interface Inlined extends Attached {
  /** Without angle brackets, as `cid:` references have it. */
  readonly cid: string;
}

function joinedText(parts: readonly MimePart[], contentType: TextType): string {
  const texts = parts.filter((part) => isText(part, contentType)).map(decodeText);
  return texts.join("\n").toWellFormed();
}

/** The Content-ID of a part, `""` without one. */
function contentIdOf({ fields }: MimePart): string {
  const field = fields.find(({ name }) => name === "content-id");
  const text = field === undefined ? "" : rawHeaderText(field.value, decodeCharset);
  return /^<(.+)>$/.exec(text)?.[1] ?? text;
}

function attachmentsOf(parts: readonly MimePart[]): {
  readonly inlines: readonly Inlined[];
  readonly attachments: readonly Attached[];
} {
  const inlines: Inlined[] = [];
  const attachments: Attached[] = [];
  for (const part of parts) {
    if (isText(part, "text/plain") || isText(part, "text/html")) continue;
    const octets = decodeTransfer(part.content, part.transferEncoding);
    const attached: Attached = {
      type: part.contentType,
      name: part.filename,
      content: Buffer.from(octets).toString("base64"),
      encoding: "base64",
    };
    const cid = part.disposition === "inline" ? contentIdOf(part) : "";
    if (cid === "") attachments.push(attached);
    else inlines.push({ ...attached, cid });
  }
  return { inlines, attachments };
}

/** The mailboxes of a field; encoded words say names, never addresses. */
function partiesOf(block: HeaderBlock, header: HeaderFacts, name: string): readonly Party[] {
  return block.fields
    .filter((field) => field.name === name)
    .flatMap(({ value }) => parseMailboxes(rawHeaderText(value, decodeCharset)))
    .map((email) => partyIn(header, [name], email));
}

/** The body of the POST, UTF-8. Any message gives one. */
// ASSUMPTION(webhook-payload): a webhook is sent headers, to, cc, from, subject, message-id, date, return-path, timestamp, text, html, inlines and attachments
export function webhookBody(parcel: Parcel, nowMs: number): Uint8Array {
  const { bytes } = wholeOf(parcel.message);
  const block = splitHeaderBlock(bytes);
  const header = factsOfBlock(block, decodeCharset);
  const bodyStart = block.bodyStart ?? findBlankLine(bytes, 0).bodyStart ?? bytes.length;
  const { parts } = findParts(bytes, block.fields, bodyStart, decodeCharset);
  const first = (name: string): string => header.headers.get(name)?.[0] ?? "";
  const payload = {
    headers: Object.fromEntries(header.headers),
    to: partiesOf(block, header, "to"),
    cc: partiesOf(block, header, "cc"),
    from: header.from === null ? null : partyIn(header, ["from"], header.from),
    subject: header.subject,
    "message-id": first("message-id"),
    date: first("date"),
    "return-path": parcel.envelopeSender,
    timestamp: Math.floor(nowMs / 1_000),
    text: joinedText(parts, "text/plain"),
    html: joinedText(parts, "text/html"),
    ...attachmentsOf(parts),
  };
  return Buffer.from(JSON.stringify(payload));
}
