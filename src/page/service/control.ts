/** The state of the control plane: the clock, due deliveries, faults, DNS answers, and what arrived over SMTP and the API. */
import { batch, effect, signal, untracked } from "@preact/signals";
import type { KeptRequest } from "../../simulator/control/request-log.ts";
import type { Breaker } from "../../simulator/control/routes/routes-smtp.ts";
import type { ZoneEntry } from "../../simulator/model/domains/dns-zone.ts";
import type { FaultRow } from "../../simulator/outbound/faults.ts";
import type { IntakeFault } from "../../simulator/smtp/intake-faults.ts";
import type { SmtpSession } from "../../simulator/smtp/transcripts.ts";
import { createOrder } from "../model/newest.ts";
import { ask, attempt, call, load } from "./client.ts";
import { place } from "./navigation.ts";

export interface ClockReading {
  readonly nowMs: number;
  readonly frozen: boolean;
}

export const clock = signal<ClockReading | null>(null);
export const faults = signal<readonly FaultRow[]>([]);
export const intakeFaults = signal<readonly IntakeFault[]>([]);
export type SessionHead = Omit<SmtpSession, "lines" | "linesCut">;
export const sessions = signal<readonly SessionHead[]>([]);
export const session = signal<SmtpSession | null>(null);
export const requests = signal<readonly KeptRequest[]>([]);
export const request = signal<KeptRequest | null>(null);

/** A delivery that is still to be made. */
export interface Due {
  readonly logId: string;
  readonly destination: string;
  readonly recipient: string;
  readonly attempts: number;
  readonly nextMs: number;
}

/** The next deliveries, and how many are due in all. */
export const due = signal<{ readonly deliveries: readonly Due[]; readonly total: number }>({
  deliveries: [],
  total: 0,
});
export const breakers = signal<readonly Breaker[]>([]);
export const dnsRecords = signal<readonly ZoneEntry[]>([]);

/** Most deliveries listed. */
const DUE_SHOWN = 20;

const order = createOrder();

export async function loadControl(): Promise<void> {
  const isNewest = order();
  const [now, outside, inside, smtp, http, waiting, circuits, dns] = await Promise.all([
    call<ClockReading>("GET", "/_sim/clock"),
    call<{ faults: readonly FaultRow[] }>("GET", "/_sim/faults"),
    call<{ faults: readonly IntakeFault[] }>("GET", "/_sim/intake-faults"),
    call<{ sessions: readonly SessionHead[] }>("GET", "/_sim/sessions?limit=100"),
    call<{ requests: readonly KeptRequest[] }>("GET", "/_sim/requests?limit=100"),
    call<(typeof due)["value"]>("GET", `/_sim/deliveries?limit=${DUE_SHOWN}`),
    call<{ breakers: readonly Breaker[] }>("GET", "/_sim/breakers"),
    call<{ records: readonly ZoneEntry[] }>("GET", "/_sim/dns"),
  ]);
  if (!isNewest()) return;
  batch(() => {
    clock.value = now;
    faults.value = outside.faults;
    intakeFaults.value = inside.faults;
    sessions.value = smtp.sessions;
    requests.value = [...http.requests].reverse();
    due.value = waiting;
    breakers.value = circuits.breakers;
    dnsRecords.value = dns.records;
  });
}

export async function loadClock(): Promise<void> {
  clock.value = await call<ClockReading>("GET", "/_sim/clock");
}

/** Sends a command to the simulator, then shows its new state. */
export function steer(method: string, path: string, body?: unknown): Promise<boolean> {
  return attempt(async () => {
    await call(method, `/_sim${path}`, body);
    await loadControl();
  });
}

export async function openSession(id: string): Promise<void> {
  await attempt(async () => {
    session.value = (await call<{ session: SmtpSession }>("GET", `/_sim/sessions/${id}`)).session;
  });
}

export async function takeSnapshot(): Promise<string> {
  return (await ask("GET", "/_sim/snapshot")).text();
}

/** The file is sent as it is, whatever its size. */
export async function restoreSnapshot(file: Blob): Promise<void> {
  const response = await fetch("/_sim/restore", { method: "POST", body: file });
  if (response.ok) return;
  const said = (await response.json().catch(() => null)) as { message?: string } | null;
  throw new Error(said?.message ?? "the snapshot was not taken");
}

export function watchControl(): void {
  effect(() => {
    const { view } = place.value;
    if (view === "control") void untracked(() => load(loadControl));
  });
}
