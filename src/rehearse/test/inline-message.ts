/** Makes facts of a message written by hand, as in a rule test. */
import { parseAddrSpec } from "../../engine/facts/address.ts";
import type { AttachmentFact, Facts } from "../../engine/facts/facts.ts";
import { type MessageFacts, toFacts } from "../../message/header/message-facts.ts";

/** Fields left out are empty; only the recipient is required. */
export interface InlineMessage {
  readonly recipient: string;
  /** The From address; `""` or left out: the null sender. */
  readonly sender?: string | undefined;
  readonly subject?: string | undefined;
  readonly body?: string | undefined;
  /** Header fields, names in any case, with one value or several. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly attachments?: readonly Partial<AttachmentFact>[] | undefined;
  /** Octets of the whole message; default: the sum of what is given here. */
  readonly size?: number | undefined;
}

/** A test may leave out the domain of a recipient. */
export function withDomain(recipient: string, domain: string): string {
  return recipient.includes("@") ? recipient : `${recipient}@${domain}`;
}

const encoder = new TextEncoder();

function octets(text: string): number {
  return encoder.encode(text).length;
}

function headersOf(message: InlineMessage): Map<string, readonly string[]> {
  const { recipient, sender = "", subject, headers = {} } = message;
  const fields = new Map<string, readonly string[]>();
  if (sender !== "") fields.set("from", [sender]);
  fields.set("to", [recipient]);
  if (subject !== undefined) fields.set("subject", [subject]);
  for (const [name, value] of Object.entries(headers)) {
    fields.set(name.toLowerCase(), typeof value === "string" ? [value] : value);
  }
  return fields;
}

/** `": "` and CRLF of a header line, and the CRLF before the body. */
const LINE_OCTETS = 4;
const BLANK_LINE_OCTETS = 2;

function sizeOf(
  headers: ReadonlyMap<string, readonly string[]>,
  body: string,
  attachments: readonly AttachmentFact[],
): number {
  let size = BLANK_LINE_OCTETS + octets(body);
  for (const [name, values] of headers) {
    for (const value of values) size += octets(name) + octets(value) + LINE_OCTETS;
  }
  return attachments.reduce((sum, attachment) => sum + attachment.size, size);
}

/** The facts of a whole message, with every fact known. */
export function inlineFacts(message: InlineMessage): Facts {
  const { recipient, sender = "", subject = "", body = "" } = message;
  const attachments = (message.attachments ?? []).map(
    ({ filename = "", contentType = "application/octet-stream", size = 0 }) => ({
      filename,
      contentType: contentType.toLowerCase(),
      size,
    }),
  );
  const headers = headersOf(message);
  const from = parseAddrSpec(sender) === null ? null : sender;
  const size = message.size ?? sizeOf(headers, body, attachments);
  const read: MessageFacts = { from, subject, headers, body, attachments, size, problems: [] };
  return toFacts({ recipient, sender }, read);
}
