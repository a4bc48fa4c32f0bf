/** The rules engine as defined: active rules by rank, the first that matches decides; then the fallback. */
import { LIMITS } from "../base/limits.ts";
import { Budget } from "./budget.ts";
import type { CompiledDomain } from "./compile-domain.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import { DISCARD_NO_RULE, decideFallback, decideMatch } from "./decision.ts";
import type { MessageView } from "./message-view.ts";
import type { Explanation, Resolution, RuleTraceEntry } from "./resolution.ts";
import type { RuleOutcome, RuleTraceDetail } from "./rule-matcher.ts";
import { type OpenGates, PlainTrial } from "./trial.ts";

// ASSUMPTION(rule-failure): a rule that errs on a message has not matched it, and the next rule goes on
/** Where a walk ends, or goes on. */
export type Step =
  | { readonly verdict: "matched" | "undecided"; readonly resolution: Resolution }
  | { readonly verdict: "missed" }
  | { readonly verdict: "failed"; readonly failure: string };

export function stepOf({ id, rank, forward }: CompiledRule, outcome: RuleOutcome): Step {
  if (outcome.verdict === "undecided") {
    return { verdict: "undecided", resolution: { verdict: "undecided", needs: outcome.needs } };
  }
  if (outcome.verdict !== "matched") return outcome;
  const decision = decideMatch({ kind: "rule", id, rank }, forward, outcome.parts);
  if ("failure" in decision) return { verdict: "failed", failure: decision.failure };
  return { verdict: "matched", resolution: decision };
}

/** The resolution when no rule matches. */
export function unmatched({ fallback }: CompiledDomain): Resolution {
  return fallback === null ? DISCARD_NO_RULE : decideFallback(fallback);
}

/** Without `gates` the budget is charged at least what the rules cost: if it lasts, so it does with them. */
export function resolveByRule(
  domain: CompiledDomain,
  message: MessageView,
  budget: Budget = new Budget(LIMITS.messageFuelMax),
  gates: OpenGates | null = null,
): Resolution {
  const trial = new PlainTrial(budget, gates);
  for (const rule of domain.rules) {
    if (!rule.active) continue;
    const step = stepOf(rule, rule.matcher.match(message, trial.begin(rule)));
    if ("resolution" in step) return step.resolution;
  }
  return unmatched(domain);
}

function entryOf(
  { id, rank }: CompiledRule,
  verdict: RuleTraceEntry["verdict"],
  detail: RuleTraceDetail,
): RuleTraceEntry {
  return { kind: "rule", id, rank, verdict, ...detail };
}

export function explainByRule(
  domain: CompiledDomain,
  message: MessageView,
  budget: Budget,
  gates: OpenGates,
): Explanation {
  const trial = new PlainTrial(budget, gates);
  let resolution: Resolution | undefined;
  const trace = domain.rules.map((rule): RuleTraceEntry => {
    if (!rule.active) return entryOf(rule, "inactive", rule.matcher.untried());
    if (resolution !== undefined) return entryOf(rule, "unreached", rule.matcher.untried());
    const { outcome, detail } = rule.matcher.explain(message, trial.begin(rule));
    const step = stepOf(rule, outcome);
    if ("resolution" in step) resolution = step.resolution;
    const entry = entryOf(rule, step.verdict, detail);
    return step.verdict === "failed" ? { ...entry, failure: step.failure } : entry;
  });
  return { resolution: resolution ?? unmatched(domain), trace, fuel: budget.fuel };
}
