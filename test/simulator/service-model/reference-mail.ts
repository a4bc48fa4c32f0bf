/** Mail through the account of the reference: who takes it, where it goes, and what its log says in the end. */
import {
  PLAN,
  type RefDomain,
  type RefEvent,
  type Reference,
  type RefLog,
  type Verdict,
} from "./reference.ts";
import { type Mail, ruleHolds } from "./vocabulary.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How long after each attempt the next one is made. */
const RETRY_MS = {
  mailbox: [
    ...[5, 15, 30].map((minutes) => minutes * MINUTE_MS),
    ...[1, 2, 4, 8, 12, 24, 24, 24].map((hours) => hours * HOUR_MS),
  ],
  webhook: [MINUTE_MS, 10 * MINUTE_MS],
};
const RETENTION_MS = 90 * DAY_MS;
/** Attempts in a row that nobody answers, after which a host is left alone: for a minute, then for two, four, … up to 30. */
const BREAKER_FAILURES = 5;
const pauseMs = (failures: number): number =>
  Math.min(30, 2 ** (failures - BREAKER_FAILURES)) * MINUTE_MS;

export interface RefFault {
  readonly id: string;
  readonly match: string;
  readonly code: number;
  /** `answer`: the destination has the message all the same. `connect`: nobody answers. */
  readonly stage: "rcpt" | "answer" | "connect";
  readonly delayMs: number;
}

/** A message as it goes from domain to domain. */
export interface RefMail extends Mail {
  /** The recipients whose domains have passed it on. */
  readonly deliveredTo: readonly string[];
}

/** A host that gave no answer lately. */
export interface RefHost {
  readonly failures: number;
  readonly openUntilMs: number | null;
}

interface RefDelivery {
  readonly domain: string;
  readonly log: RefLog;
  readonly destination: string;
  readonly mail: RefMail;
  attempts: number;
  /** When the next thing happens: an attempt, or the answer to one. */
  atMs: number;
  /** Its place among those of the same time: the order in which they came to wait for it. */
  turn: number;
  answer: number | undefined;
}

/** The sender's address as a forwarder rewrites it, without what only it can make: `SRS0=…=source.test=ann@one.test`. */
function returnPath(sender: string, domain: string): string {
  const [local, host] = sender.split("@");
  return `SRS0=${host}=${local}@${domain}`;
}

/** One recipient's answer, and what is logged for it. */
export interface Expected {
  readonly code: number;
  readonly domain: string | null;
  readonly entries: readonly Omit<RefLog, "id" | "createdMs">[];
}

/** Where an alias or rule sends it; `null`: nobody takes it. */
function destinationsOf(domain: RefDomain, mail: Mail, recipient: string): string[] | null {
  const { routing_engine: engine, rules_fallback_email: fallback } = domain.fields;
  if (engine === null) return null;
  const local = recipient.slice(0, recipient.indexOf("@"));
  if (engine === "rules") {
    const rule = domain.rules
      .filter(({ active }) => active)
      .sort((a, b) => a.rank - b.rank || a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1))
      .find((each) => ruleHolds(each, mail, recipient));
    if (rule === undefined) return fallback === null ? [] : [fallback];
    return split(rule.config.forward);
  }
  const wanted = [local, local.split("+")[0]!, local.startsWith("s") ? "s*" : "*", "*"];
  for (const form of wanted) {
    const found = domain.aliases.find(({ alias }) => alias.toLowerCase() === form);
    if (found !== undefined) return split(found.forward);
  }
  return null;
}

function split(forward: string): string[] {
  return forward === "null" ? [] : forward.split(", ");
}

function hostOf(destination: string): string {
  return destination.startsWith("http")
    ? new URL(destination).origin
    : destination.slice(destination.indexOf("@") + 1);
}

function isStruck(destination: string, { match }: RefFault): boolean {
  return match.startsWith("*") ? destination.endsWith(match.slice(1)) : destination === match;
}

export class ReferenceMail {
  faults: RefFault[] = [];
  /** Messages that each destination has received, by destination. */
  readonly received: Map<string, number> = new Map();
  /** Those of them that nobody has read; without those that have none. */
  readonly unread: Map<string, number> = new Map();
  readonly hosts: Map<string, RefHost> = new Map();
  private deliveries: RefDelivery[] = [];
  private turns = 0;
  private readonly used: Map<string, number> = new Map();
  private readonly account: Reference;

