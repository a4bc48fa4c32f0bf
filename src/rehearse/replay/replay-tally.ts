/** The counts of a replay: of one batch of messages, and of all batches merged in the order of the source. */
import type { Decision } from "../../engine/routing/resolution.ts";
import type { NotMail } from "../../mailbox/not-mail.ts";
import type { UnreadableMessage } from "../diff/compare.ts";
import { deciderKey, deciderOf, outcomeOf } from "../outcome.ts";

/** How often a rule failed, and its first such message. */
export interface RuleFailure {
  readonly count: number;
  readonly message: string;
  readonly failure: string;
}

/** A message that took long to route. */
export interface SlowMessage {
  readonly message: string;
  /** Milliseconds from reading its first octet to its last decision. */
  readonly ms: number;
}

/** Something found besides messages: its name, why it is not read or doubtful, and a line for people. */
export type NotMailEntry = Pick<NotMail, "name" | "reason" | "message">;

/** Plain JSON; counts are lists of pairs, in the order of first appearance. */
export interface Tally {
  readonly messages: number;
  /** Octets of the files, as they are stored. */
  readonly bytes: number;
  readonly decisions: number;
  readonly withoutRecipient: number;
  readonly unreadable: number;
  /** The first ones. */
  readonly unreadableFirst: readonly UnreadableMessage[];
  /** Files that are not mail, by reason, and the first of them. */
  readonly skipped: readonly (readonly [string, number])[];
  readonly skippedFirst: readonly NotMailEntry[];
  /** Number of entries that were read but are doubtful, and the first of them. */
  readonly warnings: number;
  readonly warningsFirst: readonly NotMailEntry[];
  /** Mbox files, counted by how they separate their messages. */
  readonly dialects: readonly (readonly [string, number])[];
  readonly actions: readonly (readonly [string, number])[];
  /** By `deciderKey`. */
  readonly deciders: readonly (readonly [string, number])[];
  readonly destinations: readonly (readonly [string, number])[];
  /** Deliveries to destinations beyond those counted one by one. */
  readonly otherDestinations: number;
  /** By rule id. */
  readonly failures: readonly (readonly [string, RuleFailure])[];
  /** The slowest first. */
  readonly slowest: readonly SlowMessage[];
}

/** Destinations to count one by one: captures can make as many as there are messages. */
const DESTINATIONS_MAX = 100_000;
const UNREADABLE_MAX = 100;
const NOT_MAIL_MAX = 100;
const SLOWEST_MAX = 10;

/**
 * Counts messages or whole tallies. What it keeps is bounded, except with `all destinations`: only a whole replay
 * shows which destinations come first, so a part of a replay keeps all of its own.
 */
export class TallyCounter {
  readonly #destinationsMax: number;
  #messages = 0;
  #bytes = 0;
  #decisions = 0;
  #withoutRecipient = 0;
  #unreadable = 0;
  #otherDestinations = 0;
  #warnings = 0;
  readonly #unreadableFirst: UnreadableMessage[] = [];
  readonly #skipped = new Map<string, number>();
  readonly #skippedFirst: NotMailEntry[] = [];
  readonly #warningsFirst: NotMailEntry[] = [];
  readonly #dialects = new Map<string, number>();
  readonly #actions = new Map<string, number>();
  readonly #deciders = new Map<string, number>();
  readonly #destinations = new Map<string, number>();
  readonly #failures = new Map<string, RuleFailure>();
  #slowest: SlowMessage[] = [];

  constructor(keeps: "all destinations" | "the first destinations") {
    this.#destinationsMax =
      keeps === "all destinations" ? Number.POSITIVE_INFINITY : DESTINATIONS_MAX;
  }

  /** Counts a message that was read, with the number of its recipients. */
  message(name: string, recipients: number, ms: number): void {
    this.#messages++;
    if (recipients === 0) this.#withoutRecipient++;
    this.#slow({ message: name, ms });
  }

