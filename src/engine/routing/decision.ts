/** From the outcome of one alias or rule to the decision that ends a resolution. */
import type { Guard } from "../../base/guard.ts";
import { type Forward, fillForward } from "./forward.ts";
import type { Decision, Destination, Reason, Resolution, SmtpReply } from "./resolution.ts";
import type { CompiledAlias, CompiledRule } from "./rules/compiled-rule.ts";
import type { RuleOutcome, Trial } from "./rules/rule-type.ts";

const NONE: readonly Destination[] = Object.freeze([]);

const none = { verdict: "decided", destinations: NONE, decidedBy: null } as const;

/** API texts show no reply text; RFC 3463: 5.1.1 bad destination mailbox, 5.7.1 delivery not authorised. */
const REPLIES = {
  "no-match": { code: 550, enhanced: "5.1.1", text: "no such mailbox here" },
  // ASSUMPTION(routing-disabled-reply): a domain without routing engine answers 550 5.7.1
  "routing-disabled": { code: 550, enhanced: "5.7.1", text: "this domain does not take mail" },
  // ASSUMPTION(over-budget-reply): a message over its budget goes to the fallback, and without one is answered 554 5.3.4
  "over-budget": {
    code: 554,
    enhanced: "5.3.4",
    text: "this message takes more work to route than one message may",
  },
} as const satisfies Partial<Record<Reason, SmtpReply>>;

function rejection(reason: keyof typeof REPLIES): Decision {
  return Object.freeze({ ...none, action: "reject", reason, reply: REPLIES[reason] });
}

export const REJECT_NO_ALIAS: Decision = rejection("no-match");
export const REJECT_DISABLED: Decision = rejection("routing-disabled");
export const REJECT_OVER_BUDGET: Decision = rejection("over-budget");
const DISCARD_NO_RULE: Decision = Object.freeze({ ...none, action: "discard", reason: "no-match" });

export function decideFallback(fallback: Forward, reason: "fallback" | "over-budget"): Decision {
  return { ...none, action: "forward", reason, destinations: fallback.plain };
}

/** The resolution when no rule matches. */
export function unmatched({ fallback }: { readonly fallback: Forward | null }): Resolution {
  return fallback === null ? DISCARD_NO_RULE : decideFallback(fallback, "fallback");
}

/** Units of work of trying a rule, whatever it does. */
export const TRY_FUEL = 20;

/** The trial of an alias or rule by itself: it searches the whole text of every scope. */
export function plainTrial({ forward }: CompiledAlias | CompiledRule, guard: Guard): Trial {
  const captures = forward.usesCaptures ? "needed" : "unused";
  return { guard, captures, isPassed: () => false, windows: () => null };
}

// ASSUMPTION(rule-failure): a rule that errs on a message has not matched it, and the next rule goes on
/** The result of one alias or rule: a `resolution` ends the walk, without one it goes on. */
export type Step =
  | { readonly verdict: "matched" | "undecided"; readonly resolution: Resolution }
  | { readonly verdict: "missed" | "over-budget" }
  | { readonly verdict: "failed"; readonly failure: string };

/** Fills the forward of one that matched; it fails if captured text makes no destination. */
export function stepOf(
  entry: CompiledAlias | CompiledRule,
  outcome: RuleOutcome,
  guard: Guard,
): Step {
  if (outcome.verdict === "undecided") {
    return { verdict: "undecided", resolution: { verdict: "undecided", needs: outcome.needs } };
  }
  if (outcome.verdict !== "matched") return outcome;
  const { id, forward } = entry;
  const filled = fillForward(forward, outcome.parts, guard);
  if (guard.isSpent) return { verdict: "over-budget" };
  if ("failure" in filled) return { verdict: "failed", failure: filled.failure };
  const decidedBy =
    "rank" in entry
      ? ({ kind: "rule", id, rank: entry.rank } as const)
      : ({ kind: "alias", id, alias: entry.matcher.alias } as const);
  const resolution: Decision = {
    verdict: "decided",
    action: forward.templates.length === 0 ? "discard" : "forward",
    reason: decidedBy.kind,
    destinations: filled.destinations,
    decidedBy,
  };
  return { verdict: "matched", resolution };
}