  constructor(account: Reference) {
    this.account = account;
  }

  private left(direction: "receive" | "send"): number {
    const day = Math.floor(this.account.nowMs / DAY_MS);
    return PLAN[`daily_${direction}_limit`] - (this.used.get(`${direction} ${day}`) ?? 0);
  }

  private use(direction: "receive" | "send", count: number): void {
    const key = `${direction} ${Math.floor(this.account.nowMs / DAY_MS)}`;
    this.used.set(key, (this.used.get(key) ?? 0) + count);
  }

  /** What each recipient is answered, in order; counts what is accepted. `envelopeSender`: by default the author. */
  receive(
    mail: RefMail,
    recipients: readonly string[],
    envelopeSender: string = mail.sender,
  ): readonly Expected[] {
    let accepted = 0;
    const answers = recipients.map((recipient): Expected => {
      const domain = this.account.find(recipient.slice(recipient.indexOf("@") + 1));
      if (domain === undefined) return { code: 550, domain: null, entries: [] };
      const base = { sender: mail.sender, recipient, transport: "mx" } as const;
      const happened = (status: string, code: number): RefEvent => ({
        status,
        code,
        atMs: this.account.nowMs,
      });
      const refuse = (code: number): Expected => ({
        code,
        domain: domain.name,
        entries: [
          {
            ...base,
            sender: envelopeSender,
            subject: "",
            forward: null,
            events: [happened("REFUSED", code)],
          },
        ],
      });
      if (!domain.isReady) return refuse(450);
      const destinations = destinationsOf(domain, mail, recipient);
      if (destinations === null) return refuse(550);
      if (this.left("receive") <= accepted) return refuse(452);
      if (mail.deliveredTo.includes(recipient)) {
        const events = [happened("REFUSED", 554)];
        const entry = { ...base, subject: mail.subject, forward: null, events };
        return { code: 554, domain: domain.name, entries: [entry] };
      }
      accepted++;
      const queued = happened("QUEUED", 250);
      const entry = (forward: string | null, events: RefEvent[]): Expected["entries"][number] => ({
        ...base,
        subject: mail.subject,
        forward,
        events,
      });
      const entries =
        destinations.length === 0
          ? [entry(null, [queued, happened("DELIVERED", 250)])]
          : destinations.map((each) => entry(each, [queued]));
      return { code: 250, domain: domain.name, entries };
    });
    this.use("receive", accepted);
    return answers;
  }

  /** Keeps an entry under the id that it was given; `destination`: where it is still to go. */
  keep(
    domain: string,
    id: string,
    entry: Expected["entries"][number],
    destination: string | null,
    mail: RefMail,
  ): void {
    const log = { ...entry, id, createdMs: this.account.nowMs };
    this.account.find(domain)!.logs.push(log);
    if (destination === null) return;
    const delivery = { domain, log, destination, mail, attempts: 0, atMs: 0, turn: 0 };
    this.deliveries.push(this.scheduled({ ...delivery, answer: undefined }, log.createdMs));
  }

  /** Mail that a domain sends to one mailbox. */
  send(name: string): Verdict {
    const domain = this.account.find(name);
    if (domain === undefined) return 404;
    if (!domain.maySend || this.left("send") < 1) return 403;
    this.use("send", 1);
    return "done";
  }

  advance(ms: number): void {
    const untilMs = this.account.nowMs + ms;
    for (;;) {
      const next = Math.min(...this.deliveries.map(({ atMs }) => atMs));
      if (!(next <= untilMs)) break;
      this.account.nowMs = Math.max(this.account.nowMs, next);
      this.run();
    }
    this.account.nowMs = untilMs;
    for (const domain of this.account.domains) {
      domain.logs = domain.logs.filter(({ createdMs }) => createdMs >= untilMs - RETENTION_MS);
    }
  }

  /** Deletes what a destination has received; how many there were. */
  deleteMessages(destination: string): number {
    const count = this.received.get(destination) ?? 0;
    this.received.delete(destination);
    this.unread.delete(destination);
    return count;
  }

