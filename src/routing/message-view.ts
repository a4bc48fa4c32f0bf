/** A message as the engine compares it: addresses canonical, text well-formed and bounded, local part split off. */
import { LIMITS } from "../base/limits.ts";
import { canonicalAddress, splitAddress } from "../mail/address.ts";
import type { Facts } from "../mail/facts.ts";

/** Facts after `viewMessage`; what was unknown stays so. */
export interface MessageView extends Facts {
  /** The recipient's local part in lower case; unknown while the recipient is. */
  readonly localPart: string | undefined;
}

/** A lone surrogate would swallow its neighbour in the pattern engines, and so evade a rule. */
function bounded(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const cut = text.length > LIMITS.factUnitsMax ? text.slice(0, LIMITS.factUnitsMax) : text;
  return cut.isWellFormed() ? cut : cut.toWellFormed();
}

function boundedAddress(address: string | undefined): string | undefined {
  const text = bounded(address);
  return text === undefined ? undefined : canonicalAddress(text);
}

// ASSUMPTION(address-case): addresses are compared, and shown to rules, in lower case with domains as A-labels
// ASSUMPTION(recipient-domain): the host chose the domain by the recipient's; aliases compare the local part only
/** Total; linear in the facts' length. */
export function viewMessage(facts: Facts): MessageView {
  const recipient = boundedAddress(facts.recipient);
  return {
    recipient,
    localPart: recipient === undefined ? undefined : splitAddress(recipient).localPart,
    sender: boundedAddress(facts.sender),
    subject: bounded(facts.subject),
    body: bounded(facts.body),
    headers: facts.headers,
    attachments: facts.attachments,
    size: facts.size,
  };
}
