/** Makes the decisions that end a resolution. */
import type { Guard } from "../../base/guard.ts";
import { type Forward, fillForward, type MatchParts } from "./forward.ts";
import type { DecidedBy, Decision, Destination, Reason, SmtpReply } from "./resolution.ts";

const NONE: readonly Destination[] = Object.freeze([]);

const none = { verdict: "decided", destinations: NONE, decidedBy: null } as const;

function rejection(reason: Reason, reply: SmtpReply): Decision {
  return Object.freeze({ ...none, action: "reject", reason, reply });
}

/** API texts show no reply text; RFC 3463: 5.1.1 bad destination mailbox, 5.7.1 delivery not authorised. */
export const REJECT_NO_ALIAS: Decision = rejection("no-match", {
  code: 550,
  enhanced: "5.1.1",
  text: "no such mailbox here",
});

// ASSUMPTION(routing-disabled-reply): a domain without routing engine answers 550 5.7.1
export const REJECT_DISABLED: Decision = rejection("routing-disabled", {
  code: 550,
  enhanced: "5.7.1",
  text: "this domain does not take mail",
});

// ASSUMPTION(over-budget-reply): a message over its budget goes to the fallback, and without one is answered 554 5.3.4
export const REJECT_OVER_BUDGET: Decision = rejection("over-budget", {
  code: 554,
  enhanced: "5.3.4",
  text: "this message takes more work to route than one message may",
});

export const DISCARD_NO_RULE: Decision = Object.freeze({
  ...none,
  action: "discard",
  reason: "no-match",
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
  if ("failure" in filled) return filled;
  return {
    verdict: "decided",
    action: forward.templates.length === 0 ? "discard" : "forward",
    reason: decidedBy.kind,
    destinations: filled.destinations,
    decidedBy,
  };
}
