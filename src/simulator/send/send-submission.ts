/** Mail submitted with a domain's SMTP credential (RFC 6409): checks the sender, and adds missing fields. */
import { LIMITS } from "../../base/limits.ts";
import { ownText } from "../../base/own-text.ts";
import { canonicalDomain, outgoingAddress, splitAddress } from "../../engine/facts/address.ts";
import { parseMailboxes } from "../../message/header/address-list.ts";
import { fieldValues, type HeaderFacts } from "../../message/header/header-facts.ts";
import { headerFacts } from "../../message/index.ts";
import { partyFinder, senderParty } from "../model/logs/log-parties.ts";
import { ServiceProblem } from "../model/problem.ts";
import type { LogRow } from "../model/records.ts";
import type { Service } from "../model/service.ts";
import { type Arrival, mailDate, traceField } from "../receive/forward-message.ts";
import { sendOut } from "./send-outgoing.ts";

export interface Submission extends Arrival {
  /** The credential's domain. */
  readonly domain: string;
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly message: Uint8Array;
}

/** Whether mail may be sent with this envelope sender; the null sender is allowed. */
export function isOwnSender(domain: string, sender: string): boolean {
  return sender === "" || canonicalDomain(splitAddress(sender).domain) === domain;
}

/** Whether there is one From field with only mailboxes at the domain. */
function isOwnFrom(domain: string, { from, headers }: HeaderFacts): boolean {
  const fields = headers.get("from") ?? [];
  const mailboxes = [from ?? "", ...fields.flatMap((value) => parseMailboxes(value))];
  return fields.length === 1 && mailboxes.every((each) => splitAddress(each).domain === domain);
}

/** The fields Message-ID and Date that the message lacks (RFC 6409 §8.2, §8.3). */
function addedFields({ headers }: HeaderFacts, messageId: string, atMs: number): string {
  const id = headers.has("message-id") ? "" : `Message-ID: ${messageId}\r\n`;
  return headers.has("date") ? id : `${id}Date: ${mailDate(atMs)}\r\n`;
}

/** Queues a submitted message; throws 403 if it may not be sent, and 413 if it is too large. */
// ASSUMPTION(submission-from): a submitted message has one From field, and all its mailboxes are at the credential's domain
export async function submitMessage(
  service: Service,
  { domain, sender, recipients, message, ...arrival }: Submission,
): Promise<readonly LogRow[]> {
  if (message.length > LIMITS.smtpMessageBytesMax) {
    throw new ServiceProblem(413, `a message has at most ${LIMITS.smtpMessageBytesMax} octets`);
  }
  const header = await headerFacts(message);
  if (!isOwnFrom(domain, header)) {
    throw new ServiceProblem(
      403,
      `the From field names no mailbox at \`${domain}\`, or others too`,
    );
  }
  const atMs = service.clock.nowMs();
  const contentId = service.ids.uuid();
  const added = addedFields(header, `<${contentId}@${domain}>`, atMs);
  return sendOut(service, {
    domain,
    head: {
      transport: "smtp",
      messageId: ownText(fieldValues(header, "message-id")[0] ?? `<${contentId}@${domain}>`),
      subject: ownText(header.subject),
      sender: senderParty(header, sender),
    },
    envelopeSender: sender,
    recipients: recipients.map(outgoingAddress).map(partyFinder(header, ["to", "cc"])),
    message: added === "" ? message : Buffer.concat([Buffer.from(added), message]),
    contentId,
    trace: traceField(arrival, service.settings.hostname, contentId, atMs),
  });
}
