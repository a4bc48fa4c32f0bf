/** Events of a domain are POSTed to its webhook (API v3 §2, §6), as separate tasks, so that no delivery waits for them. */

import { DOMAINS, LOGS, type LogEvent, type LogRow } from "../model/records.ts";
import type { Service } from "../model/service.ts";
import type { QueuedTask } from "../queue/queue.ts";
import { noteReach } from "./breakers.ts";
import { RETRY_DELAYS_MS } from "./deliver-schedule.ts";
import { hostOf } from "./host.ts";
import { callUp, freeSlot, type SlotRequest, takeSlot, waitForSlot } from "./shared-slots.ts";

function taskOf(log: LogRow, event: LogEvent, attempt: number, atMs: number): QueuedTask {
  const payload = { kind: "event", logId: log.id, eventId: event.id, attempt };
  return { id: `event/${event.id}`, atMs, payload };
}

/** The JSON of one event. */
// ASSUMPTION(event-payload): the domain's webhook is sent the domain, the event in version 3's fields, and the log entry without events
export function eventPayload(log: LogRow, event: LogEvent): Uint8Array {
  const { id, domain, hostname, messageId, recipient, sender, forward, subject, transport } = log;
  const { createdMs, ...rest } = event;
  return Buffer.from(
    JSON.stringify({
      domain,
      event: { ...rest, created: createdMs },
      log: {
        id,
        created: log.createdMs,
        messageId,
        sender,
        recipient,
        forward,
        subject,
        transport,
        hostname,
      },
    }),
  );
}

async function webhookOf(service: Service, log: LogRow): Promise<string | null> {
  return (await service.store.table(DOMAINS).get(log.domain))?.webhook ?? null;
}

/** Schedules a POST of each of the last `count` events, if the domain has a webhook. */
export async function scheduleEventPosts(
  service: Service,
  log: LogRow,
  count: number,
): Promise<void> {
  if ((await webhookOf(service, log)) === null) return;
  for (const event of log.events.slice(-count)) {
    await service.queue.schedule(taskOf(log, event, 1, service.clock.nowMs()));
  }
}

/** One attempt to POST an event. It is tried as often as a webhook destination, then dropped. */
export async function postEvent(
  service: Service,
  { logId, eventId, attempt }: { logId: string; eventId: string; attempt: number },
  slot?: SlotRequest,
): Promise<void> {
  const log = await service.store.table(LOGS).get(logId);
  const event = log?.events.find(({ id }) => id === eventId);
  if (log === undefined || event === undefined) return;
  const destination = await webhookOf(service, log);
  if (destination === null) return;
  const { store } = service;
  if (slot !== undefined && (await store.transaction(() => takeSlot(service, slot))) === "waits") {
    return waitForSlot(service, slot.task);
  }
  const {
    code,
    message,
    reached = true,
  } = await service.outbound.handOver({
    logId: event.id,
    domain: log.domain,
    attempt,
    kind: "event",
    destination,
    envelopeSender: "",
    originalRecipient: log.recipient.email,
    message: eventPayload(log, event),
  });
  if (slot !== undefined) {
    const next = await store.transaction(() => freeSlot(service, slot.host, slot.task.id));
    await callUp(service, next);
  }
  const host = hostOf(service, { kind: "event", destination });
  await noteReach(service, host, reached ? "answered" : "unreached", message);
  const retryMs = RETRY_DELAYS_MS.webhook[attempt - 1];
  if ((code >= 200 && code < 300) || code >= 500 || retryMs === undefined) return;
  const atMs = service.clock.nowMs() + retryMs;
  await service.queue.schedule(taskOf(log, event, attempt + 1, atMs));
}
