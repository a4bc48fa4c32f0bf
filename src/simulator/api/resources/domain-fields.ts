/**
 * The fields of a domain that clients can set, in both versions: those in the API texts, and extensions for fields that the
 * texts only show.
 */
import { z } from "zod";

const mailbox = z.string().nullable().optional();
const flag = z.boolean().optional();

const STATED = {
  notification_email: mailbox.meta({ description: "where notifications go, or null" }),
  whitelabel: z
    .string()
    .nullable()
    .optional()
    .meta({ description: "parent domain shown in DNS settings, or null" }),
};

const EXTENSIONS = {
  routing_engine: z
    .enum(["alias", "rules"])
    .nullable()
    .optional()
    .meta({ description: "extension: what routes mail; null disables routing" }),
  rules_fallback_email: mailbox.meta({
    description: "extension: where mail goes that no rule takes; null discards it",
  }),
  notify_when_spam_blocked: flag.meta({
    description: "extension: whether to report blocked spam",
  }),
  strict_mxes: flag.meta({ description: "extension: whether MX records of other hosts are wrong" }),
};

export const DOMAIN_CHANGES: z.ZodObject = z.object({ ...STATED, ...EXTENSIONS });

export const NEW_DOMAIN: z.ZodObject = z.object({
  domain: z.string().meta({ description: "name of the domain" }),
  ...STATED,
  ...EXTENSIONS,
});

export const WEBHOOK: z.ZodType = z
  .string()
  .nullable()
  .optional()
  .meta({ description: "URL to which events of the domain are POSTed, or null" });
