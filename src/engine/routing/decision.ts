/** Makes the decisions that end a resolution. */
import type { Guard } from "../../base/guard.ts";
import { type Forward, fillForward, type MatchParts } from "./forward.ts";
import type { DecidedBy, Decision, Destination, SmtpReply } from "./resolution.ts";

/** API texts show no reply text; RFC 3463: 5.1.1 bad destination mailbox, 5.7.1 delivery not authorised. */
const NO_MAILBOX: SmtpReply = { code: 550, enhanced: "5.1.1", text: "no such mailbox here" };
// ASSUMPTION(routing-disabled-reply): a domain without routing engine answers 550 5.7.1
const DISABLED: SmtpReply = {
  code: 550,
  enhanced: "5.7.1",
  text: "this domain does not take mail",
};
// ASSUMPTION(over-budget-reply): a message over its budget goes to the fallback, and without one is answered 554 5.3.4
const TOO_MUCH_WORK: SmtpReply = {
  code: 554,
  enhanced: "5.3.4",
  text: "this message takes more work to route than one message may",
};

const NONE: readonly Destination[] = Object.freeze([]);

const none = { verdict: "decided", destinations: NONE, decidedBy: null } as const;

export const REJECT_NO_ALIAS: Decision = Object.freeze({
  ...none,
  action: "reject",
  reason: "no-match",
  reply: NO_MAILBOX,
});

export const REJECT_DISABLED: Decision = Object.freeze({
  ...none,
  action: "reject",
  reason: "routing-disabled",
  reply: DISABLED,
});

export const DISCARD_NO_RULE: Decision = Object.freeze({
  ...none,
  action: "discard",
  reason: "no-match",
});

export const REJECT_OVER_BUDGET: Decision = Object.freeze({
  ...none,
  action: "reject",
  reason: "over-budget",
  reply: TOO_MUCH_WORK,
});

export function decideFallback(fallback: Forward, reason: "fallback" | "over-budget"): Decision {
  return { ...none, action: "forward", reason, destinations: fallback.plain };
}

/** The decision of an alias or rule that matched, or why its forward cannot be filled. */
export function decideMatch(
  decidedBy: DecidedBy,
  forward: Forward,
  parts: MatchParts,
  guard: Guard,
): Decision | { readonly failure: string } {
  const filled = fillForward(forward, parts, guard);
  if (!filled.ok) return { failure: filled.failure };
  return {
    verdict: "decided",
    action: forward.templates.length === 0 ? "discard" : "forward",
    reason: decidedBy.kind,
    destinations: filled.destinations,
    decidedBy,
  };
}
