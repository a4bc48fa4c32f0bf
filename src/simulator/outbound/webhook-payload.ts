/** The JSON that a webhook destination receives for a message. */
import { parseMailboxes } from "../../message/header/address-list.ts";
import { type HeaderBlock, splitHeaderBlock } from "../../message/header/header-block.ts";
import type { HeaderFacts } from "../../message/header/header-facts.ts";
import { rawHeaderText } from "../../message/header/header-text.ts";
import { decodeCharset } from "../../message/text/charset.ts";
import { type WholeMessage, wholeMessageOf } from "../../message/whole-message.ts";
import { partyFinder, partyIn } from "../model/logs/log-parties.ts";
import type { Party } from "../model/records.ts";
import type { Parcel } from "../model/service.ts";
import { base64Of } from "../store/held-content.ts";

interface Attached {
  readonly type: string;
  readonly name: string;
  /** Base64. */
  readonly content: string;
  readonly encoding: "base64";
}

interface Inlined extends Attached {
  /** Without angle brackets, as in `cid:` references. */
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
      content: base64Of(attachment.content()),
      encoding: "base64",
    };
    const cid = attachment.disposition === "inline" ? attachment.contentId : "";
    if (cid === "") attachments.push(attached);
    else inlines.push({ ...attached, cid });
  }
  return { inlines, attachments };
}

/** The mailboxes of a field; encoded words can only be names, never addresses. */
function partiesOf(
  fields: HeaderBlock["fields"],
  header: HeaderFacts,
  name: string,
): readonly Party[] {
  return fields
    .filter((field) => field.name === name)
    .flatMap(({ value }) => parseMailboxes(rawHeaderText(value, decodeCharset)))
    .map(partyFinder(header, [name]));
}

/** Words that field names have in capitals. */
const CAPITALS: ReadonlySet<string> = new Set(["dkim", "arc", "spf", "id"]);

/** `received-spf` → `Received-SPF`, `mime-version` → `Mime-Version`. */
function canonicalName(name: string): string {
  const words = name.split("-").map((word) => {
    if (CAPITALS.has(word)) return word.toUpperCase();
    return word.charAt(0).toUpperCase() + word.slice(1);
  });
  return words.join("-");
}

/** Fields that the payload has outside `headers`. */
const APART: ReadonlySet<string> = new Set(
  "subject from to cc bcc date sender message-id return-path".split(" "),
);
/** Fields that are always lists, even with one value: receivers read the first or the last. */
const LISTS = /^(?:received|received-spf|dkim-signature|authentication-results|arc-.*)$/;
/** Fields that are always one text: the first one, which the last host wrote. */
const TEXTS: ReadonlySet<string> = new Set(
  "delivered-to mime-version x-forwarding-service feedback-id".split(" "),
);

function headerOf(name: string, values: readonly string[]): string | readonly string[] {
  if (LISTS.test(name)) return values;
  return values.length === 1 || TEXTS.has(name) ? values[0]! : values;
}

function headersOf(headers: WholeMessage["headers"]): Readonly<Record<string, unknown>> {
  const shown = [...headers].filter(([name]) => !APART.has(name));
  return Object.fromEntries(
    shown.map(([name, values]) => [canonicalName(name), headerOf(name, values)]),
  );
}

/** `?attachments=false` in the URL leaves attachments out. */
function wantsAttachments(destination: string): boolean {
  return new URL(destination).searchParams.get("attachments") !== "false";
}

/** The body of the POST in UTF-8; every message has one. */
// ASSUMPTION(webhook-payload): a webhook is sent headers, to, cc, bcc, from, sender, subject, message-id, date, return-path, timestamp, text, html, inlines and attachments, in the shape that published receivers parse
export function webhookBody(parcel: Parcel, nowMs: number): Uint8Array {
  const { message } = parcel;
  const whole = wholeMessageOf(message);
  const { fields } = splitHeaderBlock(message);
  const first = (name: string): string => whole.headers.get(name)?.[0] ?? "";
  const attached = wantsAttachments(parcel.destination) ? attachmentsOf(whole) : {};
  const payload = {
    headers: headersOf(whole.headers),
    to: partiesOf(fields, whole, "to"),
    cc: partiesOf(fields, whole, "cc"),
    bcc: partiesOf(fields, whole, "bcc"),
    from: whole.from === null ? null : partyIn(whole, ["from"], whole.from),
    sender: partiesOf(fields, whole, "sender")[0] ?? null,
    subject: whole.subject,
    "message-id": first("message-id"),
    date: first("date"),
    "return-path": { email: parcel.envelopeSender, name: null },
    timestamp: Math.floor(nowMs / 1_000),
    text: whole.text,
    html: whole.html,
    ...attached,
  };
  return Buffer.from(JSON.stringify(payload));
}
