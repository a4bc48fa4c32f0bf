/** Endpoints of mail on its way: handing it in, trying rules, and watching. */
import { z } from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { parseAddrSpec } from "../../../engine/facts/address.ts";
import { ok } from "../../api/route.ts";
import { receive } from "../../receive/receive.ts";
import { eventStream } from "../event-stream.ts";
import { messageOctets } from "../message-octets.ts";
import { type ControlRoute, controlRoute } from "./route.ts";

const isAddress = (text: string): boolean => parseAddrSpec(text) !== null;
const NO_ADDRESS = "not an address, write `user@domain`";
const sender = z
  .string()
  .refine((text) => text === "" || isAddress(text), `${NO_ADDRESS}, or nothing for a bounce`)
  .default("");

const message = {
  message: z.string().optional().meta({ description: "its lines may end in LF" }),
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
  .object({
    sender,
    recipients: z
      .array(z.string().refine(isAddress, NO_ADDRESS))
      .min(1)
      .max(LIMITS.smtpRecipientsMax)
      .meta({ description: "addresses, one at least" }),
    ...message,
  })
  .refine(isOne, ONE);

const PROPOSED = z
  .strictObject({
    routing_engine: z.enum(["alias", "rules"]).nullable().optional(),
    rules_fallback_email: z.string().nullable().optional(),
    aliases: z.array(z.unknown()).optional(),
    rules: z.array(z.unknown()).optional(),
  })
  .optional()
  .meta({ description: "takes the place of the domain's own" });

const DRY_RUN = z
  .object({
    recipient: z.string().refine(isAddress, NO_ADDRESS),
    sender,
    ...message,
    proposed: PROPOSED,
  })
  .refine(isOne, ONE);

const anything = z.looseObject({});

export const MAIL_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    method: "POST",
    path: "/messages",
    summary: "hands in a message as an SMTP client would; answers for each recipient",
    body: INCOMING,
    answers: { 200: z.strictObject({ answers: z.array(anything) }) },
    bodyBytesMax: LIMITS.controlBodyBytesMax,
    async handle({ parts: { service } }, { body }) {
      const { sender: from, recipients, ...sent } = body;
      const envelope = { sender: from, recipients };
      return ok({ answers: await receive(service, { envelope, message: octetsOf(sent) }) });
    },
  }),
  controlRoute({
    method: "POST",
    path: "/dry-run",
    summary:
      "where a message would go, with the domain's or with proposed aliases and rules; changes nothing",
    body: DRY_RUN,
    answers: { 200: anything },
    bodyBytesMax: LIMITS.controlBodyBytesMax,
    async handle({ control }, { body }) {
      const { recipient, sender: from, proposed, ...sent } = body;
      const asked = { recipient, sender: from, proposed, message: octetsOf(sent) };
      return ok(await control.dryRun(asked));
    },
  }),
  controlRoute({
    method: "GET",
    path: "/events",
    summary:
      "an event stream of what happens; resumes after Last-Event-ID, or begins with `missed` and all that is kept if it is unknown",
    query: z.object({ after: z.int().min(0).optional() }),
    answers: { 200: z.string() },
    media: "text/event-stream",
    async handle({ parts: { feed }, over }, { query: { after }, request }) {
      const seen = request.headers.get("last-event-id") ?? "";
      // ASSUMPTION(unknown-event-id): any id that was not given out is one of an earlier process, whose events were missed
      const resumed = /^\d{1,15}$/.test(seen) ? Number(seen) : Number.POSITIVE_INFINITY;
      const from = seen === "" ? (after ?? feed.lastId) : resumed;
      return eventStream((signal) => feed.after(from, signal), [request.signal, over]);
    },
  }),
  controlRoute({
    method: "GET",
    path: "/requests",
    summary: "the last requests to the API with their answers, the earliest first",
    query: z.object({
      limit: z.int().min(1).max(LIMITS.requestsKept).default(LIMITS.requestsKept),
    }),
    answers: { 200: z.strictObject({ requests: z.array(anything) }) },
    async handle({ parts: { requests } }, { query }) {
      return ok({ requests: requests.last(query.limit) });
    },
  }),
];
