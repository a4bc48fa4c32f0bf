/** One attempt to deliver a message to one destination, and its outcome. */

import { addLogEvent, announce } from "../model/logs/log-entry.ts";
import { CONTENTS, DELIVERIES, type DeliveryRow, LOGS, type LogRow } from "../model/records.ts";
import type { HandoverAnswer, Parcel, Service } from "../model/service.ts";
import type { QueuedTask } from "../queue/queue.ts";
import { addedFields } from "../receive/forward-message.ts";
import { type HeldContent, octetsOf } from "../store/held-content.ts";
import { noteReach } from "./breakers.ts";
import { scheduleDelivery } from "./deliver-admit.ts";
import { outcomeOf } from "./deliver-schedule.ts";
import { hostOf } from "./host.ts";
import { callUp, freeSlot, type SlotRequest, takeSlot, waitForSlot } from "./shared-slots.ts";

/** A delayed answer, which arrives in the payload of the task that waited for it. */
export interface LateAnswer {
  /** The attempt it answers. */
  readonly attempt: number;
  readonly answer: HandoverAnswer;
}

/** Decodes its message only for a destination that does not take it as it is held. */
class HeldParcel implements Parcel {
  readonly logId: string;
  readonly domain: string;
  readonly attempt: number;
  readonly kind: DeliveryRow["kind"];
  readonly destination: string;
  readonly envelopeSender: string;
  readonly originalRecipient: string;
  readonly held: HeldContent;
  readonly shown: Parcel["shown"];

  constructor(row: DeliveryRow, held: HeldContent, shown: Parcel["shown"]) {
    this.logId = row.id;
    this.domain = row.domain;
    this.attempt = row.attempts + 1;
    this.kind = row.kind;
    this.destination = row.destination;
    this.envelopeSender = row.envelopeSender;
    this.originalRecipient = row.originalRecipient;
    this.held = held;
    this.shown = shown;
  }

  get message(): Uint8Array {
    return octetsOf(this.held);
  }
}

async function parcelOf(service: Service, row: DeliveryRow): Promise<Parcel> {
  const content = await service.store.table(CONTENTS).get(row.contentId);
  if (content === undefined) throw new Error(`the content of the delivery ${row.id} is gone`);
  const log = await service.store.table(LOGS).get(row.id);
  const { hostname } = service.settings;
  const forwarding =
    (log?.transport ?? "mx") === "mx"
      ? { deliveredTo: row.originalRecipient, envelopeSender: row.originalSender, hostname }
      : null;
  const { base64, trace, shown } = content;
  return new HeldParcel(row, { added: addedFields(trace, forwarding), base64 }, shown);
}

async function releaseContent({ store }: Service, id: string): Promise<void> {
  const table = store.table(CONTENTS);
  const content = await table.get(id);
  if (content === undefined) return;
  if (content.uses > 1) await table.replace({ ...content, uses: content.uses - 1 });
  else await table.delete(id);
}

interface SettledDelivery {
  readonly log: LogRow | undefined;
  /** When to try again; `null` means never. */
  readonly nextMs: number | null;
}

/**
 * Gives back the slot shared among nodes, if there is one, within the caller's transaction. Call up the returned tasks after
 * the commit.
 */
async function freeSharedSlot(service: Service, row: DeliveryRow): Promise<readonly QueuedTask[]> {
  if (service.node?.slots !== "shared" || service.outbound.isInstant?.(row.kind) === true)
    return [];
  return freeSlot(service, hostOf(service, row), row.id);
}

/** Stores the outcome of attempt `attempt`, once: a later run of the same attempt finds it stored. */
async function settle(
  service: Service,
  row: DeliveryRow,
  { code, message, server }: HandoverAnswer,
  when: "as scheduled" | "at once" = "as scheduled",
): Promise<SettledDelivery | undefined> {
  const attempt = row.attempts + 1;
  const { status, retryMs } = outcomeOf(row.kind, attempt, code);
  let next: readonly QueuedTask[] = [];
  const settled = await service.store.transactionOn(async (store) => {
    const inside = { ...service, store };
    const table = store.table(DELIVERIES);
    next = await freeSharedSlot(inside, row);
    const current = await table.get(row.id);
    if (current?.attempts !== row.attempts) return undefined;
    const log = await addLogEvent(inside, row.id, { code, message, server, status });
    if (retryMs === null) {
      await table.delete(row.id);
      await releaseContent(inside, row.contentId);
      return { log, nextMs: null };
    }
    const nextMs = service.clock.nowMs() + (when === "at once" ? 0 : retryMs);
    await table.replace({ ...row, attempts: attempt, nextMs, startedBy: null });
    return { log, nextMs };
  });
  await callUp(service, next);
  return settled;
}

