/** Version 4's send API (API v4 §4 Send). */
import { z } from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { sendEmail } from "../../send/send.ts";
import { toJsonSchema } from "../json-schema.ts";
import { text } from "../read/parameters.ts";
import { ok, type Route, route } from "../route.ts";

/** The operation checks each address and attachment after it has checked their number. */
const addresses = z.union([z.string(), z.array(z.unknown()).meta({ items: { type: "string" } })]);

const attachment = z.object({
  filename: z.string(),
  content: z.string().meta({ contentEncoding: "base64" }),
  content_type: text("inferred from the filename by default"),
  content_id: text("for inline images, referenced as `cid:<content_id>`"),
});

const attachments = z.array(z.unknown()).meta({
  items: toJsonSchema(attachment, "sent"),
  maxItems: LIMITS.attachmentsMax,
  description: "10 MB in all; executable extensions are blocked",
});

export const SENDING_V4: readonly Route[] = [
  route({
    method: "POST",
    path: "/domains/:domain/emails/outbound",
    summary: "Send an email (paid plans)",
    body: z.object({
      from: z.string().meta({ description: "local part of the sender's address" }),
      to: addresses,
      subject: text("required unless the template has one"),
      text: text("plain text; this or `html` is required without a template"),
      html: text("HTML; this or `text` is required without a template"),
      template: text("name of a template of the domain"),
      variables: z
        .record(z.string(), z.unknown())
        .optional()
        .meta({ description: "what the template is filled with" }),
      cc: addresses.optional(),
      bcc: addresses.optional(),
      reply_to: text("address for replies"),
      attachments: attachments.optional(),
    }),
    answers: { 200: z.strictObject({ id: z.string(), message_id: z.string() }) },
    requestsMax: LIMITS.sendRequestsMax,
    bodyBytesMax: LIMITS.sendBodyBytesMax,
    async handle(service, { params, body }) {
      const { id, messageId } = await sendEmail(service, params.domain, body);
      return ok({ id, message_id: messageId });
    },
  }),
];
