/** A log entry as a story: what happened when, its state, and when it is tried again. */
import { RETRY_DELAYS_MS } from "../../../simulator/deliver/deliver-schedule.ts";

/** A log entry as version 4 of the API returns it. */
export interface LogEntry {
  readonly id: string;
  readonly created_at: string;
  readonly events: readonly {
    readonly id: string;
    readonly code: number;
    readonly created_at: string;
    readonly message: string;
    readonly server: string;
    readonly status: string;
  }[];
  readonly forward: { readonly email: string } | null;
  readonly message_id: string;
  readonly recipient: { readonly email: string };
  readonly sender: { readonly email: string; readonly name: string | null };
  readonly subject: string;
  readonly transport: string;
}

export type Standing = "delivered" | "retry" | "bounced" | "refused" | "discarded" | "queued";

/** The state of an entry, by its last event; an accepted entry without a destination is discarded. */
export function standingOf({ events, forward }: Pick<LogEntry, "events" | "forward">): Standing {
  const last = events.at(-1)?.status;
  if (last === "REFUSED") return "refused";
  if (last === "SOFT-BOUNCE") return "retry";
  if (last === "HARD-BOUNCE" || last === "BOUNCED") return "bounced";
  if (forward === null) return "discarded";
  return last === "DELIVERED" ? "delivered" : "queued";
}

/** Attempts made so far. */
export function triesOf({ events }: Pick<LogEntry, "events">): number {
  return events.filter(({ status }) => status !== "QUEUED" && status !== "REFUSED").length;
}

/** When the next try is due by the schedule of retries; `null` if there is none. */
export function nextTryMs(entry: Pick<LogEntry, "events" | "forward">): number | null {
  const { events, forward } = entry;
  const last = events.at(-1);
  if (last === undefined || forward === null || standingOf(entry) !== "retry") return null;
  const kind = forward.email.includes("://") ? "webhook" : "mailbox";
  const delay = RETRY_DELAYS_MS[kind][triesOf(entry) - 1];
  return delay === undefined ? null : Date.parse(last.created_at) + delay;
}

export interface StoryStep {
  readonly id: string;
  readonly words: string;
  readonly atMs: number;
  readonly says: string;
  readonly standing: Standing;
}

const WORDS: Readonly<Record<string, { readonly words: string; readonly standing: Standing }>> = {
  QUEUED: { words: "Accepted", standing: "queued" },
  REFUSED: { words: "Refused", standing: "refused" },
  DELIVERED: { words: "Delivered", standing: "delivered" },
  "SOFT-BOUNCE": { words: "Put off", standing: "retry" },
  "HARD-BOUNCE": { words: "Bounced", standing: "bounced" },
  BOUNCED: { words: "Given up", standing: "bounced" },
};

export function storyOf(entry: LogEntry): readonly StoryStep[] {
  return entry.events.map(({ id, code, created_at, message, server, status }) => {
    const { words, standing } = WORDS[status] ?? { words: status, standing: "queued" };
    const says = `${code} ${message}${server === "" ? "" : `, by ${server}`}`;
    return { id, words, atMs: Date.parse(created_at), says, standing };
  });
}

/** The statuses that a filter of the list asks for. */
export const FILTERS = [
  { name: "All", status: "" },
  { name: "Delivered", status: "DELIVERED" },
  { name: "Put off", status: "SOFT-BOUNCE" },
  { name: "Bounced", status: "HARD-BOUNCE,BOUNCED" },
  { name: "Refused", status: "REFUSED" },
] as const;
