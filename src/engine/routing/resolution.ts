/** The engine's result: where a message goes and why, or which stage it needs first. */
import type { Span } from "../../base/diagnostic.ts";
import type { StepTally, StepTrace } from "../cel/expression.ts";
import type { FactName, Stage } from "../facts/facts.ts";

/** Where a message goes: a mailbox, or a webhook. */
export type Destination =
  | { readonly kind: "mailbox"; readonly address: string }
  | { readonly kind: "webhook"; readonly url: string };

/** What happens to the message for this recipient. */
export type Action = "forward" | "discard" | "reject";

/** Why a message goes where it goes. `over-budget`: the message costs more work than `fuelMax` allows, so no alias or rule decided. */
export type Reason =
  | "alias"
  | "rule"
  | "fallback"
  | "no-match"
  | "over-budget"
  | "routing-disabled";

/** The alias or rule that decided. */
export type DecidedBy =
  | { readonly kind: "alias"; readonly id: string; readonly alias: string }
  | { readonly kind: "rule"; readonly id: string; readonly rank: number };

/** The SMTP answer to give when the message is rejected (RFC 5321 §4.2, RFC 3463). */
export interface SmtpReply {
  readonly code: 550 | 554;
  readonly enhanced: "5.1.1" | "5.3.4" | "5.7.1";
  readonly text: string;
}

/** The answer: no fact that is still unknown can change it. */
export interface Decision {
  readonly verdict: "decided";
  readonly action: Action;
  readonly reason: Reason;
  /** In the order of the `forward`, without duplicates; empty unless `action` is `forward`. */
  readonly destinations: readonly Destination[];
  /** `null` unless `reason` is `alias` or `rule`. */
  readonly decidedBy: DecidedBy | null;
  /** Only when `action` is `reject`. */
  readonly reply?: SmtpReply;
}

/** An unknown fact can change the answer: call again with the facts of stage `needs`. */
export interface Undecided {
  readonly verdict: "undecided";
  readonly needs: Stage;
}

/** The result of `resolve`: a decision, or the stage of the message that must be known first. */
export type Resolution = Decision | Undecided;

/** Facts that a regex rule can search. */
export type Scope = Extract<FactName, "sender" | "recipient" | "subject" | "body">;

/** How an alias, or the alias of an alias rule, was compared with the recipient's local part. */
export type AliasForm = "literal" | "subaddress" | "wildcard" | "pattern" | "catch-all";

/** An alias in the trace: what it was compared with, and whether it matched. */
export interface AliasTraceEntry {
  readonly kind: "alias";
  readonly id: string;
  readonly alias: string;
  readonly form: AliasForm;
  readonly verdict: "matched" | "missed" | "failed" | "undecided" | "over-budget" | "unreached";
  /** The recipient's local part that was compared; absent when unreached or unknown. */
  readonly actual?: string;
  /** Groups of a pattern alias that matched; `captures[0]` is `$1`. */
  readonly captures?: readonly (string | undefined)[];
  /** Why it failed although it matched. */
  readonly failure?: string;
}

/** What happened to one scope of a regex rule. */
export interface ScopeTrace {
  readonly scope: Scope;
  readonly verdict: "matched" | "missed" | "unknown" | "unreached";
  /** The text searched; absent when unknown or unreached. */
  readonly actual?: string;
  /** Where in `actual` the pattern matched. */
  readonly span?: Span;
  /** `captures[0]` is `$1`. */
  readonly captures?: readonly (string | undefined)[];
}

interface RuleTraceBase {
  readonly kind: "rule";
  readonly id: string;
  readonly rank: number;
  /** `over-budget`: the budget was spent before the rule's outcome was known. */
  readonly verdict:
    | "matched"
    | "missed"
    | "inactive"
    | "failed"
    | "undecided"
    | "over-budget"
    | "unreached";
  /** Why it failed on this message; a failed rule counts as missed. */
  readonly failure?: string;
}

export interface AliasRuleTraceEntry extends RuleTraceBase {
  readonly type: "alias";
  readonly alias: string;
  readonly form: AliasForm;
  readonly actual?: string;
  readonly captures?: readonly (string | undefined)[];
}

export interface RegexRuleTraceEntry extends RuleTraceBase {
  readonly type: "regex";
  readonly regex: string;
  /** In the order of search (recipient, sender, subject, body); empty when inactive or unreached. */
  readonly scopes: readonly ScopeTrace[];
}

export interface CelRuleTraceEntry extends RuleTraceBase {
  readonly type: "cel";
  readonly expression: string;
  /** Empty when inactive or unreached. */
  readonly steps: readonly StepTrace[];
  /** The iterations of macros before the one among the steps; left out if there were none. */
  readonly earlier?: readonly StepTally[];
  /** Where in the expression the failure occurred. */
  readonly failureSpan?: Span;
  /** Fuel spent: loop iterations plus characters handled. */
  readonly fuel?: number;
}

/** A rule in the trace, with its outcome. */
export type RuleTraceEntry = AliasRuleTraceEntry | RegexRuleTraceEntry | CelRuleTraceEntry;
/** One alias or rule in the order of trial. */
export type TraceEntry = AliasTraceEntry | RuleTraceEntry;

/** `explain`'s answer: the resolution, and one entry per alias or per rule, in the order of trial. */
export interface Explanation {
  readonly resolution: Resolution;
  readonly trace: readonly TraceEntry[];
  /** Units of the message's budget that the resolution took. */
  readonly fuel: number;
}
