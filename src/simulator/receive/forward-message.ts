/** The header fields that a forwarder adds on top of a message; the message's own bytes stay as they are (RFC 5321 §4.4, §6.3). */
import { LIMITS } from "../../base/limits.ts";
import { canonicalAddress } from "../../engine/facts/address.ts";
import { parseMailboxes } from "../../message/header/address-list.ts";
import { countFields, fieldValues, type HeaderFacts } from "../../message/header/header-facts.ts";

/** A date of RFC 5322 §3.3, in UTC. */
export function mailDate(atMs: number): string {
  return new Date(atMs).toUTCString().replace("GMT", "+0000");
}

/** How a message arrived. */
export interface Arrival {
  /** The client's name for itself; `""` if it gave none. */
  readonly helo: string;
  /** The client's address; `""` if it has none. */
  readonly remote: string;
  /** `ESMTP`, `ESMTPS`, `ESMTPSA`, … (RFC 3848). */
  readonly protocol: string;
}

/** A client's name must not add anything else to the field. */
function bare(text: string): string {
  return text.replace(/[^\w.:[\]-]/g, "").slice(0, LIMITS.domainOctetsMax + 2);
}

/** The Received field of a message that arrives now, with its line break. */
export function traceField(arrival: Arrival, hostname: string, id: string, atMs: number): string {
  const name = bare(arrival.helo) || "unknown";
  const remote = bare(arrival.remote);
  const from = remote === "" ? name : `${name} ([${remote.replace(/[[\]]/g, "")}])`;
  return [
    `Received: from ${from}`,
    `\tby ${hostname} with ${bare(arrival.protocol) || "SMTP"} id ${id};`,
    `\t${mailDate(atMs)}`,
    "",
  ].join("\r\n");
}

/** Whose mail is forwarded, and by whom. */
export interface Forwarding {
  readonly deliveredTo: string;
  /** The reverse-path with which it arrived. */
  readonly envelopeSender: string;
  readonly hostname: string;
}

/** The fields in which a forwarder reports what it saw. */
// ASSUMPTION(authentication-results): senders are not authenticated here: SPF, DKIM and DMARC are each said to be `none`
// ASSUMPTION(forwarding-service): `X-Forwarding-Service` says `mailflow`
function forwarderFields({ deliveredTo, envelopeSender, hostname }: Forwarding): string {
  const from = envelopeSender.replace(/[^!-~]/g, "");
  return [
    `Delivered-To: ${deliveredTo}`,
    "X-Forwarding-Service: mailflow",
    `Authentication-Results: ${hostname}; spf=none smtp.mailfrom=${from || "<>"}; dkim=none; dmarc=none`,
    `Received-SPF: none (${hostname}: not checked) envelope-from="${from.replace(/["\\]/g, "")}"`,
    "",
  ].join("\r\n");
}

/** The fields to add on top of a message: those of a forwarder if it is forwarded, then `trace`. */
export function addedFields(trace: string, forwarding: Forwarding | null): string {
  // The trace comes last: a message that begins with a blank then never folds into Delivered-To.
  return forwarding === null ? trace : `${forwarderFields(forwarding)}${trace}`;
}

/** Says why the message is in a loop for a recipient, or `null` if it is not. The header is read once for all recipients. */
export function loopFinder(header: HeaderFacts): (recipient: string) => string | null {
  let seen: ReadonlySet<string> | undefined;
  return (recipient) => {
    const hops = countFields(header, "received");
    if (hops > LIMITS.hopsMax)
      return `the message has made ${hops} hops: at most ${LIMITS.hopsMax}`;
    seen ??= new Set(fieldValues(header, "delivered-to").flatMap((value) => parseMailboxes(value)));
    const isBack = seen.has(canonicalAddress(recipient));
    return isBack ? "the message has been here for this recipient before" : null;
  };
}
