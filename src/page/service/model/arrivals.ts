/** The list of the inbox: its pages are joined as they arrive, newest first. */
import type { MessageSummary } from "../../../simulator/control/inbox/inbox.ts";

export type { MessageSummary };

/** What `GET /_sim/messages?order=newest` answers. */
export interface MessagePage {
  readonly messages: readonly MessageSummary[];
  readonly total: number;
  readonly unread: number;
  /** `null` at the end. */
  readonly next: string | null;
}

export interface Arrivals {
  readonly rows: readonly MessageSummary[];
  /** Where the older messages begin; `null` if all are here. */
  readonly next: string | null;
}

/** Replaces the rows that a new first page covers; older rows stay. Ids grow with time. */
export function withNewest({ rows, next }: Arrivals, page: MessagePage): Arrivals {
  const oldest = page.messages.at(-1)?.id;
  if (page.next === null || oldest === undefined) return { rows: page.messages, next: page.next };
  const older = rows.filter(({ id }) => id < oldest);
  return older.length === 0
    ? { rows: page.messages, next: page.next }
    : { rows: [...page.messages, ...older], next };
}

export function withOlder({ rows }: Arrivals, page: MessagePage): Arrivals {
  const oldest = rows.at(-1)?.id;
  const more = page.messages.filter(({ id }) => oldest === undefined || id < oldest);
  return { rows: [...rows, ...more], next: page.next };
}

/** The row before or after the open one; the first row if none is open. */
export function neighbour<Row extends { readonly id: string }>(
  rows: readonly Row[],
  id: string | null,
  by: 1 | -1,
): Row | undefined {
  const at = rows.findIndex((row) => row.id === id);
  return at < 0 ? rows[0] : rows[at + by];
}

/** `Ann Lee` of `Ann Lee <ann@x.example>`, else the address. */
export function senderWords(from: string): string {
  const written = from.trim();
  // The first `<` that only the last `>` closes.
  const open = written.endsWith(">")
    ? written.indexOf("<", written.lastIndexOf(">", written.length - 2) + 1)
    : -1;
  const [, name = ""] = /^"?(.*?)"?$/.exec(written.slice(0, Math.max(0, open)).trimEnd()) ?? [];
  return name || from.replace(/[<>]/g, "").trim() || "no sender";
}
