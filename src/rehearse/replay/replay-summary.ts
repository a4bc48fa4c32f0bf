/** The summary of a replay: hits of each rule, messages without a match, failures, destinations, and slow messages. */
import type { Action } from "../../engine/routing/resolution.ts";
import type { UnreadableMessage } from "../diff/compare.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import type { NotMailEntry, SlowMessage, Tally } from "./replay-tally.ts";

/** How many decisions one alias or rule made. */
export interface EntryHits {
  readonly kind: "rule" | "alias";
  readonly id: string;
  readonly rank?: number;
  readonly decisions: number;
}

/** The totals of a replay, in the order in which a report shows them. */
export interface ReplaySummary {
  readonly messages: number;
  /** Octets of the files, as they are stored. */
  readonly bytes: number;
  readonly withoutRecipient: number;
  readonly unreadable: { readonly count: number; readonly first: readonly UnreadableMessage[] };
  /** Files that are not mail, by reason, and the first of them. */
  readonly skipped: {
    readonly count: number;
    readonly reasons: Readonly<Record<string, number>>;
    readonly first: readonly NotMailEntry[];
  };
  /** Mail that was read but is doubtful. */
  readonly warnings: { readonly count: number; readonly first: readonly NotMailEntry[] };
  /** Mbox files, counted by how they separate their messages. */
  readonly dialects: Readonly<Record<string, number>>;
  /** One for each message and recipient: the sum of `actions`, and of `entries`, `fallback`, `noMatch` and `overBudget`. */
  readonly decisions: number;
  readonly actions: Readonly<Record<Action, number>>;
  /** The entries that the domain routes by, in the order of trial, with active ones that have no hit. */
  readonly entries: readonly EntryHits[];
  readonly fallback: number;
  /** No match and no fallback address, or no routing at all. */
  readonly noMatch: number;
  /** Messages that spent their budget; they went to the fallback address, or were rejected. */
  readonly overBudget: number;
  readonly failures: readonly {
    readonly rule: string;
    readonly count: number;
    readonly message: string;
    readonly failure: string;
  }[];
  /** The most frequent ones. */
  readonly destinations: readonly { readonly destination: string; readonly deliveries: number }[];
  readonly deliveries: number;
  readonly slowest: readonly SlowMessage[];
}

const DESTINATIONS_SHOWN = 20;

function hitsOf({ domain }: RehearsedDomain, deciders: ReadonlyMap<string, number>): EntryHits[] {
  const decisions = (kind: "rule" | "alias", id: string): number =>
    deciders.get(`${kind} ${id}`) ?? 0;
  if (domain.engine === "alias") {
    return domain.aliases.map(({ id }) => ({
      kind: "alias",
      id,
      decisions: decisions("alias", id),
    }));
  }
  if (domain.engine === null) return [];
  return domain.rules
    .filter(({ active }) => active)
    .map(({ id, rank }) => ({ kind: "rule", id, rank, decisions: decisions("rule", id) }));
}

/** Summarises a replay: decisions by rule, failures, destinations. */
export function summaryOf(rehearsed: RehearsedDomain, tally: Tally): ReplaySummary {
  const { messages, bytes, decisions, withoutRecipient, slowest } = tally;
  const deciders = new Map(tally.deciders);
  const actions = { forward: 0, discard: 0, reject: 0, ...Object.fromEntries(tally.actions) };
  const deliveries = tally.destinations.reduce(
    (sum, [, times]) => sum + times,
    tally.otherDestinations,
  );
  const destinations = [...tally.destinations]
    .sort(([, a], [, b]) => b - a)
    .slice(0, DESTINATIONS_SHOWN)
    .map(([destination, times]) => ({ destination, deliveries: times }));
  return {
    messages,
    bytes,
    withoutRecipient,
    unreadable: { count: tally.unreadable, first: tally.unreadableFirst },
    skipped: {
      count: tally.skipped.reduce((sum, [, times]) => sum + times, 0),
      reasons: Object.fromEntries(tally.skipped),
      first: tally.skippedFirst,
    },
    warnings: { count: tally.warnings, first: tally.warningsFirst },
    dialects: Object.fromEntries(tally.dialects),
    decisions,
    actions,
    entries: hitsOf(rehearsed, deciders),
    fallback: deciders.get("fallback") ?? 0,
    noMatch: (deciders.get("no-match") ?? 0) + (deciders.get("routing-disabled") ?? 0),
    overBudget: deciders.get("over-budget") ?? 0,
    failures: tally.failures.map(([rule, failure]) => ({ rule, ...failure })),
    destinations,
    deliveries,
    slowest,
  };
}
