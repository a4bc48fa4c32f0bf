/** Adds a domain to the account (API v4 §4 Domains; its default alias: v3 §2). */
import { canonicalDomain, isDomainName, splitAddress } from "../../../engine/facts/address.ts";
import { accountRow, roomFor } from "../account.ts";
import { change } from "../change.ts";
import { fieldProblem } from "../problem.ts";
import { DOMAINS, type DomainRow } from "../records.ts";
import { addAlias } from "../routing/aliases.ts";
import type { Service } from "../service.ts";
import { type DomainChanges, withChanges } from "./domain-fields.ts";

export interface DomainInput extends DomainChanges {
  readonly domain?: unknown;
}

/** Adds a domain without aliases; call it inside a transaction. */
export async function addDomain(service: Service, input: DomainInput): Promise<DomainRow> {
  const account = await accountRow(service);
  const nowMs = service.clock.nowMs();
  const name = readName(input.domain);
  if ((await service.store.table(DOMAINS).get(name)) !== undefined) {
    throw fieldProblem({ domain: [`\`${name}\` is already in the account: update it instead`] });
  }
  const created: DomainRow = {
    domain: name,
    createdMs: nowMs,
    updatedMs: nowMs,
    // ASSUMPTION(notifications): none is sent: the texts say neither when nor what, and nothing here blocks spam
    notificationEmail: account.email,
    notifyWhenSpamBlocked: false,
    // ASSUMPTION(new-domain-engine): a new domain routes by aliases
    routingEngine: "alias",
    rulesFallbackEmail: null,
    strictMxes: false,
    banned: false,
    whitelabel: null,
    webhook: null,
    dkimSelector: "dkim",
    // ASSUMPTION(new-domain-ready): a new domain is not ready to forward or send before it has been verified
    forwardingReady: false,
    sendReady: false,
  };
  const row = withChanges(created, input);
  (await roomFor(service, "domains")).take();
  await service.store.table(DOMAINS).insert(row);
  return row;
}

function readName(domain: unknown): string {
  if (domain === undefined) {
    throw fieldProblem({ domain: ["`domain` is missing: give a name such as `example.com`"] });
  }
  if (typeof domain === "string" && isDomainName(domain)) return canonicalDomain(domain);
  const shown = typeof domain === "string" ? `\`${domain.slice(0, 80)}\`` : "this";
  throw fieldProblem({ domain: [`${shown} is not a domain name: write it as \`example.com\``] });
}

/** The alias that API v3 §2 says a new domain has; call it inside a transaction. */
// ASSUMPTION(default-alias): it forwards to the account's email; a domain that holds that very mailbox gets none
export async function addDefaultAlias(service: Service, row: DomainRow): Promise<void> {
  const { email } = await accountRow(service);
  if (canonicalDomain(splitAddress(email).domain) === row.domain) return;
  const room = await roomFor(service, "aliases");
  await addAlias(service, row, { alias: "*", forward: email }, room);
}

export function createDomain(service: Service, input: DomainInput): Promise<DomainRow> {
  const name = typeof input.domain === "string" ? canonicalDomain(input.domain) : "";
  return change(service, name, "domain", async () => {
    const row = await addDomain(service, input);
    await addDefaultAlias(service, row);
    return row;
  });
}
