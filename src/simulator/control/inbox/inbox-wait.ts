/** Waits for a message to arrive. */
import { LIMITS } from "../../../base/limits.ts";
import { assertOptions } from "../../../base/options.ts";
import { RECEIVED, type ReceivedRow } from "../../model/records.ts";
import type { Store } from "../../store/store.ts";
import type { EventFeed, WatchedEvent } from "../event-feed.ts";
import { findMessages, MESSAGE_FILTERS, type MessageFilter } from "./inbox.ts";

async function firstOf(store: Store, filter: MessageFilter): Promise<ReceivedRow | undefined> {
  return (await findMessages(store, filter, { limit: 1 }))[0];
}

/** The messages that may have arrived with an event. */
async function cameWith(
  store: Store,
  { kind, of }: WatchedEvent,
  filter: MessageFilter,
): Promise<ReceivedRow | undefined> {
  if (kind === "restored" || kind === "missed") return firstOf(store, filter);
  const row = kind === "received" ? await store.table(RECEIVED).get(of) : undefined;
  return row === undefined ? undefined : firstOf(store, { ...filter, log: row.logId });
}

/** The first message that matches, as soon as it arrives; `null` after `timeoutMs` of real time. */
export async function waitForMessage(
  store: Store,
  feed: EventFeed,
  filter: MessageFilter,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<ReceivedRow | null> {
  assertOptions(filter, MESSAGE_FILTERS);
  const over = new AbortController();
  const end = (): void => over.abort();
  const timer = setTimeout(end, Math.min(timeoutMs, LIMITS.waitMsMax));
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
  try {
    // Starts before the first search, so that a message arriving meanwhile is not missed.
    const events = feed.after(feed.lastId, over.signal);
    let found = await firstOf(store, filter);
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
