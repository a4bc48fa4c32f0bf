/** The records of the service and their tables. Times are milliseconds since the epoch; presenters shape them per API version. */
import type { HeldContent } from "../store/held-content.ts";
import type { TableSchema } from "../store/store.ts";
import type { ShownHeader } from "./shown-header.ts";

export interface Plan {
  readonly name: string;
  readonly kind: "free" | "premium" | "enterprise";
  readonly price: number;
  readonly billing_cycle: "monthly" | "yearly";
  readonly domains_limit: number;
  readonly aliases_limit: number;
  readonly rules_limit: number;
  readonly daily_receive_limit: number;
  readonly daily_send_limit: number;
  /** 0: not limited by the month. */
  readonly monthly_receive_limit: number;
  readonly monthly_send_limit: number;
}

export interface AccountRow {
  readonly [name: string]: unknown;
  readonly id: "account";
  readonly email: string;
  readonly name: string;
  readonly address: string;
  readonly country: string;
  readonly billingEmail: string | null;
  readonly companyName: string;
  readonly companyDetails: string;
  readonly companyVat: string | null;
  readonly cardBrand: string;
  readonly last4: string;
  readonly createdMs: number;
  readonly renewsMs: number;
  readonly cancelsMs: number | null;
  readonly logRetentionDays: number;
  readonly lockReason: string | null;
  readonly privacyLevel: number;
  readonly plan: Plan;
  /** Brands that a domain may have as its `whitelabel`. */
  readonly whitelabels: readonly string[];
}

export interface DomainRow {
  readonly [name: string]: unknown;
  /** Lower case, A-labels. */
  readonly domain: string;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly notificationEmail: string | null;
  readonly notifyWhenSpamBlocked: boolean;
  readonly routingEngine: "alias" | "rules" | null;
  readonly rulesFallbackEmail: string | null;
  readonly strictMxes: boolean;
  readonly banned: boolean;
  readonly whitelabel: string | null;
  /** Where events of the domain are POSTed (API v3). */
  readonly webhook: string | null;
  readonly dkimSelector: string;
  readonly forwardingReady: boolean;
  readonly sendReady: boolean;
}

