/** The rules engine as defined: active rules by rank, the first that matches decides; then the fallback. */
import type { Guard } from "../../../base/guard.ts";
import type { CompiledDomain } from "../compile-domain.ts";
import { DISCARD_NO_RULE, decideFallback, decideMatch } from "../decision.ts";
import type { MessageView } from "../message-view.ts";
import type { Resolution } from "../resolution.ts";
import type { RuleTraceEntry } from "../trace.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import type { RuleDetail, RuleOutcome, Trial } from "./rule-matcher.ts";

// ASSUMPTION(rule-failure): a rule that errs on a message has not matched it, and the next rule goes on
/** The result of one rule: a `resolution` ends the walk, without one it goes on. */
export type Step =
  | { readonly verdict: "matched" | "undecided"; readonly resolution: Resolution }
  | { readonly verdict: "missed" | "over-budget" }
  | { readonly verdict: "failed"; readonly failure: string };

export function stepOf(
  { id, rank, forward }: CompiledRule,
  outcome: RuleOutcome,
  guard: Guard,
): Step {
  if (outcome.verdict === "undecided") {
    return { verdict: "undecided", resolution: { verdict: "undecided", needs: outcome.needs } };
  }
  if (outcome.verdict !== "matched") return outcome;
  const decision = decideMatch({ kind: "rule", id, rank }, forward, outcome.parts, guard);
  if (guard.isSpent) return { verdict: "over-budget" };
  if ("failure" in decision) return { verdict: "failed", failure: decision.failure };
  return { verdict: "matched", resolution: decision };
}

/** The resolution when no rule matches. */
export function unmatched({ fallback }: CompiledDomain): Resolution {
  return fallback === null ? DISCARD_NO_RULE : decideFallback(fallback, "fallback");
}

/** The trial of a rule by itself: it searches the whole text of every scope. */
export function plainTrial({ forward }: CompiledRule, guard: Guard): Trial {
  const captures = forward.usesCaptures ? "needed" : "unused";
  return { guard, captures, isPassed: () => false, windows: () => null };
}

function entryOf(
  { id, rank }: CompiledRule,
  verdict: RuleTraceEntry["verdict"],
  detail: RuleDetail,
): RuleTraceEntry {
  const own = { kind: "rule", id, rank, verdict };
  // The details of a host's type may have fields of these names: its rules keep their own.
  return { ...own, ...detail, ...own } as RuleTraceEntry;
}

function trace(rule: CompiledRule, message: MessageView, guard: Guard): RuleTraceEntry {
  if (!guard.take(TRY_FUEL)) return entryOf(rule, "over-budget", rule.matcher.untried());
  const { outcome, detail } = rule.matcher.explain(message, plainTrial(rule, guard));
  const step = stepOf(rule, outcome, guard);
  const entry = entryOf(rule, step.verdict, detail);
  return step.verdict === "failed" ? { ...entry, failure: step.failure } : entry;
}

/** The trial of the rule that decided; `null`: none did. The guard has already paid for the resolution. */
export function traceDecider(
  { rules }: CompiledDomain,
  message: MessageView,
  resolution: Resolution,
  guard: Guard,
): RuleTraceEntry | null {
  const decidedBy = resolution.verdict === "decided" ? resolution.decidedBy : null;
  const decider = decidedBy === null ? undefined : rules.find(({ id }) => id === decidedBy.id);
  if (decider === undefined) return null;
  // The plan may have spent less than this trial needs, but the rule is known to match, whatever is left.
  return { ...trace(decider, message, guard), verdict: "matched" };
}

/**
 * What happens to each rule on the way to the resolution, found by trying them one by one, as long as the guard, which has
 * already paid for the resolution and for `decider`, pays for them.
 */
export function traceRules(
  { rules }: CompiledDomain,
  message: MessageView,
  decider: RuleTraceEntry | null,
  guard: Guard,
): readonly RuleTraceEntry[] {
  let isReached = true;
  return rules.map((rule): RuleTraceEntry => {
    if (!rule.active) return entryOf(rule, "inactive", rule.matcher.untried());
    if (!isReached) return entryOf(rule, "unreached", rule.matcher.untried());
    const entry = rule.id === decider?.id ? decider : trace(rule, message, guard);
    isReached = entry.verdict !== "matched" && entry.verdict !== "undecided";
    return entry;
  });
}

/** Units of work of trying a rule, whatever it does. */
export const TRY_FUEL = 20;
