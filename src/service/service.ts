/** What every operation of the service is given: its state, its time, its ids, and the world outside. */

import type { Clock } from "../queue/clock.ts";
import type { Queue } from "../queue/queue.ts";
import type { CompiledDomain } from "../routing/compile-domain.ts";
import type { Compiler } from "../routing/compiler.ts";
import type { Store } from "../store/store.ts";
import type { LogRow } from "./records.ts";

/** Deterministic under a seed; its state is part of a snapshot. */
export interface Ids {
  /** A version 4 UUID. */
  uuid(): string;
  /** 1, 2, 3, … for each name. */
  next(name: string): number;
  /** 24 hex digits that grow with time. */
  logId(nowMs: number): string;
  state(): string;
  restore(state: string): void;
}

/** Answers of the DNS; an empty list where there is no such record. */
export interface Dns {
  /** Host names, the most preferred first. */
  mx(name: string): Promise<readonly string[]>;
  txt(name: string): Promise<readonly string[]>;
  cname(name: string): Promise<readonly string[]>;
}

/** What is handed over to a destination in one attempt. */
export interface Parcel {
  /** The log entry's id; for an event, the event's. */
  readonly logId: string;
  /** The account's domain whose mail it is. */
  readonly domain: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** `event`: the message is JSON about an event, POSTed as it is. */
  readonly kind: "mailbox" | "webhook" | "event";
  /** A mailbox or a URL. */
  readonly destination: string;
  readonly envelopeSender: string;
  readonly originalRecipient: string;
  /** The message with what we add to it. */
  readonly message: Uint8Array;
}

/** What the destination answered. 2xx: delivered; 4xx: to be tried again; 5xx: refused for good. */
export interface HandoverAnswer {
  readonly code: number;
  readonly message: string;
  /** The host that answered. */
  readonly server: string;
  /** Milliseconds of the service's clock after which the answer comes; default 0. */
  readonly afterMs?: number;
}

/** The world that mail goes out to. Never rejects: what goes wrong is an answer. */
export interface Outbound {
  handOver(parcel: Parcel): Promise<HandoverAnswer>;
}

/** What watchers of the simulator are told of, in order. */
export interface ServiceEvent {
  readonly kind: "log" | "received" | "changed";
  readonly atMs: number;
  readonly domain: string;
  readonly id: string;
  readonly log?: LogRow;
}

export interface ServiceSettings {
  /** Our own name in EHLO, Received fields and logs. */
  readonly hostname: string;
  /** Where a domain's MX records must point. */
  readonly mxHosts: readonly string[];
  /** Secret of SRS addresses and of deterministic salts. */
  readonly secret: string;
}

export interface Service {
  readonly store: Store;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly dns: Dns;
  readonly outbound: Outbound;
  readonly settings: ServiceSettings;
  /** Compiled domains by name, also while they compile: ask `compiledDomain`; operations drop what they change. */
  readonly compiled: Map<string, Promise<CompiledDomain>>;
  /** Takes over what it compiled before where a domain was changed. */
  readonly compiler: Compiler;
  /** Tells watchers; never throws. */
  notify(event: ServiceEvent): void;
}
