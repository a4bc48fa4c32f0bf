/** Mail for another domain of the account: that domain receives it, without leaving the service. */
import { canonicalDomain, splitAddress } from "../../engine/facts/address.ts";
import { DOMAINS } from "../model/records.ts";
import type { HandoverAnswer, Parcel, Service } from "../model/service.ts";
import { acceptMessage, answerRecipient, type MailTransaction } from "./receive.ts";

/**
 * Hands a message to the account's domain of its destination, just as its MX receives mail, and returns the answer; `null` if
 * the destination is at no domain of the account. Loops end as they do outside: by `Delivered-To` and by the number of hops.
 */
// ASSUMPTION(own-domains): mail for a mailbox of the account's own domains is routed by that domain, and logged there
export async function routeInside(
  service: Service,
  parcel: Parcel,
): Promise<HandoverAnswer | null> {
  const { destination, envelopeSender } = parcel;
  const { hostname } = service.settings;
  const domain = canonicalDomain(splitAddress(destination).domain);
  if ((await service.store.table(DOMAINS).get(domain)) === undefined) return null;
  const arrival = { helo: hostname, remote: "", protocol: "ESMTP" };
  const asked: MailTransaction = { ...arrival, sender: envelopeSender, recipients: [] };
  let answer = await answerRecipient(service, asked, destination);
  if (answer.code < 300) {
    const taken = { ...asked, recipients: [destination] };
    answer = (await acceptMessage(service, taken, parcel.message))[0]!;
  }
  const { code, enhanced, text } = answer;
  return { code, message: `${enhanced} ${text}`, server: hostname };
}
