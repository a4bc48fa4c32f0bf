/** Finds, shows, marks and deletes what arrived in the mailboxes and webhooks of the simulated internet. */
import { LIMITS } from "../../../base/limits.ts";
import { canonicalDestination, canonicalDomain } from "../../../engine/facts/address.ts";
import { forgetMessages } from "../../model/kept.ts";
import { found } from "../../model/problem.ts";
import { RECEIVED, RECEIVED_CONTENTS, type ReceivedRow } from "../../model/records.ts";
import type { Service } from "../../model/service.ts";
import { base64Of, octetsOf } from "../../store/held-content.ts";
import type { Filter, Query, Store } from "../../store/store.ts";
import { searchTest } from "./inbox-search.ts";

/** A message must match all given fields. */
export interface MessageFilter {
  /** Words and `"phrases"` to find in any field or text of the message, in any letter case. */
  readonly query?: string | undefined;
  /** A URL as it is, or a mailbox in any spelling: letter case, needless quotes, U-labels or A-labels. */
  readonly destination?: string | undefined;
  /** Part of the From field, of the To field, of the subject; in any case. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly subject?: string | undefined;
  /** The account's domain that received it. */
  readonly domain?: string | undefined;
  /** The log entry's id. */
  readonly log?: string | undefined;
  readonly tag?: string | undefined;
  /** What received it. */
  readonly kind?: ReceivedRow["kind"] | undefined;
  readonly read?: boolean | undefined;
  /** Only messages that arrived after, or before, this one, by its id. */
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

export const MESSAGE_FILTERS: readonly (keyof MessageFilter)[] = [
  "query",
  "destination",
  "from",
  "to",
  "subject",
  "domain",
  "log",
  "tag",
  "kind",
  "read",
  "after",
  "before",
];

/** A message as lists show it, without its body. */
export interface MessageSummary {
  /** Later messages have greater ids. */
  readonly id: string;
  readonly logId: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** `event`: an event of a domain, POSTed to its webhook. */
  readonly kind: "mailbox" | "webhook" | "event";
  readonly domain: string;
  readonly destination: string;
  readonly receivedMs: number;
  readonly envelopeSender: string;
  /** The From and To fields; `""` if there is none. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly bytes: number;
  readonly read: boolean;
  readonly tags: readonly string[];
}

/** A message with its content. */
export interface ArrivedMessage extends MessageSummary {
  /** The content as UTF-8 text; for a webhook, its JSON. */
  readonly text: string;
  /** The octets of the content. */
  readonly base64: string;
}

/** The destination as the forward has it. */
export function destinationOf({ destination, writtenDestination }: ReceivedRow): string {
  return writtenDestination ?? destination;
}

export function summaryOf(row: ReceivedRow): MessageSummary {
  const { id, logId, attempt, kind, domain, receivedMs, envelopeSender } = row;
  const { fromText: from, toText: to, subject, bytes, read, tags } = row;
  const destination = destinationOf(row);
  const ids = { id, logId, attempt, kind, domain, destination, receivedMs, envelopeSender };
  return { ...ids, from, to, subject, bytes, read, tags };
}

/** The filter of the store; the index serves by destination or log entry. */
function filterOf(filter: MessageFilter): Filter<ReceivedRow> {
  const { from, to, subject, domain, log, tag, read } = filter;
  const destination = filter.destination && canonicalDestination(filter.destination);
  const contains = [
    { columns: ["fromText"] as const, text: from },
    { columns: ["toText"] as const, text: to },
    { columns: ["subject"] as const, text: subject },
  ].filter((each): each is typeof each & { text: string } => each.text !== undefined);
  return {
    where: log !== undefined ? { logId: log } : destination === undefined ? {} : { destination },
    anyOf: {
      ...(log === undefined || destination === undefined ? {} : { destination: [destination] }),
      ...(domain === undefined ? {} : { domain: [canonicalDomain(domain)] }),
      ...(read === undefined ? {} : { read: [read] }),
    },
    ...(contains.length === 0 ? {} : { contains }),
    ...(tag === undefined ? {} : { overlaps: { column: "tags" as const, values: [tag] } }),
  };
}

/** Tested here, because no index serves `kind`: nearly all messages are a mailbox's. */
function isOfKind(row: ReceivedRow, { kind }: MessageFilter): boolean {
  return kind === undefined || row.kind === kind;
}

function isBetween({ id }: ReceivedRow, { after = "", before }: MessageFilter): boolean {
  return id > after && (before === undefined || id < before);
}

export interface Listing {
  /** `oldest`: the earliest first (default). */
  readonly order?: "oldest" | "newest";
  readonly limit: number;
}

/** The rows that fit, page by page of the store. */
async function* matching(
  store: Store,
  filter: MessageFilter,
  order: "oldest" | "newest",
  rowsAtOnce: number,
): AsyncGenerator<ReceivedRow> {
  const table = store.table(RECEIVED);
  const test = searchTest(store, filter.query ?? "");
  const asked = filterOf(filter);
  const direction = order === "oldest" ? "asc" : "desc";
  let start = order === "oldest" ? filter.after : filter.before;
  for (;;) {
    const query: Query<ReceivedRow> = {
      ...asked,
      order: { column: "id", direction },
      ...(start === undefined ? {} : { from: { value: start, key: start } }),
      limit: rowsAtOnce + 1,
    };
    const rows = await table.find(query);
    for (const row of rows) {
      // A page begins with the last row of the page before.
      if (row.id === start) continue;
      if (!isBetween(row, filter)) {
        if (order === "newest" ? row.id <= (filter.after ?? "") : row.id >= (filter.before ?? "~"))
          return;
        continue;
      }
      if (isOfKind(row, filter) && (await test(row))) yield row;
    }
    if (rows.length <= rowsAtOnce) return;
    start = rows.at(-1)!.id;
  }
}

/** Rows read at a time. */
const ROWS_AT_ONCE = 500;

/** The rows that fit, at most `limit` of them. */
export async function findMessages(
  store: Store,
  filter: MessageFilter,
  { order = "oldest", limit }: Listing,
): Promise<readonly ReceivedRow[]> {
  const rows: ReceivedRow[] = [];
  const atOnce = Math.min(limit, ROWS_AT_ONCE);
  for await (const row of matching(store, filter, order, atOnce)) {
    if (rows.push(row) === limit) break;
  }
  return rows;
}

/** How many messages there are in all, and how many of them are unread. */
export async function countMessages(store: Store): Promise<{ total: number; unread: number }> {
  const table = store.table(RECEIVED);
  const unread = await table.count({ where: {}, anyOf: { read: [false] } });
  return { total: await table.count({ where: {} }), unread };
}

/** Throws 404 if there is none. */
export async function getMessage(store: Store, id: string): Promise<ReceivedRow> {
  return found(await store.table(RECEIVED).get(id), "message");
}

/** The octets of a message; throws 404 if it is gone. */
export async function contentOf(store: Store, id: string): Promise<Uint8Array> {
  const row = found(await store.table(RECEIVED_CONTENTS).get(id), "message");
  return octetsOf(row);
}

/** The message with its content; throws 404 if it is gone. */
export async function wholeOf(store: Store, row: ReceivedRow): Promise<ArrivedMessage> {
  const content = found(await store.table(RECEIVED_CONTENTS).get(row.id), "message");
  const octets = octetsOf(content);
  const text = Buffer.from(octets).toString("utf8");
  return { ...summaryOf(row), text, base64: base64Of(octets) };
}

type Marks = Pick<Partial<ReceivedRow>, "read" | "tags">;

/** Marks a message read or unread, or gives it other tags; notifies watchers. */
export async function markMessage(
  service: Service,
  id: string,
  { read, tags }: Marks,
): Promise<ReceivedRow> {
  const marked = await service.store.transaction(async () => {
    const row = await getMessage(service.store, id);
    const changed = { ...row, read: read ?? row.read, tags: tags ?? row.tags };
    await service.store.table(RECEIVED).replace(changed);
    return changed;
  });
  notifyOf(service, marked);
  return marked;
}

/** Marks all given messages, and returns how many there were. */
export async function markMessages(
  service: Service,
  chosen: readonly ReceivedRow[],
  marks: Marks,
): Promise<number> {
  let count = 0;
  for (const { id } of chosen) {
    const row = await markMessage(service, id, marks).catch(() => undefined);
    if (row !== undefined) count++;
  }
  return count;
}

/** Deletes the messages, and returns how many there were. */
export async function deleteMessages(service: Service, ids: readonly string[]): Promise<number> {
  const { store } = service;
  const gone = await store.transaction(async () => {
    const rows: ReceivedRow[] = [];
    for (const id of new Set(ids)) {
      const row = await store.table(RECEIVED).get(id);
      if (row === undefined) continue;
      await store.table(RECEIVED).delete(id);
      await store.table(RECEIVED_CONTENTS).delete(id);
      rows.push(row);
    }
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    await forgetMessages(service, rows.length, bytes);
    return rows;
  });
  const [first] = gone;
  if (first !== undefined) notifyOf(service, first);
  return gone.length;
}

function notifyOf({ clock, notify }: Service, { domain }: ReceivedRow): void {
  notify({ kind: "changed", atMs: clock.nowMs(), domain, id: "messages" });
}

/** Each tag with the number of messages that have it, by name. */
export async function listTags(
  store: Store,
): Promise<readonly { readonly tag: string; readonly messages: number }[]> {
  const counts = new Map<string, number>();
  for await (const { tags } of matching(store, {}, "oldest", ROWS_AT_ONCE)) {
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([tag, messages]) => ({ tag, messages }));
}

/** At most this many are chosen by one filter. */
export const CHOSEN_MAX: number = LIMITS.keptMessages;