  unreadable(message: UnreadableMessage): void {
    this.#messages++;
    this.#unreadable++;
    if (this.#unreadableFirst.length < UNREADABLE_MAX) this.#unreadableFirst.push(message);
  }

  /** Counts something found besides messages. */
  notMail({ name, kind, reason, message }: NotMail): void {
    const entry = { name, reason, message };
    switch (kind) {
      case "unreadable":
        this.#unreadable++;
        push(this.#unreadableFirst, [{ name, failure: message }], UNREADABLE_MAX);
        return;
      case "skipped":
        increase(this.#skipped, reason, 1);
        push(this.#skippedFirst, [entry], NOT_MAIL_MAX);
        return;
      case "warning":
        this.#warnings++;
        push(this.#warningsFirst, [entry], NOT_MAIL_MAX);
        return;
      case "note":
        increase(this.#dialects, message, 1);
    }
  }

  bytes(count: number): void {
    this.#bytes += count;
  }

  decision(decision: Decision): void {
    this.#decisions++;
    const outcome = outcomeOf(decision);
    increase(this.#actions, outcome.action, 1);
    increase(this.#deciders, deciderKey(deciderOf(outcome)), 1);
    for (const destination of outcome.destinations) this.#deliver(destination, 1);
  }

  failure(rule: string, failure: RuleFailure): void {
    const known = this.#failures.get(rule);
    const count = failure.count + (known?.count ?? 0);
    this.#failures.set(rule, { ...(known ?? failure), count });
  }

  /** Adds a tally counted later in the source. */
  add(tally: Tally): void {
    this.#messages += tally.messages;
    this.#bytes += tally.bytes;
    this.#decisions += tally.decisions;
    this.#withoutRecipient += tally.withoutRecipient;
    this.#unreadable += tally.unreadable;
    this.#otherDestinations += tally.otherDestinations;
    push(this.#unreadableFirst, tally.unreadableFirst, UNREADABLE_MAX);
    for (const [reason, times] of tally.skipped) increase(this.#skipped, reason, times);
    push(this.#skippedFirst, tally.skippedFirst, NOT_MAIL_MAX);
    this.#warnings += tally.warnings;
    push(this.#warningsFirst, tally.warningsFirst, NOT_MAIL_MAX);
    for (const [dialect, times] of tally.dialects) increase(this.#dialects, dialect, times);
    for (const [action, times] of tally.actions) increase(this.#actions, action, times);
    for (const [decider, times] of tally.deciders) increase(this.#deciders, decider, times);
    for (const [destination, times] of tally.destinations) this.#deliver(destination, times);
    for (const [rule, failure] of tally.failures) this.failure(rule, failure);
    for (const slow of tally.slowest) this.#slow(slow);
  }

  #deliver(destination: string, times: number): void {
    const isKnown = this.#destinations.has(destination);
    if (isKnown || this.#destinations.size < this.#destinationsMax) {
      increase(this.#destinations, destination, times);
    } else {
      this.#otherDestinations += times;
    }
  }

  #slow(slow: SlowMessage): void {
    const last = this.#slowest.at(-1);
    if (this.#slowest.length === SLOWEST_MAX && last !== undefined && slow.ms <= last.ms) return;
    this.#slowest.push(slow);
    this.#slowest.sort((a, b) => b.ms - a.ms);
    this.#slowest = this.#slowest.slice(0, SLOWEST_MAX);
  }

  progress(): { readonly messages: number; readonly bytes: number } {
    return { messages: this.#messages, bytes: this.#bytes };
  }

  tally(): Tally {
    return {
      messages: this.#messages,
      bytes: this.#bytes,
      decisions: this.#decisions,
      withoutRecipient: this.#withoutRecipient,
      unreadable: this.#unreadable,
      unreadableFirst: [...this.#unreadableFirst],
      skipped: [...this.#skipped],
      skippedFirst: [...this.#skippedFirst],
      warnings: this.#warnings,
      warningsFirst: [...this.#warningsFirst],
      dialects: [...this.#dialects],
      actions: [...this.#actions],
      deciders: [...this.#deciders],
      destinations: [...this.#destinations],
      otherDestinations: this.#otherDestinations,
      failures: [...this.#failures],
      slowest: [...this.#slowest],
    };
  }
}

/** Adds to a list of bounded length. */
function push<T>(list: T[], more: readonly T[], lengthMax: number): void {
  list.push(...more.slice(0, lengthMax - list.length));
}

function increase(counts: Map<string, number>, key: string, times: number): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}
