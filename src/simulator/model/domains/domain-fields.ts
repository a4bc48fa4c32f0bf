/** Checks the fields of a domain that clients may set (API v4 §2 Domain, v3 §2 Domain). */
import { LIMITS } from "../../../base/limits.ts";
import { isDomainName, parseAddrSpec, parseUrl } from "../../../engine/facts/address.ts";
import { refuseFields } from "../problem.ts";
import type { DomainRow } from "../records.ts";
import { routingErrors } from "../validate.ts";

/** Values as clients send them; absent fields (`undefined`) stay unchanged, and an empty text means null. */
// ASSUMPTION(domain-settings): the fields of a domain that the API shows without saying how they are set can be set by an update
export interface DomainChanges {
  /** A mailbox or null. */
  readonly notification_email?: unknown;
  /** A domain name or null. */
  readonly whitelabel?: unknown;
  /** An http(s) URL or null. */
  readonly webhook?: unknown;
  /** `alias`, `rules` or null. */
  readonly routing_engine?: unknown;
  /** A mailbox elsewhere or null. */
  readonly rules_fallback_email?: unknown;
  readonly notify_when_spam_blocked?: unknown;
  readonly strict_mxes?: unknown;
}

type Settable = Pick<
  DomainRow,
  | "notificationEmail"
  | "whitelabel"
  | "webhook"
  | "routingEngine"
  | "rulesFallbackEmail"
  | "notifyWhenSpamBlocked"
  | "strictMxes"
>;

/** Why a field may not have this value; `null` if it may. */
type Check = (value: unknown) => string | null;

const shown = (value: unknown): string =>
  typeof value === "string"
    ? `\`${value.length > 80 ? `${value.slice(0, 80)}…` : value}\``
    : "this";

const checkMailbox: Check = (value) =>
  value === null || (typeof value === "string" && parseAddrSpec(value) !== null)
    ? null
    : `${shown(value)} is not a mailbox: write \`user@domain\` or null`;

// ASSUMPTION(whitelabel-any): any domain name can be a domain's whitelabel, whether or not the account lists it
const checkWhitelabel: Check = (value) =>
  value === null || (typeof value === "string" && isDomainName(value))
    ? null
    : `${shown(value)} is not a domain name: write \`brand.example\` or null`;

const checkWebhook: Check = (value) => {
  if (value === null) return null;
  const readable =
    typeof value === "string" &&
    value.length <= LIMITS.webhookUnitsMax &&
    /^https?:\/\/[^/?#\s]\S*$/i.test(value) &&
    parseUrl(value) !== null;
  if (readable) return null;
  return `${shown(value)} is not a URL of at most ${LIMITS.webhookUnitsMax} characters: write \`https://host/path\` or null`;
};

const checkFlag: Check = (value) =>
  typeof value === "boolean" ? null : `${shown(value)} is not a flag: give true or false`;

/** Fields in which an empty text means null, because provisioning tools always send all of them. */
const OPTIONAL_TEXTS: ReadonlySet<string> = new Set([
  "notification_email",
  "whitelabel",
  "webhook",
  "rules_fallback_email",
]);

/** The engine checks the two routing fields together with the name. */
const checkedByEngine: Check = () => null;

const FIELDS: Readonly<
  Record<keyof DomainChanges, { readonly column: keyof Settable; readonly check: Check }>
> = {
  notification_email: { column: "notificationEmail", check: checkMailbox },
  whitelabel: { column: "whitelabel", check: checkWhitelabel },
  webhook: { column: "webhook", check: checkWebhook },
  routing_engine: { column: "routingEngine", check: checkedByEngine },
  rules_fallback_email: { column: "rulesFallbackEmail", check: checkedByEngine },
  notify_when_spam_blocked: { column: "notifyWhenSpamBlocked", check: checkFlag },
  strict_mxes: { column: "strictMxes", check: checkFlag },
};

/** `row` with the changes; throws 400 with the errors of all fields. */
export function withChanges(row: DomainRow, changes: DomainChanges): DomainRow {
  const refused: Record<string, readonly string[]> = {};
  const columns: Record<string, unknown> = {};
  for (const [name, { column, check }] of Object.entries(FIELDS)) {
    const sent = changes[name as keyof DomainChanges];
    if (sent === undefined) continue;
    const value = sent === "" && OPTIONAL_TEXTS.has(name) ? null : sent;
    const message = check(value);
    if (message === null) columns[column] = value;
    else refused[name] = [message];
  }
  const changed: DomainRow = { ...row, ...columns };
  const routing = routingErrors({
    domain: changed.domain,
    routing_engine: changed.routingEngine,
    rules_fallback_email: changed.rulesFallbackEmail,
  });
  refuseFields({ ...refused, ...routing });
  return changed;
}
