/** The rules engine: active rules by rank, the first that matches decides; then the fallback. */
import type { CompiledDomain } from "./compile-domain.ts";
import type { CompiledRule } from "./compile-rules.ts";
import { DISCARD_NO_RULE, decideFallback, decideMatch } from "./decision.ts";
import type { MessageView } from "./message-view.ts";
import type { Explanation, Resolution, RuleTraceEntry } from "./resolution.ts";
import type { RuleOutcome, RuleTraceDetail } from "./rule-matcher.ts";

// ASSUMPTION(rule-failure): a rule that errs on a message has not matched it, and the next rule goes on
/** Where the walk ends. */
type Step =
  | { readonly verdict: "matched" | "undecided"; readonly resolution: Resolution }
  | { readonly verdict: "missed" }
  | { readonly verdict: "failed"; readonly failure: string };

function stepOf({ id, rank, forward }: CompiledRule, outcome: RuleOutcome): Step {
  if (outcome.verdict === "undecided") {
    return { verdict: "undecided", resolution: { verdict: "undecided", needs: outcome.needs } };
  }
  if (outcome.verdict !== "matched") return outcome;
  const decision = decideMatch({ kind: "rule", id, rank }, forward, outcome.parts);
  if ("failure" in decision) return { verdict: "failed", failure: decision.failure };
  return { verdict: "matched", resolution: decision };
}

function unmatched({ fallback }: CompiledDomain): Resolution {
  return fallback === null ? DISCARD_NO_RULE : decideFallback(fallback);
}

function captureUse({ forward }: CompiledRule): "needed" | "unused" {
  return forward.usesCaptures ? "needed" : "unused";
}

export function resolveByRule(domain: CompiledDomain, message: MessageView): Resolution {
  for (const rule of domain.rules) {
    if (!rule.active) continue;
    const step = stepOf(rule, rule.matcher.match(message, captureUse(rule)));
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

export function explainByRule(domain: CompiledDomain, message: MessageView): Explanation {
  let resolution: Resolution | undefined;
  const trace = domain.rules.map((rule): RuleTraceEntry => {
    if (!rule.active) return entryOf(rule, "inactive", rule.matcher.untried());
    if (resolution !== undefined) return entryOf(rule, "unreached", rule.matcher.untried());
    const { outcome, detail } = rule.matcher.explain(message, captureUse(rule));
    const step = stepOf(rule, outcome);
    if ("resolution" in step) resolution = step.resolution;
    const entry = entryOf(rule, step.verdict, detail);
    return step.verdict === "failed" ? { ...entry, failure: step.failure } : entry;
  });
  return { resolution: resolution ?? unmatched(domain), trace };
}
