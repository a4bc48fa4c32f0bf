/** Why a message did not go where it should have: what failed, what took it, and the smallest edits that change that. */
import type { Facts } from "../../engine/facts/facts.ts";
import type { TraceEntry } from "../../engine/routing/explain.ts";
import { explain } from "../../engine/routing/explain.ts";
import type { Decision } from "../../engine/routing/resolution.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import { type Candidate, candidatesFor, explainAlone, reaches, type Target } from "./candidate.ts";
import { editMessage, type MessageEdit } from "./edit-message.ts";
import { changeRule, editRule, type RuleEdit } from "./edit-rule.ts";
import type { FailedClause } from "./failed-clause.ts";
import { failedClauses } from "./failed-clauses.ts";

/** A candidate that could have sent the message to the target, and why it did not. */
export interface Missed {
  readonly kind: "rule" | "alias" | "fallback";
  /** Absent for the fallback. */
  readonly id?: string;
  readonly rank?: number;
  /**
   * `taken`: it would have matched, but an earlier entry took the message; `sent-elsewhere`: it took the message
   * itself, with another destination.
   */
  readonly verdict: "missed" | "failed" | "taken" | "sent-elsewhere";
  /** Empty if the only reason is that another entry took the message. */
  readonly failed: readonly FailedClause[];
  /** The entry that decided before it, if that entry is in the way too. */
  readonly takenBy: TraceEntry | null;
  /**
   * Changes to the message, the smallest first, each checked by resolving; for an inactive rule, as if it were
   * active.
   */
  readonly messageEdits: readonly MessageEdit[];
  /** Changes to the rule, the smallest first, each checked by resolving. */
  readonly ruleEdits: readonly RuleEdit[];
}

/** Why a message did not go where it was expected. */
export interface WhyNot {
  readonly target: Target;
  /** `reached`: the message does go there. */
  readonly verdict: "reached" | "not-reached" | "no-such-target";
  readonly decision: Decision;
  /** Every alias or rule tried. */
  readonly trace: readonly TraceEntry[];
  /** In the order of trial; empty unless the verdict is `not-reached`. */
  readonly candidates: readonly Missed[];
}

/** Most candidates to examine: many rules may send to a popular destination. */
const CANDIDATES_MAX = 5;
/** Most edits to propose, of the message and of the rule. */
const EDITS_MAX = 3;

function clausesOf(rehearsed: RehearsedDomain, candidate: Candidate, facts: Facts): FailedClause[] {
  const { domain } = rehearsed;
  if (candidate.kind === "fallback") return [];
  const { kind, entry } = candidate;
  const clauses: FailedClause[] = [
    ...failedClauses(explainAlone(rehearsed, candidate, facts), facts),
  ];
  if (kind === "rule" && !entry.active) clauses.unshift({ kind: "inactive" });
  if (domain.engine !== (kind === "rule" ? "rules" : "alias")) {
    clauses.unshift({ kind: "engine", engine: domain.engine });
  }
  return clauses;
}

/** The entry that decided, if it is tried before the candidate. */
function takerOf(candidate: Candidate, trace: readonly TraceEntry[]): TraceEntry | null {
  const taker = trace.findIndex(({ verdict }) => verdict === "matched");
  if (taker < 0) return null;
  const place =
    candidate.kind === "fallback"
      ? trace.length
      : trace.findIndex(({ id, kind }) => id === candidate.entry.id && kind === candidate.kind);
  return place > taker ? trace[taker]! : null;
}

/** The domain in which a message can reach the candidate: an inactive rule becomes active. */
function enabled(rehearsed: RehearsedDomain, candidate: Candidate): RehearsedDomain {
  if (candidate.kind !== "rule" || candidate.entry.active) return rehearsed;
  const active = { field: "active", from: false, to: true } as const;
  return changeRule(rehearsed, candidate.entry.id, [active]) ?? rehearsed;
}

function lookInto(
  rehearsed: RehearsedDomain,
  facts: Facts,
  candidate: Candidate,
  target: Target,
  trace: readonly TraceEntry[],
): Missed {
  const failed = clausesOf(rehearsed, candidate, facts);
  const isFailure = failed.some(({ kind }) => kind === "failure");
  const { kind } = candidate;
  const isDecider = takerOf(candidate, trace) === null;
  const identity =
    kind === "fallback"
      ? {}
      : { id: candidate.entry.id, ...(kind === "rule" ? { rank: candidate.entry.rank } : {}) };
  return {
    kind,
    ...identity,
    verdict: isFailure
      ? "failed"
      : failed.length > 0
        ? "missed"
        : isDecider
          ? "sent-elsewhere"
          : "taken",
    failed,
    takenBy: takerOf(candidate, trace),
    messageEdits: editMessage(enabled(rehearsed, candidate), facts, candidate, target, EDITS_MAX),
    ruleEdits:
      kind === "rule" ? editRule(rehearsed, facts, candidate.entry, target, EDITS_MAX) : [],
  };
}

/** Explains one message for one recipient; every fact of the message should be known. */
export function why(rehearsed: RehearsedDomain, facts: Facts, target: Target): WhyNot {
  const { resolution, trace } = explain(rehearsed.domain, facts);
  if (resolution.verdict !== "decided") {
    throw new TypeError("a fact of the message is unknown: give all of them");
  }
  const answer = { target, decision: resolution, trace, candidates: [] } as const;
  if (reaches(resolution, target)) return { ...answer, verdict: "reached" };
  const candidates = candidatesFor(rehearsed.domain, target).slice(0, CANDIDATES_MAX);
  if (candidates.length === 0) return { ...answer, verdict: "no-such-target" };
  return {
    ...answer,
    verdict: "not-reached",
    candidates: candidates.map((each) => lookInto(rehearsed, facts, each, target, trace)),
  };
}
