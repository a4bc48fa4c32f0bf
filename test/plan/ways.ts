/** The ways to resolve one message, which must all answer alike. */
import { expect } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import type { Facts } from "../../src/mail/facts.ts";
import { Budget } from "../../src/routing/budget.ts";
import type { CompiledDomain } from "../../src/routing/compile-domain.ts";
import { explain } from "../../src/routing/explain.ts";
import { viewMessage } from "../../src/routing/message-view.ts";
import type { Resolution } from "../../src/routing/resolution.ts";
import { resolve } from "../../src/routing/resolve.ts";
import { resolveByPlan } from "../../src/routing/resolve-by-plan.ts";
import { resolveByRule } from "../../src/routing/walk-rules.ts";

/** The reference: every rule in turn, without gates, on a budget that never ends. */
export function plainWalk(domain: CompiledDomain, facts: Facts): Resolution {
  return resolveByRule(domain, viewMessage(facts), new Budget(Number.POSITIVE_INFINITY), null);
}

/** Holds the plan to the plain walk; the budget is large enough not to matter. */
export function expectPlanEqualsWalk(domain: CompiledDomain, facts: Facts): Resolution {
  const wanted = plainWalk(domain, facts);
  const budget = new Budget(Number.POSITIVE_INFINITY);
  const planned = resolveByPlan(domain, viewMessage(facts), budget, null);
  if (JSON.stringify(planned) !== JSON.stringify(wanted)) expect(planned).toEqual(wanted);
  return wanted;
}

/** Holds `resolve` to `explain` under a budget, and answers what they say. */
export function expectWaysAgree(
  domain: CompiledDomain,
  facts: Facts,
  fuelMax: number = LIMITS.messageFuelMax,
): Resolution {
  const resolution = resolve(domain, facts, { fuelMax });
  expect(explain(domain, facts, { fuelMax }).resolution).toEqual(resolution);
  return resolution;
}
