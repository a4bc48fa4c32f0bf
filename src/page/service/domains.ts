/** The account's domains: the chosen one, its rules in the playground, its aliases and its DNS records. */
import { batch, effect, signal, untracked } from "@preact/signals";
import { IN_BROWSER } from "../kept-tests.ts";
import type { DomainDraft } from "../model/domain.ts";
import { createOrder } from "../model/newest.ts";
import { history, keeper, mergeDomain } from "../state.ts";
import { attempt, call, isSignedIn, load } from "./client.ts";
import type { DnsRecords } from "./model/dns-records.ts";
import { savePlan } from "./model/save-plan.ts";

export interface ServiceDomain {
  readonly domain: string;
  readonly forwarding_ready: boolean;
  readonly send_ready: boolean;
  readonly routing_engine: "alias" | "rules" | null;
  readonly rules_fallback_email: string | null;
}

export interface ServiceAlias {
  readonly id: string;
  readonly alias: string;
  readonly forward: string;
}

/** Entries of one page of the API. */
const PAGE_ROWS = 200;

export const domains = signal<readonly ServiceDomain[] | null>(null);
export const domainName = signal<string | null>(null);
export const aliases = signal<readonly ServiceAlias[]>([]);
export const records = signal<DnsRecords | null>(null);

export function pathOf(rest: string = ""): string {
  return `/v4/domains/${encodeURIComponent(domainName.value ?? "")}${rest}`;
}

/** Every page of a list. */
async function listAll<Row>(path: string, field: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const query = `${path.includes("?") ? "&" : "?"}limit=${PAGE_ROWS}&page=${page}`;
    const answer = await call<Record<string, readonly Row[]>>("GET", path + query);
    const more = answer[field] ?? [];
    rows.push(...more);
    if (more.length < PAGE_ROWS) return rows;
  }
}

const domainsOrder = createOrder();
const domainOrder = createOrder();

export async function loadDomains(): Promise<void> {
  const isNewest = domainsOrder();
  const found = await listAll<ServiceDomain>("/v4/domains", "domains");
  if (!isNewest()) return;
  batch(() => {
    domains.value = found;
    const isThere = found.some(({ domain }) => domain === domainName.value);
    if (!isThere) domainName.value = found[0]?.domain ?? null;
  });
}

/** The chosen domain with its rules and aliases, as a domain file has them; edits that are not saved stay. */
export async function loadDomain(): Promise<void> {
  const chosen = domainName.value;
  if (chosen === null) return;
  const isNewest = domainOrder();
  const [{ domain }, rules, found] = await Promise.all([
    call<{ domain: ServiceDomain }>("GET", pathOf()),
    listAll<Readonly<Record<string, unknown>>>(pathOf("/rules?order=rank_asc"), "rules"),
    listAll<ServiceAlias>(pathOf("/aliases"), "aliases"),
  ]);
  if (chosen !== domainName.value || !isNewest()) return;
  const { domain: name, routing_engine, rules_fallback_email } = domain;
  aliases.value = found;
  mergeDomain({
    domain: name,
    routing_engine,
    rules_fallback_email,
    aliases: found.map(({ alias, forward }) => ({ alias, forward })),
    rules: rules.map(({ id, type, rank, active, config }) => ({ id, type, rank, active, config })),
  });
}

/** Loads what somebody else changed. */
export async function refreshDomain(): Promise<void> {
  if (!isSignedIn.value) return;
  await load(async () => {
    await loadDomains();
    await loadDomain();
  });
}

async function saveLive(_file: string, edited: DomainDraft): Promise<void> {
  for (const { method, path, body } of savePlan(history.value.saved, edited)) {
    const { failed = [] } = await call<{ failed?: readonly { message: string }[] }>(
      method,
      path,
      body,
    );
    if (failed[0] !== undefined) throw new Error(failed[0].message);
  }
}

/** What the service itself would do with a message, with the edited rules. */
export interface DryRunAnswer {
  readonly action: string;
  readonly destinations: readonly (
    | { readonly kind: "mailbox"; readonly address: string }
    | { readonly kind: "webhook"; readonly url: string }
  )[];
  readonly decidedBy: { readonly id: string } | null;
  readonly reason: string;
}

export function dryRun(
  edited: DomainDraft,
  sent: { readonly recipient: string; readonly sender: string; readonly message: string },
): Promise<DryRunAnswer> {
  const { routing_engine, rules_fallback_email, rules } = edited;
  const proposed = { routing_engine, rules_fallback_email, rules };
  return call("POST", "/_sim/dry-run", { ...sent, proposed });
}

export async function checkRecords(): Promise<void> {
  await attempt(async () => {
    const chosen = domainName.value;
    const found = await call<{ records: DnsRecords }>("POST", pathOf("/verify"));
    if (chosen === domainName.value) records.value = found.records;
    await loadDomains();
  });
}

/** Changes the chosen domain, then reads it again. */
export async function changeDomain(
  method: "POST" | "PUT" | "DELETE",
  path: string,
  body?: unknown,
): Promise<boolean> {
  return attempt(async () => {
    await call(method, path, body);
    await loadDomains();
    await loadDomain();
  });
}

/** Loads the chosen domain once there is a key, and saves its edits through the API. */
export function watchDomain(): void {
  effect(() => {
    if (isSignedIn.value) void untracked(() => load(loadDomains));
  });
  effect(() => {
    if (domainName.value === null) return;
    keeper.value = { kind: "service", saveDomain: saveLive, ...IN_BROWSER };
    records.value = null;
    void untracked(() => load(loadDomain));
  });
}
