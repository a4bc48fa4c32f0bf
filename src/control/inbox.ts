/** What arrived in the mailboxes and webhooks of the simulated internet, and waiting for what has yet to arrive. */
import { LIMITS } from "../base/limits.ts";
import { RECEIVED, type ReceivedRow } from "../service/records.ts";
import type { Store } from "../store/store.ts";
import type { EventFeed, WatchedEvent } from "./event-feed.ts";

/** All that are given must fit. */
export interface MessageFilter {
  /** A mailbox or URL. */
  readonly destination?: string | undefined;
  /** Part of the subject, in any case. */
  readonly subject?: string | undefined;
  /** The log entry's id. */
  readonly log?: string | undefined;
  /** Only messages that arrived after this one, by its id. */
  readonly after?: string | undefined;
}

export interface ArrivedMessage {
  /** Grows: what arrived later has a greater one. */
  readonly id: string;
  readonly logId: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly destination: string;
  readonly receivedMs: number;
  readonly envelopeSender: string;
  readonly subject: string;
  /** As UTF-8 text; what a webhook was sent is JSON. */
  readonly text: string;
  /** The same, octet by octet. */
  readonly base64: string;
}

function shownMessage(row: ReceivedRow): ArrivedMessage {
  const { id, logId, attempt, destination, receivedMs, envelopeSender, subject, base64 } = row;
  const text = Buffer.from(base64, "base64").toString("utf8");
  return { id, logId, attempt, destination, receivedMs, envelopeSender, subject, text, base64 };
}

/** Addresses are kept in lower case; URLs as they were written. */
function keptDestination(destination: string): string {
  return destination.includes("://") ? destination : destination.toLowerCase();
}

function fits(
  row: ReceivedRow,
  { destination, subject = "", log, after = "" }: MessageFilter,
): boolean {
  return (
    row.id > after &&
    (log === undefined || row.logId === log) &&
    (destination === undefined || row.destination === keptDestination(destination)) &&
    row.subject.toLowerCase().includes(subject.toLowerCase())
  );
}

/** The rows to look at; one index serves, for few messages share a log entry. */
function servedBy({ destination, log }: MessageFilter): Partial<ReceivedRow> {
  if (log !== undefined) return { logId: log };
  return destination === undefined ? {} : { destination: keptDestination(destination) };
}

/** Rows looked at in one go. */
const ROWS_AT_ONCE = 500;

/** The earliest first. */
export async function listMessages(
  store: Store,
  filter: MessageFilter,
  limit: number,
): Promise<readonly ArrivedMessage[]> {
  const table = store.table(RECEIVED);
  const where = servedBy(filter);
  const order = { column: "id", direction: "asc" } as const;
  const found: ArrivedMessage[] = [];
  let after = filter.after ?? "";
  for (;;) {
    const from = { value: after, key: after };
    const rows = await table.find({ where, order, from, limit: ROWS_AT_ONCE });
    for (const row of rows) {
      if (fits(row, { ...filter, after }) && found.push(shownMessage(row)) === limit) return found;
    }
    if (rows.length < ROWS_AT_ONCE) return found;
    after = rows.at(-1)!.id;
  }
}

/** What may have come with an event. */
async function cameWith(
  store: Store,
  { kind, of }: WatchedEvent,
  filter: MessageFilter,
): Promise<ArrivedMessage | undefined> {
  if (kind === "restored" || kind === "missed") return (await listMessages(store, filter, 1))[0];
  const row = kind === "received" ? await store.table(RECEIVED).get(of) : undefined;
  return row !== undefined && fits(row, filter) ? shownMessage(row) : undefined;
}

/** The first message that fits, once there is one; `null` when `timeoutMs` of real time pass without. */
export async function waitForMessage(
  store: Store,
  feed: EventFeed,
  filter: MessageFilter,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<ArrivedMessage | null> {
  const over = new AbortController();
  const end = (): void => over.abort();
  const timer = setTimeout(end, Math.min(timeoutMs, LIMITS.waitMsMax));
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
  try {
    // From before the first look, so that what arrives meanwhile is not missed.
    const events = feed.after(feed.lastId, over.signal);
    let [found] = await listMessages(store, filter, 1);
    while (found === undefined) {
      const next = await events.next();
      if (next.done === true) return null;
      found = await cameWith(store, next.value, filter);
    }
    return found;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}
