/** The simulated internet: every mailbox and webhook accepts everything, except addresses made to refuse. */
import { splitAddress } from "../../engine/facts/address.ts";
import type { HandoverAnswer, Outbound, Parcel } from "../model/service.ts";
import { base64Of, type HeldContent } from "../store/held-content.ts";
import type { Outside } from "./outside.ts";
import { keepReceived } from "./received.ts";
import { webhookBody } from "./webhook-payload.ts";

/** Mailboxes at this domain answer with the code in their local part: `450@bounce.test`. */
// ASSUMPTION(bounce-domain): the domain of such addresses is bounce.test, which RFC 6761 keeps out of the real DNS
const BOUNCE_DOMAIN = "bounce.test";

function bounceCode(parcel: Parcel): number | null {
  if (parcel.kind !== "mailbox") return null;
  const { localPart, domain } = splitAddress(parcel.destination.toLowerCase());
  return domain === BOUNCE_DOMAIN && /^[245]\d\d$/.test(localPart) ? Number(localPart) : null;
}

/** The host of a destination. */
export function serverOf({ kind, destination }: Parcel): string {
  return kind === "mailbox" ? `mx.${splitAddress(destination).domain}` : new URL(destination).host;
}

/** The content sent to a destination: a message, or JSON. */
export function bodyOf(outside: Outside, parcel: Parcel): Uint8Array {
  return parcel.kind === "webhook" ? webhookBody(parcel, outside.clock.nowMs()) : parcel.message;
}

function contentOf(outside: Outside, parcel: Parcel): HeldContent {
  if (parcel.kind === "mailbox" && parcel.held !== undefined) return parcel.held;
  return { base64: base64Of(bodyOf(outside, parcel)) };
}

export function createSimulatedInternet(outside: Outside): Outbound {
  return {
    async handOver(parcel): Promise<HandoverAnswer> {
      const server = serverOf(parcel);
      const code = bounceCode(parcel) ?? 250;
      const enhanced = `${String(code).charAt(0)}.0.0`;
      if (code >= 300) return { code, message: `${enhanced} this address answers ${code}`, server };
      await keepReceived(outside, parcel, contentOf(outside, parcel));
      return { code, message: `${enhanced} accepted by the simulated internet`, server };
    },
  };
}
