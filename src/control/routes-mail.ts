/** Endpoints of mail: handing it in, looking at what arrived, trying rules, and watching. */
import { z } from "zod";
import { LIMITS } from "../base/limits.ts";
import { parseAddrSpec } from "../mail/address.ts";
import { ServiceProblem } from "../service/problem.ts";
import { receive } from "../service/receive.ts";
import { eventStream } from "./event-stream.ts";
import { listMessages, waitForMessage } from "./inbox.ts";
import { messageOctets } from "./message-octets.ts";
import { queryNumber, readBody, readQuery } from "./request-input.ts";
import type { ControlRoute } from "./route.ts";

const isAddress = (text: string): boolean => parseAddrSpec(text) !== null;
const NO_ADDRESS = "not an address: write `user@domain`";
const sender = z
  .string()
  .refine((text) => text === "" || isAddress(text), `${NO_ADDRESS}, or nothing for a bounce`);

const message = {
  /** Its lines may end in LF. */
  message: z.string().optional(),
  messageBase64: z.base64().optional(),
};

interface SentMessage {
  readonly message?: string | undefined;
  readonly messageBase64?: string | undefined;
}

const isOne = ({ message, messageBase64 }: SentMessage): boolean =>
  (message === undefined) !== (messageBase64 === undefined);
const ONE = { error: "give either `message` or `messageBase64`", path: ["message"] };

function octetsOf({ message = "", messageBase64 }: SentMessage): Uint8Array {
  return messageBase64 === undefined
    ? messageOctets(message)
    : Buffer.from(messageBase64, "base64");
}

const INCOMING = z
  .strictObject({
    sender: sender.default(""),
    recipients: z.array(z.string().min(1)).min(1).max(LIMITS.smtpRecipientsMax),
    ...message,
  })
  .refine(isOne, ONE);

const DRY_RUN = z
  .strictObject({
    recipient: z.string().refine(isAddress, NO_ADDRESS),
    sender: sender.optional(),
    ...message,
    proposed: z
      .strictObject({
        routing_engine: z.enum(["alias", "rules"]).nullable().optional(),
        rules_fallback_email: z.string().nullable().optional(),
        aliases: z.array(z.unknown()).optional(),
        rules: z.array(z.unknown()).optional(),
      })
      .optional(),
  })
  .refine(isOne, ONE);

const FILTER = {
  destination: z.string().optional(),
  subject: z.string().optional(),
  log: z.string().optional(),
  after: z.string().optional(),
};
const LIST = z.strictObject({
  ...FILTER,
  limit: queryNumber(1, LIMITS.receivedShownMax).optional(),
});
const WAIT = z.strictObject({ ...FILTER, timeoutMs: queryNumber(0, LIMITS.waitMsMax).optional() });
const EVENTS = z.strictObject({ after: queryNumber(0, Number.MAX_SAFE_INTEGER).optional() });
const REQUESTS = z.strictObject({ limit: queryNumber(1, LIMITS.requestsKept).optional() });

const FILTER_NAMES = ["destination?", "subject?", "log?", "after?"] as const;
const WAIT_MS = 5_000;

export const MAIL_ROUTES: readonly ControlRoute[] = [
  {
    method: "POST",
    path: "/messages",
    summary: "hands in a message as its MX would take it; answers each recipient",
    takes: ["recipients", "sender?", "message | messageBase64"],
    async answer({ parts: { service } }, request) {
      const { sender, recipients, ...sent } = await readBody(request, INCOMING);
      const envelope = { sender, recipients };
      return { answers: await receive(service, { envelope, message: octetsOf(sent) }) };
    },
  },
  {
    method: "GET",
    path: "/messages",
    summary: "what mailboxes and webhooks received, the earliest first",
    takes: [...FILTER_NAMES, "limit?"],
    async answer({ parts: { service } }, request) {
      const { limit = LIMITS.receivedShownMax, ...filter } = readQuery(request, LIST);
      return { messages: await listMessages(service.store, filter, limit) };
    },
  },
  {
    method: "GET",
    path: "/messages/wait",
    summary: "the first message that fits, once it is there; 404 when time is up",
    takes: [...FILTER_NAMES, "timeoutMs?"],
    async answer({ parts: { service, feed }, over }, request) {
      const { timeoutMs = WAIT_MS, ...filter } = readQuery(request, WAIT);
      const signal = AbortSignal.any([request.signal, over]);
      const found = await waitForMessage(service.store, feed, filter, { timeoutMs, signal });
      if (found !== null) return { message: found };
      throw new ServiceProblem(404, `no such message arrived within ${timeoutMs} ms`);
    },
  },
  {
    method: "POST",
    path: "/dry-run",
    summary:
      "what would become of a message, on the domain or on proposed aliases and rules; changes nothing",
    takes: ["recipient", "sender?", "message | messageBase64", "proposed?"],
    async answer({ control }, request) {
      const { recipient, sender, proposed, ...sent } = await readBody(request, DRY_RUN);
      return control.dryRun({ recipient, sender, proposed, message: octetsOf(sent) });
    },
  },
  {
    method: "GET",
    path: "/events",
    summary: "an event stream of what happens; resumes after Last-Event-ID",
    takes: ["after?"],
    async answer({ parts: { feed }, over }, request) {
      const { after } = readQuery(request, EVENTS);
      const resumed = /^\d{1,15}$/.exec(request.headers.get("last-event-id") ?? "")?.[0];
      const from = resumed === undefined ? (after ?? feed.lastId) : Number(resumed);
      return eventStream((signal) => feed.after(from, signal), [request.signal, over]);
    },
  },
  {
    method: "GET",
    path: "/requests",
    summary: "the last requests to the API with their answers, the earliest first",
    takes: ["limit?"],
    async answer({ parts: { requests } }, request) {
      const { limit = LIMITS.requestsKept } = readQuery(request, REQUESTS);
      return { requests: requests.last(limit) };
    },
  },
];
