/** The inbox's state: the messages received, those shown, and what a person does with them. */
import { batch, effect, signal, untracked } from "@preact/signals";
import type { InboxMessage } from "../../simulator/control/inbox/message-view.ts";
import type { Released } from "../../simulator/control/inbox/release.ts";
import { createOrder } from "../model/newest.ts";
import { ask, attempt, call, load } from "./client.ts";
import {
  type Arrivals,
  type MessagePage,
  type MessageSummary,
  withNewest,
  withOlder,
} from "./model/arrivals.ts";
import { go, place } from "./navigation.ts";

/** Messages of one page. */
const PAGE_ROWS = 200;

export const arrivals = signal<Arrivals>({ rows: [], next: null });
export const counts = signal<{ readonly total: number; readonly unread: number } | null>(null);
export const search = signal("");
export const isUnreadOnly = signal(false);
export const kindShown = signal<"" | MessageSummary["kind"]>("");
export const tagShown = signal("");
/** The tags in use, by name. */
export const tags = signal<readonly { readonly tag: string; readonly messages: number }[]>([]);
export const message = signal<InboxMessage | null>(null);
/** Pictures of the open message itself, by content id. */
export const pictures = signal<ReadonlyMap<string, string>>(new Map());
export const messageTab = signal<"preview" | "text" | "headers" | "source" | "attachments">(
  "preview",
);
export const source = signal<string | null>(null);

function pagePath(before: string | null): string {
  const query = new URLSearchParams({ order: "newest", limit: String(PAGE_ROWS) });
  if (search.value !== "") query.set("query", search.value);
  if (isUnreadOnly.value) query.set("read", "false");
  if (kindShown.value !== "") query.set("kind", kindShown.value);
  if (tagShown.value !== "") query.set("tag", tagShown.value);
  if (before !== null) query.set("before", before);
  return `/_sim/messages?${query}`;
}

/** Counts the searches, so that a late answer to an earlier one is dropped. */
let searches = 0;
const order = createOrder();

async function loadPage(
  before: string | null,
  take: (page: MessagePage) => Arrivals,
): Promise<void> {
  const mine = searches;
  // Older messages belong below the list that asked for them.
  const isWanted = before === null ? order() : () => arrivals.value.next === before;
  await load(async () => {
    const page = await call<MessagePage>("GET", pagePath(before));
    const used = await call<{ tags: (typeof tags)["value"] }>("GET", "/_sim/tags");
    if (mine !== searches || !isWanted()) return;
    batch(() => {
      tags.value = used.tags;
      arrivals.value = take(page);
      counts.value = { total: page.total, unread: page.unread };
    });
  });
}

export function refreshInbox(): Promise<void> {
  return loadPage(null, (page) => withNewest(arrivals.value, page));
}

/** Loads the list for a new search; nothing of the old list stays. */
export function loadInbox(): Promise<void> {
  searches++;
  return loadPage(null, (page) => ({ rows: page.messages, next: page.next }));
}

let loading: Promise<void> | null = null;

export function loadOlder(): void {
  const { next } = arrivals.value;
  if (next === null || loading !== null) return;
  loading = loadPage(next, (page) => withOlder(arrivals.value, page)).finally(() => {
    loading = null;
  });
}

/** Most octets of a picture shown within a message. */
const PICTURE_BYTES_MAX = 1_000_000;

async function loadPictures({ id, parts }: InboxMessage): Promise<void> {
  const shown = parts.filter(
    ({ contentType, contentId, bytes }) =>
      contentId !== "" &&
      bytes <= PICTURE_BYTES_MAX &&
      /^image\/(?:png|gif|jpeg|webp)$/.test(contentType),
  );
  const read = await Promise.all(
    shown.map(async ({ part, contentType, contentId }): Promise<[string, string]> => {
      const octets = new Uint8Array(
        await (await ask("GET", `/_sim/messages/${id}/parts/${part}`)).arrayBuffer(),
      );
      let text = "";
      for (const octet of octets) text += String.fromCharCode(octet);
      return [contentId, `data:${contentType};base64,${btoa(text)}`];
    }),
  );
  if (message.value?.id === id) pictures.value = new Map(read);
}

async function openMessage(id: string): Promise<void> {
  const { message: found } = await call<{ message: InboxMessage }>("GET", `/_sim/messages/${id}`);
  if (place.value.id === id) {
    batch(() => {
      message.value = found;
      pictures.value = new Map();
      source.value = null;
      messageTab.value = found.html === "" ? "text" : "preview";
    });
  }
  if (!found.read) await call("PUT", `/_sim/messages/${id}`, { read: true });
  await loadPictures(found);
}

export async function markRead(id: string, read: boolean): Promise<void> {
  await attempt(() => call("PUT", `/_sim/messages/${id}`, { read }));
  await refreshInbox();
}

/** Replaces the tags of the open message. */
export async function setTags(id: string, given: readonly string[]): Promise<void> {
  await attempt(async () => {
    await call("PUT", `/_sim/messages/${id}`, { tags: given });
    if (message.value?.id === id) message.value = { ...message.value, tags: given };
  });
  await refreshInbox();
}

/** Sends a message on to a real server; `null` if the service could not be asked. */
export async function releaseMessage(
  id: string,
  to: { readonly to?: readonly string[]; readonly host?: string; readonly port?: number },
): Promise<readonly Released[] | null> {
  let released: readonly Released[] | null = null;
  await attempt(async () => {
    const path = `/_sim/messages/${id}/release`;
    released = (await call<{ released: readonly Released[] }>("POST", path, to)).released;
  });
  return released;
}

export async function markAllRead(): Promise<void> {
  await attempt(() => call("PUT", "/_sim/messages?read=false", { read: true }));
  await refreshInbox();
}

/** Deletes a message and opens the next one. */
export async function deleteMessage(id: string): Promise<void> {
  const { rows } = arrivals.value;
  const at = rows.findIndex((row) => row.id === id);
  const next = rows[at + 1] ?? rows[at - 1];
  if (!(await attempt(() => call("DELETE", `/_sim/messages/${id}`)))) return;
  arrivals.value = { ...arrivals.value, rows: rows.filter((row) => row.id !== id) };
  go("inbox", next?.id ?? null);
  await refreshInbox();
}

export async function showSource(id: string): Promise<void> {
  await attempt(async () => {
    const text = await (await ask("GET", `/_sim/messages/${id}/eml`)).text();
    if (message.value?.id === id) source.value = text;
  });
}

/** Submits a message as the MX would receive it. */
export async function handIn(
  sender: string,
  recipients: readonly string[],
  text: string,
): Promise<void> {
  await call("POST", "/_sim/messages", { sender, recipients, message: text });
}

/** Starts watching the search and the address. */
export function watchInbox(): void {
  effect(() => {
    void [search.value, isUnreadOnly.value, kindShown.value, tagShown.value];
    void untracked(loadInbox);
  });
  effect(() => {
    const { view, id } = place.value;
    if (view !== "inbox") return;
    if (id === null) message.value = null;
    else void untracked(() => load(() => openMessage(id)));
  });
}
