/** Compares two configurations of a domain on mail: which messages go another way, which rules decided them, and why. */

import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import type { TraceEntry } from "../../engine/routing/explain.ts";
import { explain } from "../../engine/routing/explain.ts";
import type { MessageFacts } from "../../message/header/message-facts.ts";
import { toFacts } from "../../message/index.ts";
import {
  type Decider,
  deciderKey,
  deciderOf,
  type Outcome,
  outcomeOf,
  sameOutcome,
} from "../outcome.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import {
  answer,
  type Reader,
  readerOf,
  recipientsNamed,
  type SourceMessage,
} from "../route-message.ts";
import { toolsOf } from "../rules/tools-table.ts";
import type { Delta } from "./config-delta.ts";
import { type CauseFinder, causeFinder } from "./find-cause.ts";

/** A message of the source that could not be read. */
export interface UnreadableMessage {
  readonly name: string;
  readonly failure: string;
}

/** The messages to compare on, read one after the other. */
export type Sources = AsyncIterable<SourceMessage | UnreadableMessage>;

/** Where a message went: its outcome, and the entry that decided, with its texts cut for display. */
export interface Way {
  readonly outcome: Outcome;
  readonly decidedBy: TraceEntry | null;
  /** The decider in the other version, and why it fails on the message in this one. */
  readonly failure: { readonly decider: Decider; readonly why: string } | null;
}

/** A message that goes another way. */
export interface Change {
  readonly message: string;
  readonly recipient: string;
  readonly before: Way;
  readonly after: Way;
  /** The differences of the domains that cause it; empty if they could not be determined. */
  readonly cause: readonly Delta[];
}

/** All changes from one decider to another. */
export interface ChangeGroup {
  readonly from: Decider;
  readonly to: Decider;
  readonly count: number;
  /** All decisions of `from` in the old version, and of `to` in the new one. */
  readonly fromHad: number;
  readonly toHas: number;
  /** The first ones. */
  readonly examples: readonly Change[];
}

/** What two versions of a domain do differently with the same mail. */
export interface Comparison {
  readonly messages: number;
  /** Messages without a recipient at the domain, and messages that could not be read. */
  readonly withoutRecipient: number;
  readonly unreadable: readonly UnreadableMessage[];
  /** One decision for each message and recipient. */
  readonly decisions: number;
  readonly changed: number;
  /** The largest first. */
  readonly groups: readonly ChangeGroup[];
  /** All differences between the configurations. */
  readonly deltas: readonly Delta[];
}

/** Options of `compareDomains`. */
export interface CompareOptions {
  /** Recipients of every message; default: those that it names at the domain. */
  readonly recipients?: readonly string[] | undefined;
  /** Envelope sender of every message; `""` is the null sender. Rules see it if From has no usable address. */
  readonly sender?: string | undefined;
  /** Examples to keep of each group; default 3. */
  readonly examplesMax?: number | undefined;
  /** Called with every change, in the order of the source. */
  readonly onChange?: ((change: Change) => Promise<void> | void) | undefined;
  /** Called with every message. */
  readonly onMessage?: ((message: string) => Promise<void> | void) | undefined;
}

const EXAMPLES_MAX = 3;
/** Unreadable messages to remember by name. */
const UNREADABLE_MAX = 100;

interface Group {
  readonly from: Decider;
  readonly to: Decider;
  count: number;
  readonly examples: Change[];
}

