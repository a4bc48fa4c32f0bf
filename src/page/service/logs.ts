/** The logs' state: the entries of the current domain, the one that is open, and its message. */
import { batch, effect, signal, untracked } from "@preact/signals";
import type { Decided } from "../model/decide.ts";
import { decide } from "../model/decide.ts";
import { type Mail, readMessage, typedMail } from "../model/mail.ts";
import { createOrder } from "../model/newest.ts";
import { addMails, compiledSaved, mailIndex, mails } from "../state.ts";
import { ask, attempt, call, isSignedIn, load } from "./client.ts";
import { domainName, pathOf } from "./domains.ts";
import type { MessagePage, MessageSummary } from "./model/arrivals.ts";
import type { LogEntry } from "./model/log-story.ts";
import { go, place } from "./navigation.ts";

const PAGE_ROWS = 200;

export const entries = signal<readonly LogEntry[] | null>(null);
const cursor = signal<string | null>(null);
export const logSearch = signal("");
export const logStatus = signal("");
export const entry = signal<LogEntry | null>(null);
/** Messages that arrived for the open entry, the last attempt last. */
export const arrived = signal<readonly MessageSummary[]>([]);
/** The message of the open entry: as it was received, or else what the log has of it. */
export const logMail = signal<Mail | null>(null);

function listPath(after: string | null): string {
  const query = new URLSearchParams({ limit: String(PAGE_ROWS) });
  if (logStatus.value !== "") query.set("status", logStatus.value);
  if (logSearch.value !== "") {
    query.set("query", logSearch.value);
    return pathOf(`/logs/search?${query}`);
  }
  if (after !== null) query.set("cursor", after);
  return pathOf(`/logs?${query}`);
}

let asked = 0;

export async function loadLogs(): Promise<void> {
  if (domainName.value === null || !isSignedIn.value) return;
  const mine = ++asked;
  await load(async () => {
    const answer = await call<{ logs: readonly LogEntry[]; next_cursor?: string | null }>(
      "GET",
      listPath(null),
    );
    if (mine !== asked) return;
    batch(() => {
      entries.value = answer.logs;
      cursor.value = answer.next_cursor ?? null;
    });
  });
}

let loading = false;
const entryOrder = createOrder();

export async function loadOlderLogs(): Promise<void> {
  if (cursor.value === null || loading) return;
  loading = true;
  const mine = asked;
  await load(async () => {
    const { logs, next_cursor } = await call<{ logs: LogEntry[]; next_cursor: string | null }>(
      "GET",
      listPath(cursor.value),
    );
    if (mine !== asked) return;
    const known = new Set(entries.value?.map(({ id }) => id));
    entries.value = [...(entries.value ?? []), ...logs.filter(({ id }) => !known.has(id))];
    cursor.value = next_cursor;
  });
  loading = false;
}

async function mailOf(found: LogEntry, summary: MessageSummary | undefined): Promise<Mail> {
  const domain = domainName.value ?? "";
  if (summary?.kind === "mailbox") {
    const octets = await (await ask("GET", `/_sim/messages/${summary.id}/eml`)).arrayBuffer();
    const [read] = readMessage(new Uint8Array(octets), found.subject || found.id, domain);
    if (read !== undefined) return { ...read, recipient: found.recipient.email };
  }
  const { sender, recipient, subject } = found;
  const known = { sender: sender.email, recipient: recipient.email, subject };
  return { ...typedMail(domain), ...known, name: subject || found.id };
}

async function openEntry(id: string): Promise<void> {
  const isNewest = entryOrder();
  const found = await call<LogEntry>("GET", pathOf(`/logs/${id}`));
  const { messages } = await call<MessagePage>("GET", `/_sim/messages?log=${id}`);
  const mail = await mailOf(found, messages.at(-1));
  if (place.value.id !== id || !isNewest()) return;
  batch(() => {
    entry.value = found;
    arrived.value = messages;
    logMail.value = mail;
  });
}

/** How the saved rules decide the open entry's message; `null` without a message or without rules. */
export function decideNow(): Decided | null {
  const { domain } = compiledSaved.value;
  return domain === null || logMail.value === null ? null : decide(domain, logMail.value);
}

/** Opens a message in the playground. */
export function tryInRules(mail: Mail): void {
  const at = mails.value.findIndex(
    ({ name, recipient }) => name === mail.name && recipient === mail.recipient,
  );
  if (at >= 0) mailIndex.value = at;
  else addMails([mail]);
  go("rules");
}

/** A message of the inbox, with the recipient it was received for. */
async function receivedMail(summary: MessageSummary): Promise<Mail> {
  const octets = await (await ask("GET", `/_sim/messages/${summary.id}/eml`)).arrayBuffer();
  const name = summary.subject || summary.id;
  const [read] = readMessage(new Uint8Array(octets), name, summary.domain);
  if (!isSignedIn.value || summary.domain !== domainName.value) return read!;
  const log = await call<LogEntry>("GET", pathOf(`/logs/${summary.logId}`)).catch(() => null);
  return { ...read!, recipient: log?.recipient.email ?? read!.recipient };
}

/** Opens a message of the inbox in the playground. */
export async function openInRules(summary: MessageSummary): Promise<void> {
  await attempt(async () => {
    domainName.value = summary.domain;
    tryInRules(await receivedMail(summary));
  });
}

/** Most messages of the inbox on which edits are compared. */
const COMPARED_MAX = 500;

/** Loads the domain's latest mail into the playground, each message with its recipient. */
export async function addInbox(): Promise<void> {
  await attempt(async () => {
    const query = `order=newest&limit=${COMPARED_MAX}&domain=${domainName.value}`;
    const { messages } = await call<MessagePage>("GET", `/_sim/messages?${query}`);
    const read: Mail[] = [];
    for (const summary of messages) {
      if (summary.kind === "mailbox") read.push(await receivedMail(summary));
    }
    addMails(read);
  });
}

export async function refreshLogs(): Promise<void> {
  await loadLogs();
  const { view, id } = place.value;
  if (view === "logs" && id !== null) await load(() => openEntry(id));
}

/** Starts watching the domain, the filter and the address. */
export function watchLogs(): void {
  effect(() => {
    void [domainName.value, isSignedIn.value, logSearch.value, logStatus.value];
    void untracked(loadLogs);
  });
  effect(() => {
    const { view, id } = place.value;
    if (view !== "logs" || domainName.value === null) return;
    if (id === null) entry.value = null;
    else void untracked(() => load(() => openEntry(id)));
  });
}