  /** Marks what a destination has received read or unread; how many there were. */
  markMessages(destination: string, read: boolean): number {
    const count = this.received.get(destination) ?? 0;
    if (read || count === 0) this.unread.delete(destination);
    else this.unread.set(destination, count);
    return count;
  }

  /** Does all that is due. */
  run(): void {
    const { account } = this;
    this.deliveries = this.deliveries.filter(({ domain, log }) =>
      // A domain that was deleted has taken its mail with it, even when it has come back.
      account.find(domain)?.logs.includes(log),
    );
    for (;;) {
      const [first] = this.deliveries.sort((a, b) => a.atMs - b.atMs || a.turn - b.turn);
      if (first === undefined || first.atMs > account.nowMs) return;
      this.step(first);
    }
  }

  private scheduled(delivery: RefDelivery, atMs: number): RefDelivery {
    return Object.assign(delivery, { atMs, turn: this.turns++ });
  }

  /** Deliveries that wait until the circuit of their host is closed again. */
  waitingFor(host: string): number {
    const untilMs = this.hosts.get(host)?.openUntilMs;
    return this.deliveries.filter(
      ({ atMs, destination }) => atMs === untilMs && hostOf(destination) === host,
    ).length;
  }

  private step(delivery: RefDelivery): void {
    const { destination, log } = delivery;
    const kind = destination.startsWith("http") ? "webhook" : "mailbox";
    let code = delivery.answer;
    delivery.answer = undefined;
    if (code === undefined) {
      const untilMs = this.hosts.get(hostOf(destination))?.openUntilMs ?? 0;
      if (this.account.nowMs < untilMs) {
        this.scheduled(delivery, untilMs);
        return;
      }
      const fault = this.faults.find((each) => isStruck(destination, each));
      const isTaken = fault === undefined || fault.stage === "answer";
      const own = isTaken ? this.handOver(delivery) : 0;
      code = fault === undefined ? own : kind === "webhook" ? 450 : fault.code;
      this.noteReach(hostOf(destination), fault?.stage !== "connect");
      if (fault !== undefined && fault.delayMs > 0) {
        delivery.answer = code;
        this.scheduled(delivery, this.account.nowMs + fault.delayMs);
        return;
      }
    }
    delivery.attempts++;
    const retryMs = RETRY_MS[kind][delivery.attempts - 1];
    const isSoft = code >= 400 && code < 500;
    const status =
      code < 300
        ? "DELIVERED"
        : !isSoft
          ? "HARD-BOUNCE"
          : retryMs === undefined
            ? "BOUNCED"
            : "SOFT-BOUNCE";
    log.events.push({ status, code, atMs: this.account.nowMs });
    if (status === "SOFT-BOUNCE") this.scheduled(delivery, this.account.nowMs + retryMs!);
    else this.deliveries = this.deliveries.filter((each) => each !== delivery);
  }

  /** The destination's own answer. */
  private handOver({ destination, domain, log, mail }: RefDelivery): number {
    const own = this.account.find(hostOf(destination));
    if (own !== undefined) {
      const passed = { ...mail, deliveredTo: [...mail.deliveredTo, log.recipient] };
      const [answer] = this.receive(passed, [destination], returnPath(mail.sender, domain));
      for (const entry of answer!.entries) {
        this.keep(own.name, "", entry, entry.forward, passed);
      }
      return answer!.code;
    }
    const code = Number(/^(\d{3})@bounce\.test$/.exec(destination)?.[1] ?? 250);
    if (code < 300) {
      this.received.set(destination, (this.received.get(destination) ?? 0) + 1);
      this.unread.set(destination, (this.unread.get(destination) ?? 0) + 1);
    }
    return code;
  }

  private noteReach(host: string, isReached: boolean): void {
    if (isReached) {
      this.hosts.delete(host);
      return;
    }
    const failures = (this.hosts.get(host)?.failures ?? 0) + 1;
    const isOpen = failures >= BREAKER_FAILURES;
    const openUntilMs = isOpen ? this.account.nowMs + pauseMs(failures) : null;
    this.hosts.set(host, { failures, openUntilMs });
  }
}