interface Totals {
  readonly before: Map<string, number>;
  readonly after: Map<string, number>;
  readonly groups: Map<string, Group>;
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The envelope of one decision, without `sender` if it is unknown. */
interface OneEnvelope {
  readonly recipient: string;
  readonly sender?: string;
}

async function outcomeFor(
  domain: CompiledDomain,
  { recipient, sender }: OneEnvelope,
  reader: Reader,
): Promise<Outcome> {
  const question = { domain, recipient, sender, senderSource: "header" } as const;
  return outcomeOf((await answer({ ...question, trace: "nothing" }, reader)).decision);
}

/** Why an alias or rule that decides in the other version fails in this one. */
function failureOf(decider: Decider, trace: readonly TraceEntry[]): Way["failure"] {
  if (!("id" in decider)) return null;
  const entry = trace.find(({ kind, id }) => kind === decider.kind && id === decider.id);
  if (entry?.verdict !== "failed") return null;
  return { decider, why: entry.failure ?? "" };
}

async function describe(
  message: string,
  envelope: OneEnvelope,
  reader: Reader,
  pair: readonly [RehearsedDomain, RehearsedDomain],
  finder: CauseFinder,
): Promise<Change> {
  const facts = toFacts(envelope, (await reader.upTo("body")) as MessageFacts);
  const traced = pair.map(({ domain }) => {
    const { resolution, trace } = explain(domain, facts);
    if (resolution.verdict !== "decided")
      throw new TypeError("a fact of a whole message is unknown");
    return { outcome: outcomeOf(resolution), trace };
  });
  const [before, after] = traced.map(({ outcome, trace }, index): Way => {
    const entry = trace.find(({ verdict }) => verdict === "matched");
    return {
      outcome,
      decidedBy: entry === undefined ? null : toolsOf(entry).shorten(entry),
      failure: failureOf(deciderOf(traced[1 - index]!.outcome), trace),
    };
  }) as [Way, Way];
  const { recipient } = envelope;
  return {
    message,
    recipient,
    before,
    after,
    cause: finder.causeOf(facts, before.outcome, after.outcome),
  };
}

function groupOf({ groups }: Totals, before: Outcome, after: Outcome): Group {
  const [from, to] = [deciderOf(before), deciderOf(after)];
  const key = JSON.stringify([deciderKey(from), deciderKey(to)]);
  const known = groups.get(key);
  if (known !== undefined) return known;
  const group: Group = { from, to, count: 0, examples: [] };
  groups.set(key, group);
  return group;
}

function finish({ before, after, groups }: Totals): readonly ChangeGroup[] {
  const finished = [...groups.values()].map(
    ({ from, to, count, examples }): ChangeGroup => ({
      from,
      to,
      count,
      fromHad: before.get(deciderKey(from)) ?? 0,
      toHas: after.get(deciderKey(to)) ?? 0,
      examples,
    }),
  );
  return finished.sort((a, b) => b.count - a.count);
}

/**
 * Routes every message in both domains. If only the deciding rule changes and the destinations stay, that is no
 * change. Memory does not grow with the number of messages.
 */
export async function compareDomains(
  before: RehearsedDomain,
  after: RehearsedDomain,
  sources: Sources,
  options: CompareOptions = {},
): Promise<Comparison> {
  const { recipients, sender, examplesMax = EXAMPLES_MAX, onChange, onMessage } = options;
  const finder = causeFinder(before, after);
  const totals: Totals = { before: new Map(), after: new Map(), groups: new Map() };
  const unreadable: UnreadableMessage[] = [];
  let [messages, decisions, changed, withoutRecipient] = [0, 0, 0, 0];
  for await (const source of sources) {
    messages++;
    await onMessage?.(source.name);
    if ("failure" in source) {
      if (unreadable.length < UNREADABLE_MAX) unreadable.push(source);
      continue;
    }
    const reader = readerOf(source);
    const named = recipients ?? (await recipientsNamed(before.domain, reader));
    if (named.length === 0) withoutRecipient++;
    for (const recipient of named) {
      decisions++;
      const envelope = sender === undefined ? { recipient } : { recipient, sender };
      const from = await outcomeFor(before.domain, envelope, reader);
      const to = await outcomeFor(after.domain, envelope, reader);
      increase(totals.before, deciderKey(deciderOf(from)));
      increase(totals.after, deciderKey(deciderOf(to)));
      if (sameOutcome(from, to)) continue;
      changed++;
      const group = groupOf(totals, from, to);
      group.count++;
      if (onChange === undefined && group.examples.length >= examplesMax) continue;
      const change = await describe(source.name, envelope, reader, [before, after], finder);
      if (group.examples.length < examplesMax) group.examples.push(change);
      await onChange?.(change);
    }
  }
  const groups = finish(totals);
  return {
    messages,
    withoutRecipient,
    unreadable,
    decisions,
    changed,
    groups,
    deltas: finder.deltas,
  };
}
