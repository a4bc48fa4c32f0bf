/** The service as every operation receives it: its state, time and ids, and the outside world. */

import type { CompiledDomain, Compiler } from "../../engine/routing/compile-domain.ts";
import type { ResolveStats } from "../../engine/routing/resolve-stats.ts";
import type { RuleType } from "../../engine/routing/rules/rule-type.ts";
import type { Slots } from "../deliver/slots.ts";
import type { Clock } from "../queue/clock.ts";
import type { Queue } from "../queue/queue.ts";
import type { HeldContent } from "../store/held-content.ts";
import type { Store } from "../store/store.ts";
import type { LogRow } from "./records.ts";
import type { ShownHeader } from "./shown-header.ts";

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

/** Answers of DNS; an empty list if there is no such record. */
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
  /** The account's domain that received it. */
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
  /** The same as rows hold it; absent: it has to be encoded. */
  readonly held?: HeldContent | undefined;
  /** Its fields that lists show; absent: they have to be read. */
  readonly shown?: ShownHeader | undefined;
}

/** The destination's answer. 2xx: delivered; 4xx: tried again later; 5xx: refused for good. */
export interface HandoverAnswer {
  /** `false`: no host answered, and the service made this answer; default `true`. */
  readonly reached?: boolean;
  readonly code: number;
  readonly message: string;
  /** The host that answered. */
  readonly server: string;
  /** Milliseconds of the service's clock after which the answer comes; default 0. */
  readonly afterMs?: number;
}

/** The outside world, to which mail is delivered. Failures are answers; rejects only with a `StoreUnavailableError`. */
export interface Outbound {
  /** The host for all destinations of a kind, if there is a single one. */
  hostOf?(kind: Parcel["kind"]): string | undefined;
  /** Whether destinations of a kind answer at once, so that nothing has to wait for a slot. */
  isInstant?(kind: Parcel["kind"]): boolean;
  /** Ends running deliveries; later ones fail at once. */
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

/** Most items to keep. */
export interface Keep {
  /** Messages in the inboxes, and octets of all of them; the newest one stays, however large. */
  readonly messages: number;
  readonly bytes: number;
  /** Entries of the log, over all domains. */
  readonly logs: number;
}

export interface ServiceSettings {
  /** The service's own name in EHLO, Received fields and logs. */
  readonly hostname: string;
  /** Where a domain's MX records must point. */
  readonly mxHosts: readonly string[];
  /** The domain of the targets of DKIM records; default: the parent of the first MX host. */
  readonly dkimHost?: string | undefined;
  /** The domain that SPF records include; default `spf.` below the parent of the first MX host. */
  readonly spfHost?: string | undefined;
  /** How much received mail and log is kept; the oldest is dropped first. */
  readonly keep?: Keep | undefined;
  /** The server that gets all mail for mailboxes; default: mailboxes are simulated. */
  readonly relay?: { readonly host: string; readonly port: number } | undefined;
  /** Secret of SRS addresses and of deterministic salts. */
  readonly secret: string;
}

/** The identity of this process among all that share or have shared the state. */
export interface ServiceNode {
  readonly epoch: number;
  /** `shared`: the slots of destination hosts are counted for all processes together; default: this one is alone. */
  readonly slots?: "shared" | undefined;
  /** Whether the process with that epoch may still be running. */
  isAlive(epoch: number): Promise<boolean>;
}

/** Receives the cost of a decision. */
export interface DecisionWatch {
  /** Every decision adds to these counters. */
  readonly stats: ResolveStats;
  /** `stage`: how far the message was read. */
  decided(stage: string, seconds: number): void;
}

/** Failed sign-ins by address; an address is forgotten `LIMITS.signInWindowMs` after its last failure. */
export interface SignInFailures {
  /** The number of failures. */
  countOf(address: string): Promise<number>;
  /** Adds a failure, and returns the new number. */
  add(address: string): Promise<number>;
  clear(address: string): Promise<void>;
}

export interface Service {
  readonly watch?: DecisionWatch | undefined;
  /** Default: none, because the state ends with the process and no attempt can be interrupted. */
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
  /** Reuses what it compiled before when a domain changes. */
  readonly compiler: Compiler;
  /** The host's own rule types, which the compiler also has. */
  readonly ruleTypes?: readonly RuleType[] | undefined;
  /** Running deliveries by host. */
  readonly slots: Slots;
  /** Failed sign-ins if nodes count them together; default: each server counts its own. */
  readonly signIns?: SignInFailures | undefined;
  /** Notifies watchers; never throws. */
  notify(event: ServiceEvent): void;
}
