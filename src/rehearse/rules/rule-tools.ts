/** What the tools must know about a type of rule; the engine knows the rest (`RuleType`). */

import type { Facts } from "../../engine/facts/facts.ts";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import type { RuleTraceEntry, TraceEntry } from "../../engine/routing/explain.ts";
import type { Scope } from "../../engine/routing/resolution.ts";
import type { Condition, spanKey } from "../cel-conditions.ts";
import type { Finding } from "../check/pattern-warnings.ts";
import type { Slip } from "../mutate/slips.ts";
import type { AtomTable } from "../proof/formula/formula.ts";
import type { MatchWay } from "../proof/formula/rule-formula.ts";
import type { FailedClause } from "../why/failed-clause.ts";
import type { MessageChange } from "../why/message-change.ts";
import type { Captures } from "../why/pattern-example.ts";
import type { Line } from "../words/line.ts";
import type { RuleProposal } from "./this-message.ts";

export type Config = Readonly<Record<string, unknown>>;

/** A change of one field of a rule: a field of `config`, or `active` or `rank`. */
export interface RuleChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Changes of a message that belong together. */
export type MessageChanges = readonly MessageChange[];

/** What the messages so far have reached in a rule. */
export interface Reached {
  readonly scopes: Map<Scope, number>;
  /** How often a condition was true, and false, by its span as `spanKey` writes it. */
  readonly trueAt: Map<ReturnType<typeof spanKey>, number>;
  readonly falseAt: Map<ReturnType<typeof spanKey>, number>;
}

/** One row of `RULE_TOOLS`. Configs belong to rules that compile. */
export interface RuleTools<Entry extends TraceEntry = RuleTraceEntry> {
  /** The field of `config` that says what the rule matches. */
  readonly condition: string;
  /** A rule's condition as a noun: `the pattern /x/ in subject`. */
  describe(rule: RuleProposal): string;
  /** Whether it can fail on a message even if no capture fills its forward. */
  readonly fails: "never" | "on some messages";
  /** Warnings that are certain from the condition alone; `domain` is that of the recipients. */
  findings(config: Config, domain: string): readonly Finding[];
  /** When a rule matches, in each of its ways, for proofs; `null`: nothing is known. */
  ways(config: Config, domain: string, atoms: AtomTable): readonly MatchWay[] | null;
  /** Small changes of the condition, like slips of its author. */
  slips(config: Config): readonly Slip[];
  /** What tests can cover besides a match. */
  parts(config: Config): {
    readonly scopes: readonly Scope[];
    readonly conditions: readonly Condition[];
  };
  count(entry: Entry, reached: Reached): void;
  /** The entry of a match with its texts cut to the surroundings of the match, so that many can be kept. */
  shorten(entry: Entry): TraceEntry;
  /** Describes why an entry matched, or how closely it missed. */
  matched(entry: Entry): Line;
  missed(entry: Entry): Line;
  /** Why an entry that was tried did not match. */
  failedClauses(entry: Entry, facts: Facts): readonly FailedClause[];
  /** Changes that most likely make the rule match, after it missed. */
  widen(entry: Entry, facts: Facts): readonly RuleChange[];
  /** Changes that add an alternative for this message. The alternative captures nothing. */
  addAlternative(entry: Entry, facts: Facts): readonly RuleChange[];
  /** A new rule that an administrator would add next to one of this type for mail like this; `null`: none. */
  another(facts: Facts): RuleProposal | null;
  /** Changes of the message that most likely make the rule match with these captures, or miss. */
  toMatch(
    entry: Entry,
    domain: CompiledDomain,
    facts: Facts,
    captures: Captures,
  ): readonly MessageChanges[];
  toMiss(entry: Entry, domain: CompiledDomain, facts: Facts): readonly MessageChanges[];
}
