/** Log entries, one per envelope recipient and destination, and their events. */
import { canonicalAddress, splitAddress } from "../../../engine/facts/address.ts";
import { scheduleEventPosts } from "../../deliver/deliver-event.ts";
import { keepNewestLogs } from "../kept.ts";
import {
  LOGS,
  type LogEvent,
  type LogRow,
  type LogStatus,
  type Party,
  type Transport,
} from "../records.ts";
import type { Service } from "../service.ts";

/** The event's text, from the destination or the service. */
export type Happening = Pick<LogEvent, "code" | "message" | "server" | "status">;

/** The fields that all entries of a message share. */
export interface MessageHead {
  readonly transport: Transport;
  readonly messageId: string;
  readonly subject: string;
  readonly sender: Party;
}

export interface EntryInput {
  readonly domain: string;
  readonly recipient: Party;
  readonly forward: Party | null;
  readonly happenings: readonly Happening[];
}

type Happened = Pick<LogRow, "events" | "statuses">;

/** The events of an entry with new ones added, and their distinct statuses. */
function withHappenings(
  service: Service,
  { id, events: before }: Pick<LogRow, "id" | "events">,
  happenings: readonly Happening[],
): Happened {
  const events = [...before];
  for (const { code, message, server, status } of happenings) {
    events.push({
      id: `${id}-${events.length}`,
      createdMs: service.clock.nowMs(),
      local: service.settings.hostname,
      code,
      message,
      server,
      status,
    });
  }
  const statuses: LogStatus[] = [];
  for (const { status } of events) if (!statuses.includes(status)) statuses.push(status);
  return { events, statuses };
}

/** Writes a new entry; call it inside a transaction, and `announce` it afterwards. */
export async function addLogEntry(
  service: Service,
  head: MessageHead,
  { domain, recipient, forward, happenings }: EntryInput,
): Promise<LogRow> {
  const nowMs = service.clock.nowMs();
  const recipientEmail = canonicalAddress(recipient.email);
  const { localPart, domain: host } = splitAddress(recipientEmail);
  const id = service.ids.logId(nowMs);
  const { transport, messageId, subject, sender } = head;
  const { events, statuses } = withHappenings(service, { id, events: [] }, happenings);
  const row = await service.store.table(LOGS).insert({
    transport,
    messageId,
    subject,
    sender,
    id,
    domain,
    createdMs: nowMs,
    hostname: service.settings.hostname,
    recipient,
    forward,
    events,
    statuses,
    senderEmail: canonicalAddress(sender.email),
    recipientEmail,
    forwardEmail: forward === null ? null : canonicalAddress(forward.email),
    recipientLocal: host === domain ? localPart : "",
  });
  await keepNewestLogs(service);
  return row;
}

/** Adds an event; `undefined` when the entry is gone. Call it inside a transaction, and `announce` it afterwards. */
export async function addLogEvent(
  service: Service,
  id: string,
  happening: Happening,
): Promise<LogRow | undefined> {
  const table = service.store.table(LOGS);
  const before = await table.get(id);
  if (before === undefined) return undefined;
  const { events, statuses } = withHappenings(service, before, [happening]);
  return table.replace({ ...before, events, statuses });
}

/** Notifies watchers and the domain's webhook of the entry's last `eventCount` events. */
export async function announce(service: Service, log: LogRow, eventCount: number): Promise<void> {
  const { domain, id } = log;
  service.notify({ kind: "log", atMs: service.clock.nowMs(), domain, id, log });
  await scheduleEventPosts(service, log, eventCount);
}
