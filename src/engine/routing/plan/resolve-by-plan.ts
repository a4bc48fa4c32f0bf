/** The rules engine by its plan: only rules that can match are tried, and a body is read only for a rule that could win. */
import type { Guard } from "../../../base/guard.ts";
import type { FactName } from "../../facts/facts.ts";
import type { MessageView } from "../message-view.ts";
import type { Resolution } from "../resolution.ts";
import type { ResolveStats } from "../resolve-stats.ts";
import { stepOf, TRY_FUEL } from "../rules/walk-rules.ts";
import type { FactIndex } from "./fact-index.ts";
import { ALIAS_FACT } from "./gate.ts";
import type { PlanPart, RoutingPlan } from "./plan.ts";
import type { PlanRun } from "./plan-run.ts";

/** Where the walk over candidates ended: at which rule, and how. */
interface End {
  readonly place: number;
  readonly resolution: Resolution | null;
}

/** Rules by their place in the order of trial. */
type Places = readonly number[];

/** Ends the walk once the guard has refused; the caller then ignores it. */
const STOPPED: Resolution = { verdict: "undecided", needs: "envelope" };

function tryRule(run: PlanRun, place: number): Resolution | null {
  const { guard, message } = run;
  if (!guard.take(TRY_FUEL)) return STOPPED;
  const rule = run.rules[place]!;
  const step = stepOf(rule, rule.matcher.match(message, run.begin(place)), guard);
  if ("resolution" in step) return step.resolution;
  if (step.verdict === "failed") run.settle(place);
  return guard.isSpent ? STOPPED : null;
}

/** Tries the rules of several lists, each in order, which may have rules in common, before `end` until one ends the walk. */
function tryInOrder(run: PlanRun, lists: readonly Places[], end: End): End {
  const cursors = lists.map(() => 0);
  for (;;) {
    let { place } = end;
    for (let nth = 0; nth < lists.length; nth++) {
      place = Math.min(place, lists[nth]![cursors[nth]!] ?? place);
    }
    if (place === end.place) return end;
    for (let nth = 0; nth < lists.length; nth++) {
      if (lists[nth]![cursors[nth]!] === place) cursors[nth]!++;
    }
    const resolution = tryRule(run, place);
    if (resolution !== null) return { place, resolution };
  }
}

/** Tries the rules that a body opens; a group of patterns is run only if no rule before it matches. */
function tryByBody(run: PlanRun, index: FactIndex, end: End): End {
  run.lookForValues(index, end.place);
  let opened = run.takeOpened();
  for (let nth = 0; ; nth++) {
    const first = Math.min(index.firstSearched(nth), end.place);
    const before = opened.filter((place) => place < first);
    const tried = tryInOrder(run, [before], end);
    if (tried !== end || first === end.place) return tried;
    run.runSearched(index, nth, end.place);
    opened = [...opened.slice(before.length), ...run.takeOpened()].sort((a, b) => a - b);
  }
}

function isUnknown(message: MessageView, fact: FactName): boolean {
  return (fact === "body" ? message.searchedBody : message[fact]) === undefined;
}

/** Searches all known facts for the rules of one part, then walks over the candidates. */
function walkPart(run: PlanRun, part: PlanPart, message: MessageView): Resolution | null {
  const { body } = part;
  let end: End = { place: part.end, resolution: null };
  const lists: Places[] = [];
  run.phase = "all";
  for (const index of part.indexes) {
    if (!run.lookThrough(index, end.place)) {
      lists.push(index.rules);
    } else if (index.fact === ALIAS_FACT) {
      // Nothing else opens these rules: one that matches now wins, unless an earlier rule does.
      end = tryInOrder(run, [run.takeOpened()], end);
    }
  }
  const hasBody = body !== null && message.searchedBody !== undefined;
  if (body !== null && !hasBody) lists.push(body.rules);
  for (const [fact, needing] of part.alsoNeeding) {
    if (isUnknown(message, fact)) lists.push(needing);
  }
  // A rule that waits for an unknown fact may match by the body: then the body cannot wait.
  const bodyWaits = hasBody && lists.length === 0;
  if (bodyWaits) run.phase = "body-later";
  else if (hasBody) run.lookThrough(body, end.place);
  const opened = run.takeOpened();
  for (const place of part.whole) run.openWholly(place);
  if (part.always.length > 0) lists.push(part.always);
  lists.push(opened);
  end = tryInOrder(run, lists, end);
  if (!bodyWaits || body.rules[0]! > end.place) return end.resolution;
  run.phase = "body-only";
  return tryByBody(run, body, end).resolution;
}

function walkRules({ parts, run }: RoutingPlan, message: MessageView): Resolution | null {
  for (const part of parts) {
    const resolution = walkPart(run, part, message);
    if (resolution !== null) return resolution;
  }
  return null;
}

/** `null` if no rule matches. Once the guard has refused, the answer has no meaning. */
export function resolveByPlan(
  plan: RoutingPlan,
  message: MessageView,
  guard: Guard,
  stats: ResolveStats | null,
): Resolution | null {
  plan.run.start(message, guard, stats);
  try {
    return walkRules(plan, message);
  } finally {
    plan.run.end();
  }
}
