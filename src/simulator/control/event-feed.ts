/** Numbers the simulator's events and keeps the last ones, for any number of watchers. */
import { LIMITS } from "../../base/limits.ts";
import type { LogRow } from "../model/records.ts";
import type { ServiceEvent } from "../model/service.ts";

/** A log entry as watchers see it. */
export type WatchedLog = Pick<
  LogRow,
  "messageId" | "transport" | "sender" | "recipient" | "forward" | "subject" | "events"
>;

/** An event of the simulator, with its number. */
export interface WatchedEvent {
  /** 1, 2, 3, …; continues after resets. */
  readonly id: number;
  /**
   * `restored`: everything may be different, after a reset, a seed or a restore. `missed`: events before this one are
   * forgotten.
   */
  readonly kind: ServiceEvent["kind"] | "restored" | "missed";
  /** By the simulator's clock. */
  readonly atMs: number;
  /** `""` if it concerns no domain. */
  readonly domain: string;
  /** `log`: the log entry's id; `received`: the message's, in the inboxes; `changed`: the kind of resource. */
  readonly of: string;
  readonly log?: WatchedLog;
}

export interface EventFeed {
  notify(event: ServiceEvent): void;
  restored(atMs: number): void;
  /** Ids up to this one were given out by an earlier process; the events are forgotten. */
  skipTo(id: number): void;
  /** The last event's id; 0 before the first. */
  readonly lastId: number;
  /**
   * Events after the one numbered `lastId`, then those to come, until `signal` aborts. If that number was never given out, `missed`
   * comes first, and then all that are kept.
   */
  after(lastId: number, signal: AbortSignal): AsyncGenerator<WatchedEvent, void, void>;
  /** Ends all watchers. */
  close(): void;
}

function watchedLog(log: LogRow): WatchedLog {
  const { messageId, transport, sender, recipient, forward, subject, events } = log;
  return { messageId, transport, sender, recipient, forward, subject, events };
}

interface KeptEvent extends Omit<ServiceEvent, "kind"> {
  readonly kind: WatchedEvent["kind"];
}

function watchedEvent(number: number, { kind, atMs, domain, id, log }: KeptEvent): WatchedEvent {
  const event = { id: number, kind, atMs, domain, of: id };
  return log === undefined ? event : { ...event, log: watchedLog(log) };
}

export function createEventFeed(): EventFeed {
  /** The last `LIMITS.eventsKept`, at their id modulo that. */
  const kept: KeptEvent[] = [];
  const wakers = new Set<() => void>();
  let lastId = 0;
  /** The number of the first event that can still be kept. */
  let firstId = 1;
  let state: "open" | "closed" = "open";

  function wakeAll(): void {
    for (const wake of [...wakers]) wake();
  }

  function add(event: KeptEvent): void {
    lastId++;
    kept[lastId % LIMITS.eventsKept] = event;
    wakeAll();
  }

  function nextEvent(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener("abort", wake);
        wakers.delete(wake);
        resolve();
      };
      wakers.add(wake);
      signal.addEventListener("abort", wake);
    });
  }

  return {
    get lastId() {
      return lastId;
    },
    notify: add,
    skipTo(id) {
      lastId = id;
      firstId = id + 1;
    },
    restored: (atMs) => add({ kind: "restored", atMs, domain: "", id: "" }),
    async *after(seenId, signal) {
      // An id that was never given out comes from an earlier process, whose events are forgotten.
      let next = seenId > lastId ? Number.NEGATIVE_INFINITY : seenId + 1;
      while (!signal.aborted && state === "open") {
        const oldest = Math.max(firstId, lastId - LIMITS.eventsKept + 1);
        if (next < oldest) {
          next = oldest;
          const { atMs } = kept[next % LIMITS.eventsKept] ?? { atMs: 0 };
          yield { id: next - 1, kind: "missed", atMs, domain: "", of: "" };
        } else if (next <= lastId) {
          const event = watchedEvent(next, kept[next % LIMITS.eventsKept]!);
          next++;
          yield event;
        } else await nextEvent(signal);
      }
    },
    close() {
      state = "closed";
      wakeAll();
    },
  };
}
