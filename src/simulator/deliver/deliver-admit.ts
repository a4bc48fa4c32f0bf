/**
 * Accepts responsibility for a message: stores its content, log entries and deliveries in one transaction, then queues the
 * deliveries.
 */
import {
  addLogEntry,
  announce,
  type EntryInput,
  type MessageHead,
} from "../model/logs/log-entry.ts";
import { CONTENTS, DELIVERIES, type DeliveryRow, type LogRow } from "../model/records.ts";
import type { Service } from "../model/service.ts";
import type { ShownHeader } from "../model/shown-header.ts";
import { base64Of } from "../store/held-content.ts";

/** The destination of an entry's message. */
export type DeliveryRoute = Pick<DeliveryRow, "kind" | "destination" | "envelopeSender">;

export interface AdmittedEntry extends EntryInput {
  /** `null` if the message was refused or discarded, so that nothing is delivered. */
  readonly route: DeliveryRoute | null;
}

export interface Admission {
  readonly head: MessageHead;
  readonly message: Uint8Array;
  /** Id of the content; `trace` also uses it. */
  readonly contentId: string;
  /** The reverse-path with which it arrived; absent for mail that the service or a domain's own users wrote. */
  readonly originalSender?: string;
  /** The Received field to add at the top, or `""`. */
  readonly trace: string;
  /** The message's fields that lists show, unless the fields to add could change them. */
  readonly shown?: ShownHeader | undefined;
  readonly entries: readonly AdmittedEntry[];
}

async function write(service: Service, admission: Admission): Promise<readonly LogRow[]> {
  const { head, message, contentId, trace, shown, entries } = admission;
  const { store, clock } = service;
  const uses = entries.filter(({ route }) => route !== null).length;
  if (uses > 0) {
    const base64 = base64Of(message);
    await store.table(CONTENTS).insert({
      id: contentId,
      base64,
      trace,
      uses,
      ...(shown === undefined ? {} : { shown }),
    });
  }
  const logs: LogRow[] = [];
  for (const entry of entries) {
    const log = await addLogEntry(service, head, entry);
    logs.push(log);
    if (entry.route === null) continue;
    const { kind, destination, envelopeSender } = entry.route;
    await store.table(DELIVERIES).insert({
      kind,
      destination,
      envelopeSender,
      id: log.id,
      domain: log.domain,
      contentId,
      originalSender: admission.originalSender ?? "",
      originalRecipient: log.recipient.email,
      bytes: message.length,
      attempts: 0,
      nextMs: clock.nowMs(),
      startedBy: null,
    });
  }
  return logs;
}

/** Queues the delivery of a log entry, under the entry's id. */
export function scheduleDelivery(
  { queue }: Pick<Service, "queue">,
  id: string,
  atMs: number,
): Promise<void> {
  return queue.schedule({ id, atMs, payload: { kind: "deliver", logId: id } });
}

/**
 * Returns the log entries in the order of the input. `count` counts the message against the plan, in the same transaction. Once
 * this resolves, the service is responsible for the message. If it rejects, the client has to try again: delivering a message
 * twice is better than losing it.
 */
export async function admit(
  service: Service,
  admission: Admission,
  count: (inside: Service) => Promise<void>,
): Promise<readonly LogRow[]> {
  const logs = await service.store.transactionOn(async (store) => {
    const inside = { ...service, store };
    await count(inside);
    return write(inside, admission);
  });
  for (const [index, log] of logs.entries()) {
    await announce(service, log, log.events.length);
    if (admission.entries[index]!.route !== null) {
      await scheduleDelivery(service, log.id, service.clock.nowMs());
    }
  }
  return logs;
}
