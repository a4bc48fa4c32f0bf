/** The rules engine as its definition has it, which the plan must equal. */
import { Guard } from "../../../src/base/guard.ts";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import type { CompiledDomain } from "../../../src/engine/routing/compile-domain.ts";
import { plainTrial, stepOf, unmatched } from "../../../src/engine/routing/decision.ts";
import { viewMessage } from "../../../src/engine/routing/message-view.ts";
import type { Resolution } from "../../../src/engine/routing/resolution.ts";

/** The reference: every rule in turn, searched whole, by a guard that never refuses. */
export function plainWalk(domain: CompiledDomain, facts: Facts): Resolution {
  const guard = new Guard(Number.POSITIVE_INFINITY);
  const message = viewMessage(facts);
  for (const rule of domain.rules) {
    if (!rule.active) continue;
    const step = stepOf(rule, rule.matcher.match(message, plainTrial(rule, guard)), guard);
    if ("resolution" in step) return step.resolution;
  }
  return unmatched(domain);
}
