/** The engine's result: where a message goes and why, or which stage it needs first. */
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
