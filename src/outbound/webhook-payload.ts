/** The JSON that a webhook destination is sent for a message. */
import { parseMailboxes } from "../mail/address-list.ts";
import { type HeaderBlock, splitHeaderBlock } from "../mail/header-block.ts";
import type { HeaderFacts } from "../mail/header-facts.ts";
import { rawHeaderText } from "../mail/header-text.ts";
import { decodeCharset } from "../message/charset.ts";
import { type WholeMessage, wholeMessageOf } from "../message/whole-message.ts";
import { partyIn } from "../service/log-parties.ts";
import type { Party } from "../service/records.ts";
import type { Parcel } from "../service/service.ts";

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

function attachmentsOf(whole: WholeMessage): {
  readonly inlines: readonly Inlined[];
  readonly attachments: readonly Attached[];
} {
  const inlines: Inlined[] = [];
  const attachments: Attached[] = [];
  for (const attachment of whole.attachments) {
    const attached: Attached = {
      type: attachment.contentType,
      name: attachment.filename,
      content: Buffer.from(attachment.content()).toString("base64"),
      encoding: "base64",
    };
    const cid = attachment.disposition === "inline" ? attachment.contentId : "";
    if (cid === "") attachments.push(attached);
    else inlines.push({ ...attached, cid });
  }
  return { inlines, attachments };
}

/** The mailboxes of a field; encoded words say names, never addresses. */
function partiesOf(
  fields: HeaderBlock["fields"],
  header: HeaderFacts,
  name: string,
): readonly Party[] {
  return fields
    .filter((field) => field.name === name)
    .flatMap(({ value }) => parseMailboxes(rawHeaderText(value, decodeCharset)))
    .map((email) => partyIn(header, [name], email));
}

/** The body of the POST, UTF-8. Any message gives one. */
// ASSUMPTION(webhook-payload): a webhook is sent headers, to, cc, from, subject, message-id, date, return-path, timestamp, text, html, inlines and attachments
export function webhookBody(parcel: Parcel, nowMs: number): Uint8Array {
  const whole = wholeMessageOf(parcel.message);
  const { fields } = splitHeaderBlock(parcel.message);
  const first = (name: string): string => whole.headers.get(name)?.[0] ?? "";
  const payload = {
    headers: Object.fromEntries(whole.headers),
    to: partiesOf(fields, whole, "to"),
    cc: partiesOf(fields, whole, "cc"),
    from: whole.from === null ? null : partyIn(whole, ["from"], whole.from),
    subject: whole.subject,
    "message-id": first("message-id"),
    date: first("date"),
    "return-path": parcel.envelopeSender,
    timestamp: Math.floor(nowMs / 1_000),
    text: whole.text,
    html: whole.html,
    ...attachmentsOf(whole),
  };
  return Buffer.from(JSON.stringify(payload));
}
