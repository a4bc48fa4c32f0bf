/** The rules engine by its plan: only rules that can match are tried, and a body is read only for a rule that could win. */
import type { Guard } from "../../../base/guard.ts";
import type { FactName } from "../../facts/facts.ts";
import { stepOf, TRY_FUEL } from "../decision.ts";
import type { MessageView } from "../message-view.ts";
import type { Resolution } from "../resolution.ts";
import type { ResolveStats } from "../resolve-stats.ts";
import type { FactIndex } from "./fact-index.ts";
import { ALIAS_FACT } from "./gate.ts";
import type { PlanPart, RoutingPlan } from "./plan.ts";
import { byPlace, type PlanRun } from "./plan-run.ts";

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

/** Tries the rules that a body opens; it is searched only if no rule before those that the search can open matches. */
function tryByBody(run: PlanRun, index: FactIndex, end: End, first: "alone" | "searched"): End {
  run.beginBody(index, end.place, first);
  let opened = run.takeOpened();
  let nth = 0;
  for (let at = 0; ; nth++) {
    const until = Math.min(index.firstOf(nth), end.place);
    for (; at < opened.length && opened[at]! < until; at++) {
      const place = opened[at]!;
      const resolution = tryRule(run, place);
      if (resolution !== null) return { place, resolution };
    }
    if (until === end.place) return end;
    run.searchBody(index, nth);
    opened = [...opened.slice(at), ...run.takeOpened()].sort(byPlace);
    at = 0;
  }
}

function isUnknown(message: MessageView, fact: FactName): boolean {
  return (fact === "body" ? message.searchedBody : message[fact]) === undefined;
}

/** Searches all known facts for the rules of one part, then walks over the candidates. */
function walkPart(
  run: PlanRun,
  part: PlanPart,
  message: MessageView,
  first: "alone" | "searched",
): Resolution | null {
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
  if (part.always.length > 0) lists.push(part.always);
  lists.push(opened);
  if (lists.some(({ length }) => length > 0)) end = tryInOrder(run, lists, end);
  if (!bodyWaits || body.rules[0]! > end.place) return end.resolution;
  run.phase = "body-only";
  return tryByBody(run, body, end, first).resolution;
}

function walkRules({ parts, run }: RoutingPlan, message: MessageView): Resolution | null {
  let first: "alone" | "searched" = "alone";
  for (const part of parts) {
    const resolution = walkPart(run, part, message, first);
    if (part.body !== null) first = "searched";
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
