/** Mail that a domain itself sends, over HTTP or SMTP: checks who may send, counts it, and queues it. */

import { type AdmittedEntry, admit } from "../deliver/deliver-admit.ts";
import { accountRow } from "../model/account.ts";
import type { MessageHead } from "../model/logs/log-entry.ts";
import { ServiceProblem } from "../model/problem.ts";
import type { DomainRow, LogRow, Party } from "../model/records.ts";
import type { Service } from "../model/service.ts";
import { countUsage, usageLeft } from "../model/usage.ts";

export interface Outgoing {
  readonly domain: string;
  readonly head: MessageHead;
  readonly envelopeSender: string;
  /** Each once. */
  readonly recipients: readonly Party[];
  readonly message: Uint8Array;
  readonly contentId: string;
  readonly trace: string;
}

/** Throws 403 while the domain's DNS is not set up for sending. */
// ASSUMPTION(banned-send): a banned domain cannot send either
export function requireSendReady({ domain, sendReady, banned }: DomainRow): void {
  if (banned) throw new ServiceProblem(403, `\`${domain}\` is banned`);
  if (sendReady) return;
  const message = `the DNS of \`${domain}\` is not configured for sending: add its DKIM and DMARC records, and verify it`;
  throw new ServiceProblem(403, message);
}

/** Throws 403 if the plan does not allow that many messages now. */
// ASSUMPTION(send-quota): sending over the plan's limits is a 403; a message counts once per recipient
export async function requireSendRoom(service: Service, count: number): Promise<void> {
  const { plan } = await accountRow(service);
  const left = await usageLeft(service, "send", plan);
  if (count <= left) return;
  const allowed = left === 1 ? "1 more message" : `${left} more messages`;
  const message = `Your account is limited to ${allowed} for now: ${count} ${count === 1 ? "is" : "are"} too many`;
  throw new ServiceProblem(403, message, {}, "plan");
}

/** Returns the log entries in the order of the recipients; each message is sent at once. */
// ASSUMPTION(sent-forward): mail that a domain sends has no forward in its log
export async function sendOut(service: Service, outgoing: Outgoing): Promise<readonly LogRow[]> {
  const { domain, head, envelopeSender, recipients, ...content } = outgoing;
  const { plan } = await accountRow(service);
  const { hostname: server } = service.settings;
  const entries = recipients.map((recipient): AdmittedEntry => {
    const happenings = [{ code: 250, message: "2.0.0 queued", server, status: "QUEUED" as const }];
    const route = { kind: "mailbox" as const, destination: recipient.email, envelopeSender };
    return { domain, recipient, forward: null, route, happenings };
  });
  return admit(service, { ...content, head, entries }, async (inside) => {
    await requireSendRoom(inside, recipients.length);
    await countUsage(inside, "send", plan, recipients.length);
  });
}
