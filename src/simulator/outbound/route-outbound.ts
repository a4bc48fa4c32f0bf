/** Hands messages to the outside: faults first, then, by kind of destination, the simulated internet, a relay or HTTP. */
import type { HandoverAnswer, Outbound, Parcel } from "../model/service.ts";
import { base64Of } from "../store/held-content.ts";
import { StoreUnavailableError } from "../store/store.ts";
import { faultAnswer, takeFault } from "./faults.ts";
import type { Outside } from "./outside.ts";
import { keepReceived } from "./received.ts";
import { createRelay, type RelayOptions } from "./relay.ts";
import { bodyOf, createSimulatedInternet, serverOf } from "./simulated-internet.ts";
import { postWebhook, type WebhookOptions } from "./webhook.ts";

export interface OutboundOptions {
  /** Sends all mail for mailboxes to this server; default: mailboxes are simulated. */
  readonly relay?: RelayOptions | undefined;
  /** Really calls webhooks; default: they are simulated. */
  readonly webhooks?: WebhookOptions | undefined;
  /** Accepts mail for a mailbox at one of the account's own domains; resolves to `null` for any other domain. */
  readonly inside?: ((parcel: Parcel) => Promise<HandoverAnswer | null>) | undefined;
}

export function createOutbound(outside: Outside, options: OutboundOptions = {}): Outbound {
  const simulated = createSimulatedInternet(outside);
  const { relay, inside } = options;
  const mailboxes = relay === undefined ? simulated : createRelay(relay);
  const closing = new AbortController();

  async function postFor(parcel: Parcel, webhooks: WebhookOptions): Promise<HandoverAnswer> {
    const body = bodyOf(outside, parcel);
    const given = { ...webhooks, closed: closing.signal };
    const answer = await postWebhook(parcel.destination, body, given);
    if (answer.code < 300) await keepReceived(outside, parcel, { base64: base64Of(body) });
    return answer;
  }

  async function handOn(parcel: Parcel): Promise<HandoverAnswer> {
    if (parcel.kind === "mailbox") {
      return (await inside?.(parcel)) ?? mailboxes.handOver(parcel);
    }
    return options.webhooks === undefined
      ? simulated.handOver(parcel)
      : postFor(parcel, options.webhooks);
  }

  async function handOver(parcel: Parcel): Promise<HandoverAnswer> {
    const fault = await takeFault(outside, parcel);
    if (fault === undefined) return handOn(parcel);
    const isTaken = fault.code === null || fault.stage === "answer";
    const taken = isTaken ? await handOn(parcel) : undefined;
    const answer = fault.code === null ? taken! : faultAnswer(fault, parcel, serverOf(parcel));
    return { ...answer, afterMs: fault.delayMs };
  }

  return {
    hostOf: (kind) =>
      kind === "mailbox" && relay !== undefined ? `${relay.host}:${relay.port}` : undefined,
    isInstant: (kind) =>
      kind === "mailbox" ? relay === undefined : options.webhooks === undefined,
    // At the edge of the service a defect delays one delivery and stops nothing else.
    handOver: (parcel) =>
      handOver(parcel).catch((error: unknown) => {
        // The store is unreachable, not the destination: the task soon runs again, and finds the attempt interrupted.
        if (error instanceof StoreUnavailableError) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        return { code: 451, message: `4.3.0 ${reason}`, server: serverOf(parcel) };
      }),
    close() {
      closing.abort();
      mailboxes.close?.();
    },
  };
}
