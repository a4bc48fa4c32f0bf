/** The rules engine by its plan: only rules that can match are tried, and a body is read only for a rule that could win. */
import type { Guard } from "../../../base/guard.ts";
import type { FactName } from "../../facts/facts.ts";
import type { MessageView } from "../message-view.ts";
import type { Resolution } from "../resolution.ts";
import type { ResolveStats } from "../resolve-stats.ts";
import type { FactIndex } from "./fact-index.ts";
import { byPlace } from "./found.ts";
import { ALIAS_FACT } from "./gate.ts";
import type { PlanPart, RoutingPlan } from "./plan.ts";
import type { PlanRun } from "./plan-run.ts";

/** Rules by their place in the order of trial. */
type Places = readonly number[];

/** Tries the rules of several lists, each in order, which may have rules in common, until one ends the walk. */
function tryInOrder(run: PlanRun, lists: readonly Places[]): void {
  const cursors = lists.map(() => 0);
  for (;;) {
    let place = run.before;
    for (let nth = 0; nth < lists.length; nth++) {
      place = Math.min(place, lists[nth]![cursors[nth]!] ?? place);
    }
    if (place === run.before || run.tries(place)) return;
    for (let nth = 0; nth < lists.length; nth++) {
      if (lists[nth]![cursors[nth]!] === place) cursors[nth]!++;
    }
  }
}

/** Tries the rules that a body opens; it is searched only if no rule before those that the search can open matches. */
function tryByBody(run: PlanRun, index: FactIndex, first: "alone" | "searched"): void {
  run.beginBody(index, first);
  let opened = run.takeOpened();
  for (let nth = 0; ; nth++) {
    const until = Math.min(index.firstOf(nth), run.before);
    let at = 0;
    for (; at < opened.length && opened[at]! < until; at++) if (run.tries(opened[at]!)) return;
    if (until === run.before) return;
    run.searchBody(index, nth);
    const added = run.takeOpened();
    opened = at === opened.length ? added : [...opened.slice(at), ...added].sort(byPlace);
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
  const lists: Places[] = [];
  run.startPart(part.end);
  for (const index of part.indexes) {
    if (!run.lookThrough(index)) {
      lists.push(index.rules);
    } else if (index.fact === ALIAS_FACT) {
      // Nothing else opens these rules: one that matches now wins, unless an earlier rule does.
      tryInOrder(run, [run.takeOpened()]);
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
  else if (hasBody) run.lookThrough(body);
  const opened = run.takeOpened();
  if (part.always.length > 0) lists.push(part.always);
  lists.push(opened);
  if (lists.some(({ length }) => length > 0)) tryInOrder(run, lists);
  if (bodyWaits && body.rules[0]! < run.before) tryByBody(run, body, first);
  return run.resolution;
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
