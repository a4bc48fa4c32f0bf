/** The send API (API v4 §4 Send): a request becomes a message with a log entry for each recipient. */
import { canonicalAddress } from "../../engine/facts/address.ts";
import { requirePaid } from "../model/account.ts";
import { getDomain } from "../model/domains/domains.ts";
import type { Party } from "../model/records.ts";
import { getTemplate } from "../model/sending/templates.ts";
import type { Service } from "../model/service.ts";
import { composeMessage } from "./send-compose.ts";
import { requireSendReady, sendOut } from "./send-outgoing.ts";
import { plainLetter, readSendRequest, type SendInput, templateLetter } from "./send-request.ts";

export interface SentEmail {
  /** The log entry of the first recipient. */
  readonly id: string;
  /** In angle brackets, as in the message and in the log. */
  readonly messageId: string;
}

function distinct(parties: readonly Party[]): readonly Party[] {
  const seen = new Set<string>();
  return parties.filter(({ email }) => {
    const key = canonicalAddress(email);
    return !seen.has(key) && seen.add(key);
  });
}

/** Checks in this order: the domain (404), the plan (403), DNS (403), the request (400), its template (404, 400). */
export async function sendEmail(
  service: Service,
  domain: string,
  input: SendInput,
): Promise<SentEmail> {
  const row = await getDomain(service, domain);
  await requirePaid(service, "sending");
  requireSendReady(row);
  const request = readSendRequest(row.domain, input);
  const letter =
    request.template === null
      ? plainLetter(request)
      : templateLetter(request, await getTemplate(service, row.domain, request.template));
  const contentId = service.ids.uuid();
  const messageId = `<${contentId}@${row.domain}>`;
  const atMs = service.clock.nowMs();
  const boundary = contentId.replaceAll("-", "");
  const message = await composeMessage({ request, letter, messageId, boundary, atMs });
  const [first] = await sendOut(service, {
    domain: row.domain,
    head: {
      transport: "api",
      messageId,
      subject: letter.subject,
      sender: { email: request.from, name: null },
    },
    envelopeSender: request.from,
    recipients: distinct([...request.to, ...request.cc, ...request.bcc]),
    message,
    contentId,
    trace: "",
  });
  return { id: first!.id, messageId };
}
