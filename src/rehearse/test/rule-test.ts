/** A rule test: a message, and its expected result. */
import type { Facts } from "../../engine/facts/facts.ts";
import type { TraceEntry } from "../../engine/routing/explain.ts";
import { explain } from "../../engine/routing/explain.ts";
import type { Action, Decision, Reason } from "../../engine/routing/resolution.ts";
import { type Outcome, outcomeOf, samePlaces } from "../outcome.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import type { Target } from "../why/candidate.ts";
import { type WhyNot, why } from "../why/why.ts";

/** The expected result; fields left out may have any value. */
export interface Expectation {
  readonly action?: Action | undefined;
  /** All mailboxes and URLs, in any order. */
  readonly destinations?: readonly string[] | undefined;
  /** Id of the rule that decides. */
  readonly rule?: string | undefined;
  /** The alias that decides, or its id. */
  readonly alias?: string | undefined;
  readonly reason?: Reason | undefined;
}

/** An expectation that was not met: what was expected, and what happened. */
export interface Mismatch {
  readonly field: keyof Expectation;
  readonly wanted: string;
  readonly got: string;
}

/** The result of one test. */
export interface TestResult {
  readonly passed: boolean;
  /** Empty when it passed. */
  readonly mismatches: readonly Mismatch[];
  readonly decision: Decision;
  /** Every alias or rule tried. */
  readonly trace: readonly TraceEntry[];
  /** Why the expected rule or destination did not get the message; `null` if none was expected or the test passed. */
  readonly nearest: WhyNot | null;
}

const REASONS: Readonly<Record<Reason, string>> = {
  alias: "an alias",
  rule: "a rule",
  fallback: "the fallback address",
  "no-match": "no match",
  "over-budget": "a spent budget",
  "routing-disabled": "routing disabled",
};

/** A short description of what decided. */
export function deciderText({ decidedBy, reason }: Outcome): string {
  if (decidedBy === null) return REASONS[reason];
  return decidedBy.kind === "alias" ? `alias ${decidedBy.alias}` : `rule ${decidedBy.id}`;
}

function listed(destinations: readonly string[]): string {
  return destinations.length === 0 ? "nobody" : destinations.join(", ");
}

/** The parts of an expectation that an outcome does not meet. */
export function mismatchesOf(expected: Expectation, outcome: Outcome): readonly Mismatch[] {
  const { action, destinations, rule, alias, reason } = expected;
  const { decidedBy } = outcome;
  const mismatches: Mismatch[] = [];
  const compare = (field: keyof Expectation, holds: boolean, wanted: string, got: string): void => {
    if (!holds) mismatches.push({ field, wanted, got });
  };
  if (rule !== undefined) {
    const holds = decidedBy?.kind === "rule" && decidedBy.id === rule;
    compare("rule", holds, `rule ${rule}`, deciderText(outcome));
  }
  if (alias !== undefined) {
    const holds = decidedBy?.kind === "alias" && [decidedBy.id, decidedBy.alias].includes(alias);
    compare("alias", holds, `alias ${alias}`, deciderText(outcome));
  }
  if (reason !== undefined) {
    compare("reason", outcome.reason === reason, REASONS[reason], deciderText(outcome));
  }
  if (action !== undefined) compare("action", outcome.action === action, action, outcome.action);
  if (destinations !== undefined) {
    const holds = samePlaces(destinations, outcome.destinations);
    compare("destinations", holds, listed(destinations), listed(outcome.destinations));
  }
  return mismatches;
}

/** Whether an outcome meets an expectation. */
export function meets(expected: Expectation, outcome: Outcome): boolean {
  return mismatchesOf(expected, outcome).length === 0;
}

/** The expected rule or destination that was not reached. */
function targetOf(
  { rule, alias, destinations = [] }: Expectation,
  { domain }: RehearsedDomain,
  mismatches: readonly Mismatch[],
): Target | null {
  const isWrong = (field: keyof Expectation): boolean =>
    mismatches.some((mismatch) => mismatch.field === field);
  if (rule !== undefined && isWrong("rule")) return { kind: "rule", id: rule };
  if (alias !== undefined && isWrong("alias")) {
    const found = domain.aliases.find(({ id, matcher }) => id === alias || matcher.alias === alias);
    return { kind: "alias", id: found?.id ?? alias };
  }
  const [destination] = destinations;
  if (destination === undefined || !isWrong("destinations")) return null;
  return { kind: "destination", destination };
}

/** Runs one test. Every fact of the message must be known. */
export function runTest(
  rehearsed: RehearsedDomain,
  facts: Facts,
  expected: Expectation,
): TestResult {
  const { resolution, trace } = explain(rehearsed.domain, facts);
  if (resolution.verdict !== "decided") {
    throw new TypeError("a fact of the message is unknown: give all of them");
  }
  const outcome = outcomeOf(resolution);
  const mismatches = mismatchesOf(expected, outcome);
  const target = targetOf(expected, rehearsed, mismatches);
  return {
    passed: mismatches.length === 0,
    mismatches,
    decision: resolution,
    trace,
    nearest: target === null ? null : why(rehearsed, facts, target),
  };
}
