/** The ways to resolve one message, which must all answer alike. */
import { expect } from "vitest";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import type { CompiledDomain } from "../../../src/engine/routing/compile-domain.ts";
import type { Explanation } from "../../../src/engine/routing/explain.ts";
import { explain } from "../../../src/engine/routing/explain.ts";
import type { Resolution } from "../../../src/engine/routing/resolution.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { createResolveStats } from "../../../src/engine/routing/resolve-stats.ts";
import { plainWalk } from "./plain-walk.ts";

/** Whether the trace tells of the same decision. */
function expectTraceFits({ resolution, trace }: Explanation): void {
  const ended = trace.filter(({ verdict }) => verdict === "matched" || verdict === "undecided");
  const decidedBy = resolution.verdict === "decided" ? resolution.decidedBy : null;
  const ids = ended.map(({ verdict, id }) => `${verdict} ${id}`);
  if (resolution.verdict === "undecided") {
    if (ids.length > 0) expect(ended).toMatchObject([{ verdict: "undecided" }]);
  } else expect(ids).toEqual(decidedBy === null ? [] : [`matched ${decidedBy.id}`]);
}

/** Holds the plan, and `explain`, to the plain walk; the budget does not matter. */
export function expectPlanEqualsWalk(domain: CompiledDomain, facts: Facts): Resolution {
  const wanted = plainWalk(domain, facts);
  const planned = resolve(domain, facts, { fuelMax: Number.POSITIVE_INFINITY });
  if (JSON.stringify(planned) !== JSON.stringify(wanted)) expect(planned).toEqual(wanted);
  return wanted;
}

/** What a message costs depends on the last one, by no more than this factor and, for states of automata, this sum. */
const BUDGET_FACTOR = 2;
const BUDGET_SUM = 100_000;

/**
 * Holds `explain` to `resolve` under a budget, and answers what `resolve` says. If the budget is enough for one of them only, a larger
 * one is enough for both.
 */
export function expectWaysAgree(
  domain: CompiledDomain,
  facts: Facts,
  fuelMax?: number,
): Resolution {
  const options = fuelMax === undefined ? {} : { fuelMax };
  const stats = createResolveStats();
  const resolution = resolve(domain, facts, { ...options, stats });
  const explanation = explain(domain, facts, options);
  expectTraceFits(explanation);
  if (
    fuelMax !== undefined &&
    JSON.stringify(resolution) !== JSON.stringify(explanation.resolution)
  ) {
    const larger = { fuelMax: BUDGET_FACTOR * fuelMax + BUDGET_SUM };
    const found = stats.overBudget > 0 ? explanation.resolution : resolution;
    expect(resolve(domain, facts, larger)).toEqual(found);
    expect(explain(domain, facts, larger).resolution).toEqual(found);
  } else expect(explanation.resolution).toEqual(resolution);
  return resolution;
}
