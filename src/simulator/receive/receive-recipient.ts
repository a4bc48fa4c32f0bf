/** How the MX handles one envelope recipient: its domain, whether it is refused, and where its mail goes. */

import { ownText } from "../../base/own-text.ts";
import { canonicalDomain, parseAddrSpec, splitAddress } from "../../engine/facts/address.ts";
import type { Reason } from "../../engine/routing/resolution.ts";
import type { StagedMessage } from "../../message/index.ts";
import type { DeliveryRoute } from "../deliver/deliver-admit.ts";
import { accountRow } from "../model/account.ts";
import { compiledDomain } from "../model/compiled.ts";
import { ServiceProblem } from "../model/problem.ts";
import { DOMAINS, type DomainRow } from "../model/records.ts";
import type { Service } from "../model/service.ts";
import { srsForward, srsReverse } from "./forward-srs.ts";
import { decide } from "./receive-reader.ts";

/** An SMTP answer with its enhanced status code (RFC 3463). */
export interface Reply {
  readonly code: number;
  readonly enhanced: string;
  readonly text: string;
}

export type RoutedRecipient =
  /** `domain` is the domain whose log gets the refusal; `null` if the domain is unknown. */
  | { readonly verdict: "refused"; readonly domain: string | null; readonly reply: Reply }
  /** Accepted so far: the message itself has to be seen. */
  | { readonly verdict: "undecided"; readonly domain: string }
  /** No route: accepted and discarded. `bounce`: a return path of this service, for which no engine decides. */
  | {
      readonly verdict: "routed";
      readonly domain: string;
      readonly routes: readonly DeliveryRoute[];
      readonly reason: Reason | "bounce" | "postmaster";
    };

type Refusals = Readonly<Record<string, Reply>>;

const REPLIES = {
  // ASSUMPTION(unknown-domain-reply): a recipient at no domain of the account is answered 550 5.7.1
  unknown: {
    code: 550,
    enhanced: "5.7.1",
    text: "no domain of this service, and it does not relay",
  },
  // ASSUMPTION(banned-domain-reply): a banned domain takes no mail, 550 5.7.1
  banned: { code: 550, enhanced: "5.7.1", text: "this domain is banned" },
  // ASSUMPTION(unverified-domain-reply): mail waits outside, 450 4.7.1, until the domain's MX records are verified
  unverified: { code: 450, enhanced: "4.7.1", text: "this domain is not verified yet" },
  syntax: { code: 553, enhanced: "5.1.3", text: "not an address that mail can be sent to" },
  // ASSUMPTION(srs-bounces-only): return paths take bounces only, which come from the null sender
  notABounce: { code: 550, enhanced: "5.7.1", text: "this return path takes bounces only" },
} as const satisfies Refusals;

/** Mail for a return path of this service goes back to the original sender; `null` for any other recipient. */
function routeBounce(
  service: Service,
  { domain }: DomainRow,
  sender: string,
  localPart: string,
): RoutedRecipient | null {
  const { settings, clock } = service;
  const reversed = srsReverse(settings.secret, clock.nowMs(), localPart);
  if (reversed === null) return null;
  if (!reversed.ok) {
    const reply = { code: 550, enhanced: "5.1.1", text: reversed.reason };
    return { verdict: "refused", domain, reply };
  }
  if (sender !== "") return { verdict: "refused", domain, reply: REPLIES.notABounce };
  const route: DeliveryRoute = {
    kind: "mailbox",
    destination: reversed.address,
    envelopeSender: "",
  };
  return { verdict: "routed", domain, routes: [route], reason: "bounce" };
}

/** Mail for the postmaster of the service itself, named without a domain (RFC 5321 §4.5.1). */
// ASSUMPTION(postmaster): it goes to the account's email; its log is that of the service's own name, which no API shows
async function routePostmaster(service: Service, sender: string): Promise<RoutedRecipient> {
  const { settings, clock } = service;
  const { email: destination } = await accountRow(service);
  const domain = settings.hostname;
  const envelopeSender = srsForward(settings.secret, clock.nowMs(), sender, domain);
  const routes: DeliveryRoute[] = [{ kind: "mailbox", destination, envelopeSender }];
  return { verdict: "routed", domain, routes, reason: "postmaster" };
}

/** Routes one recipient; without a `reader`, only as far as the envelope allows. */
export async function routeRecipient(
  service: Service,
  sender: string,
  recipient: string,
  reader: StagedMessage | null,
): Promise<RoutedRecipient> {
  if (recipient.toLowerCase() === "postmaster") return routePostmaster(service, sender);
  const { localPart, domain: given } = splitAddress(recipient);
  const row = await service.store.table(DOMAINS).get(canonicalDomain(given));
  if (row === undefined) return { verdict: "refused", domain: null, reply: REPLIES.unknown };
  const { domain } = row;
  if (row.banned) return { verdict: "refused", domain, reply: REPLIES.banned };
  if (!row.forwardingReady) return { verdict: "refused", domain, reply: REPLIES.unverified };
  const bounce = routeBounce(service, row, sender, localPart);
  if (bounce !== null) return bounce;
  if (parseAddrSpec(recipient) === null) {
    return { verdict: "refused", domain, reply: REPLIES.syntax };
  }
  return routeByEngine(service, domain, sender, recipient, reader);
}

async function routeByEngine(
  service: Service,
  domain: string,
  sender: string,
  recipient: string,
  reader: StagedMessage | null,
): Promise<RoutedRecipient> {
  const compiled = await compiledDomain(service, domain).catch((error: unknown) => {
    // The domain was deleted since it was looked up.
    if (error instanceof ServiceProblem) return null;
    throw error;
  });
  if (compiled === null) return { verdict: "refused", domain: null, reply: REPLIES.unknown };
  const decision = await decide(compiled, { sender, recipient }, reader, service.watch);
  if (decision === null) return { verdict: "undecided", domain };
  if (decision.action === "reject") {
    return { verdict: "refused", domain, reply: decision.reply! };
  }
  const { settings, clock } = service;
  const routes = decision.destinations.map((destination): DeliveryRoute => {
    if (destination.kind === "webhook") {
      const url = ownText(destination.url);
      return { kind: "webhook", destination: url, envelopeSender: sender };
    }
    const envelopeSender = srsForward(settings.secret, clock.nowMs(), sender, domain);
    return { kind: "mailbox", destination: ownText(destination.address), envelopeSender };
  });
  return { verdict: "routed", domain, routes, reason: decision.reason };
}