/**
 * Ends an attempt whose outcome was never stored, because its process is gone or could not write. The attempt counts and is
 * logged, since the destination may have the message; the next one is made at once.
 */
// ASSUMPTION(interrupted-attempt): an attempt whose outcome was lost is a soft bounce with 451 4.3.0, and is made again at once
export async function settleInterrupted(service: Service, row: DeliveryRow): Promise<void> {
  const message = "4.3.0 interrupted: whether the destination has taken the message is not known";
  const answer = { code: 451, message, server: service.settings.hostname };
  const settled = await settle(service, row, answer, "at once");
  if (settled?.log !== undefined) await announce(service, settled.log, 1);
}

/**
 * Returns the delivery if this process is to make its next attempt, and records that before it is made. `waits`: its host has
 * no free slot.
 */
async function begin(
  service: Service,
  id: string,
  slot?: SlotRequest,
  known?: DeliveryRow,
): Promise<DeliveryRow | "waits" | undefined> {
  const table = service.store.table(DELIVERIES);
  const row = known ?? (await table.get(id));
  const { node, clock } = service;
  if (row === undefined || node === undefined) return row;
  const { startedBy = null } = row;
  if (startedBy !== null) {
    if (startedBy !== node.epoch && (await node.isAlive(startedBy))) return undefined;
    await settleInterrupted(service, row);
    return begin(service, id, slot);
  }
  if (row.nextMs > clock.nowMs()) return row;
  return service.store.transaction(async () => {
    const current = await table.get(id);
    if (current?.attempts !== row.attempts || (current.startedBy ?? null) !== null) {
      return undefined;
    }
    if (slot !== undefined && (await takeSlot(service, slot)) === "waits") return "waits";
    const begun = { ...current, startedBy: node.epoch };
    await table.replace(begun);
    return begun;
  });
}

/** Puts off a delivery: no node tries it before that time. */
export async function postpone(service: Service, id: string, nextMs: number): Promise<void> {
  const next = await service.store.transaction(async () => {
    const table = service.store.table(DELIVERIES);
    const row = await table.get(id);
    if (row === undefined) return [];
    await table.replace({ ...row, nextMs });
    return freeSharedSlot(service, row);
  });
  await callUp(service, next);
}

interface Attempt {
  readonly late?: LateAnswer | undefined;
  readonly slot?: SlotRequest | undefined;
  /** The delivery as it was a moment ago; default: it is read. */
  readonly row?: DeliveryRow | undefined;
}

/**
 * Makes the next attempt of a delivery if it is due, and schedules the one after it. It is safe to run this again at any point:
 * a stored outcome is not repeated.
 */
export async function deliver(
  service: Service,
  id: string,
  { late, slot, row: known }: Attempt = {},
): Promise<void> {
  const row = await (late === undefined
    ? begin(service, id, slot, known)
    : service.store.table(DELIVERIES).get(id));
  if (row === undefined) return;
  if (row === "waits") return waitForSlot(service, slot!.task);
  const attempt = row.attempts + 1;
  let answer = late?.attempt === attempt ? late.answer : undefined;
  if (answer === undefined) {
    // An earlier run stored the outcome, but did not schedule the next attempt.
    if (row.nextMs > service.clock.nowMs()) return scheduleDelivery(service, id, row.nextMs);
    const {
      afterMs = 0,
      reached = true,
      ...given
    } = await service.outbound.handOver(await parcelOf(service, row));
    await noteReach(
      service,
      hostOf(service, row),
      reached ? "answered" : "unreached",
      given.message,
    );
    answer = given;
    if (afterMs > 0) {
      const atMs = service.clock.nowMs() + afterMs;
      await postpone(service, id, atMs);
      const payload = { kind: "deliver", logId: id, late: { attempt, answer } };
      return service.queue.schedule({ id, atMs, payload });
    }
  }
  const settled = await settle(service, row, answer);
  if (settled === undefined) return;
  if (settled.nextMs !== null) await scheduleDelivery(service, id, settled.nextMs);
  if (settled.log !== undefined) await announce(service, settled.log, 1);
}
