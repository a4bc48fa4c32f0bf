/** One attempt to deliver a message to one destination, and what comes of it. */
import { scheduleDelivery } from "./deliver-admit.ts";
import { outcomeOf } from "./deliver-schedule.ts";
import { forwardedMessage } from "./forward-message.ts";
import { addLogEvent, announce } from "./log-entry.ts";
import { CONTENTS, DELIVERIES, type DeliveryRow, LOGS, type LogRow } from "./records.ts";
import type { HandoverAnswer, Parcel, Service } from "./service.ts";

/** An answer that took its time, as the task that waited for it brings it back. */
export interface LateAnswer {
  /** The attempt it answers. */
  readonly attempt: number;
  readonly answer: HandoverAnswer;
}

async function parcelOf(service: Service, row: DeliveryRow): Promise<Parcel> {
  const content = await service.store.table(CONTENTS).get(row.contentId);
  if (content === undefined) throw new Error(`the content of the delivery ${row.id} is gone`);
  const log = await service.store.table(LOGS).get(row.id);
  const deliveredTo = (log?.transport ?? "mx") === "mx" ? row.originalRecipient : null;
  const { id: logId, domain, kind, destination, envelopeSender, originalRecipient } = row;
  return {
    logId,
    domain,
    attempt: row.attempts + 1,
    kind,
    destination,
    envelopeSender,
    originalRecipient,
    message: forwardedMessage(Buffer.from(content.base64, "base64"), content.trace, deliveredTo),
  };
}

async function releaseContent({ store }: Service, id: string): Promise<void> {
  const table = store.table(CONTENTS);
  const content = await table.get(id);
  if (content === undefined) return;
  if (content.uses > 1) await table.replace({ ...content, uses: content.uses - 1 });
  else await table.delete(id);
}

interface Settled {
  readonly log: LogRow | undefined;
  /** When to try again; `null`: never. */
  readonly nextMs: number | null;
}

/** Keeps the outcome of attempt `attempt`, once: another run that comes to it later finds it kept. */
async function settle(
  service: Service,
  row: DeliveryRow,
  { code, message, server }: HandoverAnswer,
): Promise<Settled | undefined> {
  const attempt = row.attempts + 1;
  const { status, retryMs } = outcomeOf(row.kind, attempt, code);
  return service.store.transaction(async () => {
    const table = service.store.table(DELIVERIES);
    const current = await table.get(row.id);
    if (current?.attempts !== row.attempts) return undefined;
    const log = await addLogEvent(service, row.id, { code, message, server, status });
    if (retryMs === null) {
      await table.delete(row.id);
      await releaseContent(service, row.contentId);
      return { log, nextMs: null };
    }
    const nextMs = service.clock.nowMs() + retryMs;
    await table.replace({ ...row, attempts: attempt, nextMs });
    return { log, nextMs };
  });
}

/**
 * Makes the next attempt of a delivery, if its time has come, and schedules the one after it. Safe to run again at
 * any point: what has been kept is not done twice.
 */
export async function deliver(service: Service, id: string, late?: LateAnswer): Promise<void> {
  const row = await service.store.table(DELIVERIES).get(id);
  if (row === undefined) return;
  const attempt = row.attempts + 1;
  let answer = late?.attempt === attempt ? late.answer : undefined;
  if (answer === undefined) {
    // Run again after the outcome was kept, but before the next attempt was scheduled.
    if (row.nextMs > service.clock.nowMs()) return scheduleDelivery(service, id, row.nextMs);
    const { afterMs = 0, ...given } = await service.outbound.handOver(await parcelOf(service, row));
    answer = given;
    if (afterMs > 0) {
      const payload = { kind: "deliver", logId: id, late: { attempt, answer } };
      return service.queue.schedule({ id, atMs: service.clock.nowMs() + afterMs, payload });
    }
  }
  const settled = await settle(service, row, answer);
  if (settled === undefined) return;
  if (settled.nextMs !== null) await scheduleDelivery(service, id, settled.nextMs);
  if (settled.log !== undefined) await announce(service, settled.log, 1);
}
