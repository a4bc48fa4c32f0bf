/** Finds the smallest changes to a message that send it where it should go; each is checked by resolving. */
import type { Facts } from "../../engine/facts/facts.ts";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import { explain } from "../../engine/routing/explain.ts";
import type { Decision } from "../../engine/routing/resolution.ts";
import { resolve } from "../../engine/routing/resolve.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import type { MessageChanges } from "../rules/rule-tools.ts";
import { toolsOf } from "../rules/tools-table.ts";
import { type Candidate, explainAlone, reaches, type Target, wantedCaptures } from "./candidate.ts";
import { changeFacts, costOf } from "./message-change.ts";

/** The smallest change with which a message goes to the wanted destination. */
export interface MessageEdit {
  readonly changes: MessageChanges;
  /** The decision of the domain for the changed message. */
  readonly decision: Decision;
}

/** Rules in the way that an edit may avoid, one after the other; a person would not make an edit that avoids more. */
const TAKERS_MAX = 4;
/**
 * Messages to resolve in search of edits: at most, and at least even if they are long; and code units of all their
 * bodies.
 */
const TRIES_MAX = 300;
const TRIES_MIN = 20;
const TRIED_UNITS_MAX = 20_000_000;
/** Joins changes; a later change that sets a fact replaces the earlier ones of that fact. */
function merged(changes: MessageChanges, more: MessageChanges): MessageChanges {
  const replaced = new Set(more.filter(({ op }) => op === "set").map(({ fact }) => fact));
  return [...changes.filter(({ fact }) => !replaced.has(fact) || fact === "headers"), ...more];
}

/** The changes without those that are not needed. */
function reduced(
  domain: CompiledDomain,
  facts: Facts,
  edit: MessageEdit,
  target: Target,
): MessageEdit {
  for (const change of edit.changes) {
    // Changes of one text build on each other: they are kept or dropped together.
    const changes = edit.changes.filter((other) =>
      "to" in change ? other.fact !== change.fact : other !== change,
    );
    const decision = resolve(domain, changeFacts(facts, changes));
    if (decision.verdict !== "decided" || !reaches(decision, target)) continue;
    return reduced(domain, facts, { changes, decision }, target);
  }
  return edit;
}

/**
 * Edits of the message, the smallest first, at most `editsMax`. They make the rules in the way miss, one after the
 * other.
 */
export function editMessage(
  rehearsed: RehearsedDomain,
  facts: Facts,
  candidate: Candidate,
  target: Target,
  editsMax: number,
): readonly MessageEdit[] {
  const { domain } = rehearsed;
  const found: MessageEdit[] = [];
  const bodyUnits = (facts.body?.length ?? 0) + 1;
  let triesLeft = Math.max(TRIES_MIN, Math.min(TRIES_MAX, TRIED_UNITS_MAX / bodyUnits));
  const search = (changes: MessageChanges, takers: number): void => {
    if (triesLeft-- <= 0) return;
    const changed = changeFacts(facts, changes);
    const { resolution, trace } = explain(domain, changed);
    if (resolution.verdict !== "decided") return;
    if (reaches(resolution, target)) {
      found.push(reduced(domain, facts, { changes, decision: resolution }, target));
      return;
    }
    const taker = trace.find(({ verdict }) => verdict === "matched");
    const isCandidate = candidate.kind !== "fallback" && taker?.id === candidate.entry.id;
    if (taker === undefined || isCandidate || takers === TAKERS_MAX) return;
    for (const more of toolsOf(taker).toMiss(taker, domain, changed))
      search(merged(changes, more), takers + 1);
  };
  const alone = candidate.kind === "fallback" ? null : explainAlone(rehearsed, candidate, facts);
  const captures = wantedCaptures(candidate, target);
  const starts: readonly MessageChanges[] =
    alone === null || (alone.verdict === "matched" && captures.size === 0)
      ? [[]]
      : [[], ...toolsOf(alone).toMatch(alone, domain, facts, captures)];
  for (const changes of starts) search(changes, 0);
  found.sort((a, b) => costOf(a.changes) - costOf(b.changes));
  const distinct = new Map(found.map((edit) => [JSON.stringify(edit.changes), edit]));
  return [...distinct.values()].filter(({ changes }) => changes.length > 0).slice(0, editsMax);
}
