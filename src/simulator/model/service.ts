/** What every operation of the service receives: its state, its time, its ids, and the world outside. */

import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import type { Compiler } from "../../engine/routing/compiler.ts";
import type { ResolveStats } from "../../engine/routing/resolve-stats.ts";
import type { RuleType } from "../../engine/routing/rules/rule-type.ts";
import type { Slots } from "../deliver/slots.ts";
import type { Clock } from "../queue/clock.ts";
import type { Queue } from "../queue/queue.ts";
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

/** A message for a destination, in one attempt. */
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
  /** The message with the fields that the service adds. */
  readonly message: Uint8Array;
}

/** What the destination answered. 2xx: delivered; 4xx: to be tried again; 5xx: refused for good. */
export interface HandoverAnswer {
  /** `false`: nobody answered, and the service made this answer; default `true`. */
  readonly reached?: boolean;
  readonly code: number;
  readonly message: string;
  /** The host that answered. */
  readonly server: string;
  /** Milliseconds of the service's clock after which the answer comes; default 0. */
  readonly afterMs?: number;
}

/** The world that mail goes out to. What goes wrong is an answer; rejects only with a `StoreUnavailableError`. */
export interface Outbound {
  /** The one host that answers for all destinations of a kind, where there is one. */
  hostOf?(kind: Parcel["kind"]): string | undefined;
  /** Whether destinations of a kind answer at once, so that nothing has to wait for a slot. */
  isInstant?(kind: Parcel["kind"]): boolean;
  /** Ends deliveries that are under way; later ones fail at once. */
  close?(): void;
  handOver(parcel: Parcel): Promise<HandoverAnswer>;
}

/** The events that watchers of the simulator receive, in order. */
export interface ServiceEvent {
  readonly kind: "log" | "received" | "changed";
  readonly atMs: number;
  readonly domain: string;
  readonly id: string;
  readonly log?: LogRow;
}

/** What is kept at most. */
export interface Keep {
  /** Messages in the inboxes, and octets of all of them; the newest one stays, however large. */
  readonly messages: number;
  readonly bytes: number;
  /** Entries of the log, over all domains. */
  readonly logs: number;
}

export interface ServiceSettings {
  /** Our own name in EHLO, Received fields and logs. */
  readonly hostname: string;
  /** Where a domain's MX records must point. */
  readonly mxHosts: readonly string[];
  /** The domain of the targets of DKIM records; default: the parent of the first MX host. */
  readonly dkimHost?: string | undefined;
  /** What SPF records include; default `spf.` below the parent of the first MX host. */
  readonly spfHost?: string | undefined;
  /** How much is kept of mail that arrived and of the log; the oldest goes first. */
  readonly keep?: Keep | undefined;
  /** The server that mailboxes are reached through; default: they are simulated. */
  readonly relay?: { readonly host: string; readonly port: number } | undefined;
  /** Secret of SRS addresses and of deterministic salts. */
  readonly secret: string;
}

/** Who this process is among those that have shared the state, one after another or side by side. */
export interface ServiceNode {
  readonly epoch: number;
  /** `shared`: the slots of destination hosts are counted for all processes together; default: this one is alone. */
  readonly slots?: "shared" | undefined;
  /** Whether the process of that epoch may still be at work. */
  isAlive(epoch: number): Promise<boolean>;
}

/** Receives what a decision cost. */
export interface DecisionWatch {
  /** Added to by every decision. */
  readonly stats: ResolveStats;
  /** `stage`: what the message was read up to. */
  decided(stage: string, seconds: number): void;
}

/** Failed sign-ins of addresses, each forgotten when it was the last one for `LIMITS.signInWindowMs`. */
export interface SignInFailures {
  /** How many there are. */
  countOf(address: string): Promise<number>;
  /** One more; how many there are then. */
  add(address: string): Promise<number>;
  clear(address: string): Promise<void>;
}

export interface Service {
  readonly watch?: DecisionWatch | undefined;
  /** Default: none, for the state ends with the process, so no attempt can be interrupted. */
  readonly node?: ServiceNode | undefined;
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
  /** Rule types of the host's own, which the compiler knows too. */
  readonly ruleTypes?: readonly RuleType[] | undefined;
  /** Deliveries under way, by host. */
  readonly slots: Slots;
  /** Failed sign-ins, where nodes count them together; default: each server counts its own. */
  readonly signIns?: SignInFailures | undefined;
  /** Tells watchers; never throws. */
  notify(event: ServiceEvent): void;
}