export interface AliasRow {
  readonly [name: string]: unknown;
  /** Decimal digits: API v3 shows it as an integer, v4 as a string. */
  readonly id: string;
  readonly domain: string;
  /** As sent. */
  readonly alias: string;
  /** The alias for comparison: in lower case, unless it is a pattern. */
  readonly name: string;
  readonly forward: string;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface RuleRow {
  readonly [name: string]: unknown;
  /** `<domain>/<id>`: clients choose ids, so they are unique within a domain only. */
  readonly key: string;
  readonly id: string;
  readonly domain: string;
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** The texts of `config`, for substring filters. */
  readonly configText: string;
  readonly rank: number;
  readonly active: boolean;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface CredentialRow {
  readonly [name: string]: unknown;
  /** `<domain>/<username>`. */
  readonly key: string;
  readonly domain: string;
  readonly username: string;
  /** scrypt, with its salt: `<salt hex>:<hash hex>`. */
  readonly passwordHash: string;
  readonly usage: number;
  readonly createdMs: number;
}

export interface TemplateRow {
  readonly [name: string]: unknown;
  /** `<domain>/<name>`. */
  readonly key: string;
  readonly domain: string;
  readonly name: string;
  readonly description: string;
  readonly subject: string;
  readonly htmlBody: string;
  readonly textBody: string;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export const LOG_STATUSES = [
  "QUEUED",
  "REFUSED",
  "DELIVERED",
  "SOFT-BOUNCE",
  "HARD-BOUNCE",
  "BOUNCED",
] as const;
export type LogStatus = (typeof LOG_STATUSES)[number];

export interface LogEvent {
  /** `<log id>-0`, `-1`, … */
  readonly id: string;
  /** SMTP code; a webhook's HTTP status becomes 250 (2xx), 450 (tried again) or 550. */
  readonly code: number;
  readonly createdMs: number;
  /** The service's own host. */
  readonly local: string;
  readonly message: string;
  /** The host that answered. */
  readonly server: string;
  readonly status: LogStatus;
}

export interface Party {
  readonly email: string;
  readonly name: string | null;
}

export type Transport = "mx" | "smtp" | "api";

/** One envelope recipient and one destination. */
// ASSUMPTION(log-per-destination): a recipient with several destinations has a log entry for each, for an entry has one `forward`
export interface LogRow {
  readonly [name: string]: unknown;
  /** Grows with time: later entries have greater ids. */
  readonly id: string;
  readonly domain: string;
  readonly createdMs: number;
  readonly hostname: string;
  readonly messageId: string;
  readonly sender: Party;
  readonly recipient: Party;
  /** `null` if refused, discarded, or sent by the domain itself. */
  readonly forward: Party | null;
  readonly subject: string;
  readonly transport: Transport;
  readonly events: readonly LogEvent[];
  /** The distinct statuses of `events`. */
  readonly statuses: readonly LogStatus[];
  /** In canonical form, for exact and substring filters. */
  readonly senderEmail: string;
  readonly recipientEmail: string;
  readonly forwardEmail: string | null;
  /** For API v3's logs by alias: the local part of a recipient at the domain, in lower case; `""` of others. */
  readonly recipientLocal: string;
}

/** A message on its way to one destination; deleted when its final event is logged. */
export interface DeliveryRow {
  readonly [name: string]: unknown;
  /** The log entry's id. */
  readonly id: string;
  readonly domain: string;
  readonly contentId: string;
  /** The mailbox or URL. */
  readonly destination: string;
  readonly kind: "mailbox" | "webhook";
  /** The reverse-path to send with (rewritten for forwards), `""` for bounces. */
  readonly envelopeSender: string;
  /** The reverse-path with which it arrived; `""` for bounces. */
  readonly originalSender: string;
  /** The recipient for whom the message arrived. */
  readonly originalRecipient: string;
  /** Octets of the message. */
  readonly bytes: number;
  /** Attempts made. */
  readonly attempts: number;
  readonly nextMs: number;
  /** The process that has begun the next attempt and not stored its outcome yet; default `null`: none, or not recorded. */
  readonly startedBy?: number | null;
}

/** The bytes of an accepted message, shared by its deliveries. */
export interface ContentRow {
  readonly [name: string]: unknown;
  readonly id: string;
  /** Base64 of the message as received, without the added fields. */
  readonly base64: string;
  /** The Received field of its arrival with its line break; `""` if the service wrote the message. */
  readonly trace: string;
  /** Deliveries that still need it. */
  readonly uses: number;
  /** Read when the message arrived; absent: the delivered message has to be read. */
  readonly shown?: ShownHeader | undefined;
}

/** A message that a mailbox of the simulated internet or a webhook received. */
export interface ReceivedRow {
  readonly [name: string]: unknown;
  readonly id: string;
  /** The log entry's id, or an event's (`<log id>-0`) where that was POSTed. */
  readonly logId: string;
  readonly attempt: number;
  readonly destination: string;
  /** As the forward has it, where that is not the canonical `destination` by which messages are looked up. */
  readonly writtenDestination?: string | undefined;
  readonly receivedMs: number;
  readonly envelopeSender: string;
  readonly subject: string;
  readonly kind: "mailbox" | "webhook" | "event";
  /** The account's domain that received it. */
  readonly domain: string;
  /** The decoded From and To fields; `""` if there is none. */
  readonly fromText: string;
  readonly toText: string;
  /** Octets of its content. */
  readonly bytes: number;
  readonly read: boolean;
  readonly tags: readonly string[];
}

/** The octets received (a webhook's: its JSON), stored apart from the row, under its id, because lists do not need them. */
export interface ReceivedContentRow extends HeldContent {
  readonly [name: string]: unknown;
  readonly id: string;
}

/** A destination host that recently did not answer; deleted once it answers. */
export interface HostRow {
  readonly [name: string]: unknown;
  /** `https://hooks.example`, or the domain of mailboxes, or a relay. */
  readonly host: string;
  /** Attempts in a row without an answer. */
  readonly failures: number;
  /** No delivery is tried before this time; `null` if its circuit is closed. */
  readonly openUntilMs: number | null;
  /** The last error. */
  readonly reason: string;
}

/** Totals of state that only grows, one row each; updated in the transactions that they count. */
export interface KeptRow {
  readonly [name: string]: unknown;
  readonly key: "received";
  readonly count: number;
  readonly bytes: number;
}

/** Mail counted against the plan, per day and month. */
export interface UsageRow {
  readonly [name: string]: unknown;
  /** `receive/2026-01-31`, `send/2026-01`, … */
  readonly key: string;
  readonly count: number;
}

export const ACCOUNTS: TableSchema<AccountRow> = {
  name: "account",
  key: "id",
  columns: {},
  indexes: [],
};
export const DOMAINS: TableSchema<DomainRow> = {
  name: "domain",
  key: "domain",
  columns: {
    createdMs: "number",
    routingEngine: "text",
    forwardingReady: "boolean",
    sendReady: "boolean",
    whitelabel: "text",
  },
  indexes: [["domain"], ["createdMs"]],
  text: ["domain"],
};
export const ALIASES: TableSchema<AliasRow> = {
  name: "alias",
  key: "id",
  columns: { domain: "text", alias: "text", name: "text", forward: "text", createdMs: "number" },
  indexes: [
    ["domain", "name"],
    ["domain", "createdMs"],
  ],
  text: ["alias", "forward"],
};
export const RULES: TableSchema<RuleRow> = {
  name: "rule",
  key: "key",
  columns: {
    domain: "text",
    rank: "number",
    createdMs: "number",
    type: "text",
    configText: "text",
  },
  indexes: [
    ["domain", "rank"],
    ["domain", "createdMs"],
  ],
  text: ["type", "configText"],
};
export const CREDENTIALS: TableSchema<CredentialRow> = {
  name: "credential",
  key: "key",
  columns: { domain: "text", username: "text" },
  indexes: [["domain", "username"]],
};
export const TEMPLATES: TableSchema<TemplateRow> = {
  name: "template",
  key: "key",
  columns: { domain: "text", name: "text" },
  indexes: [["domain", "name"]],
};
export const LOGS: TableSchema<LogRow> = {
  name: "log",
  key: "id",
  keys: "fresh",
  columns: {
    domain: "text",
    createdMs: "number",
    recipientLocal: "text",
    transport: "text",
    statuses: "texts",
    subject: "text",
    senderEmail: "text",
    recipientEmail: "text",
    forwardEmail: "text",
  },
  indexes: [["domain", "createdMs"], ["domain", "recipientLocal", "createdMs"], ["id"]],
  text: ["subject", "senderEmail", "recipientEmail", "forwardEmail"],
  partition: { by: "month", time: "createdMs" },
};
export const DELIVERIES: TableSchema<DeliveryRow> = {
  name: "delivery",
  key: "id",
  keys: "fresh",
  columns: { domain: "text", nextMs: "number", startedBy: "number" },
  indexes: [["domain", "id"], ["nextMs"], ["startedBy", "id"]],
};
export const CONTENTS: TableSchema<ContentRow> = {
  name: "content",
  key: "id",
  keys: "fresh",
  columns: {},
  indexes: [],
};
export const RECEIVED: TableSchema<ReceivedRow> = {
  name: "received",
  key: "id",
  keys: "fresh",
  columns: {
    destination: "text",
    logId: "text",
    domain: "text",
    read: "boolean",
    tags: "texts",
    subject: "text",
    fromText: "text",
    toText: "text",
  },
  indexes: [["id"], ["destination", "id"], ["logId", "id"]],
  text: ["subject", "fromText", "toText"],
};
export const RECEIVED_CONTENTS: TableSchema<ReceivedContentRow> = {
  name: "receivedContent",
  key: "id",
  keys: "fresh",
  columns: {},
  indexes: [],
};
export const HOSTS: TableSchema<HostRow> = {
  name: "host",
  key: "host",
  columns: { openUntilMs: "number" },
  indexes: [["host"], ["openUntilMs"]],
};
export const KEPT: TableSchema<KeptRow> = { name: "kept", key: "key", columns: {}, indexes: [] };
export const USAGE: TableSchema<UsageRow> = { name: "usage", key: "key", columns: {}, indexes: [] };
