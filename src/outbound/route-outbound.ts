/** The way out of the service: faults first, then by the kind of destination the simulated internet, a relay or HTTP. */
import type { HandoverAnswer, Outbound, Parcel } from "../service/service.ts";
import { faultAnswer, takeFault } from "./faults.ts";
import type { Outside } from "./outside.ts";
import { keepReceived } from "./received.ts";
import { createRelay, type RelayOptions } from "./relay.ts";
import { bodyOf, createSimulatedInternet, serverOf } from "./simulated-internet.ts";
import { postWebhook, type WebhookOptions } from "./webhook.ts";

export interface OutboundOptions {
  /** Mailboxes are reached through this server; default: they are simulated. */
  readonly relay?: RelayOptions | undefined;
  /** Webhooks are POSTed to for real; default: they are simulated. */
  readonly webhooks?: WebhookOptions | undefined;
}

export function createOutbound(outside: Outside, options: OutboundOptions = {}): Outbound {
  const simulated = createSimulatedInternet(outside);
  const mailboxes = options.relay === undefined ? simulated : createRelay(options.relay);

  async function postFor(parcel: Parcel, webhooks: WebhookOptions): Promise<HandoverAnswer> {
    const body = bodyOf(outside, parcel);
    const answer = await postWebhook(parcel.destination, body, webhooks);
    if (answer.code < 300) await keepReceived(outside, parcel, body);
    return answer;
  }

  function handOn(parcel: Parcel): Promise<HandoverAnswer> {
    if (parcel.kind === "mailbox") return mailboxes.handOver(parcel);
    return options.webhooks === undefined
      ? simulated.handOver(parcel)
      : postFor(parcel, options.webhooks);
  }

  async function handOver(parcel: Parcel): Promise<HandoverAnswer> {
    const fault = await takeFault(outside, parcel);
    if (fault === undefined) return handOn(parcel);
    const isTaken = fault.code === null || fault.stage === "answer";
    const taken = isTaken ? await handOn(parcel) : undefined;
    const answer = fault.code === null ? taken! : faultAnswer(fault, serverOf(parcel));
    return { ...answer, afterMs: fault.delayMs };
  }

  return {
    // The edge of the service: a defect out here delays one delivery, and stops nothing.
    handOver: (parcel) =>
      handOver(parcel).catch((error: unknown) => ({
        code: 451,
        message: `4.3.0 ${error instanceof Error ? error.message : String(error)}`,
        server: serverOf(parcel),
      })),
  };
}
