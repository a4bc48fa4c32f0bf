/** The rules engine by its plan: only rules that can match are tried, and a body is read only for a rule that could win. */
import type { Budget } from "./budget.ts";
import type { CompiledDomain } from "./compile-domain.ts";
import type { FactIndex } from "./fact-index.ts";
import type { MessageView } from "./message-view.ts";
import type { Plan } from "./plan.ts";
import type { PlanRun } from "./plan-run.ts";
import type { Resolution } from "./resolution.ts";
import type { ResolveStats } from "./resolve-stats.ts";
import { stepOf, unmatched } from "./walk-rules.ts";

/** Where the walk over candidates ended: at which rule, and how. */
interface End {
  readonly place: number;
  readonly resolution: Resolution | null;
}

/** Tries the rules of `lists`, each in order, in one order without doubles, until one ends the walk. */
function tryInOrder(run: PlanRun, lists: readonly (readonly number[])[], before: number): End {
  const { rules } = run;
  const cursors = lists.map(() => 0);
  for (;;) {
    let place = before;
    for (let nth = 0; nth < lists.length; nth++) {
      const list = lists[nth]!;
      const cursor = cursors[nth]!;
      if (cursor < list.length && list[cursor]! < place) place = list[cursor]!;
    }
    if (place === before) return { place, resolution: null };
    for (let nth = 0; nth < lists.length; nth++) {
      if (lists[nth]![cursors[nth]!] === place) cursors[nth]!++;
    }
    const rule = rules[place]!;
    const step = stepOf(rule, rule.matcher.match(run.message, run.begin(place)));
    if ("resolution" in step) return { place, resolution: step.resolution };
  }
}

const byPlace = (a: number, b: number): number => a - b;

function inOrder(places: number[]): number[] {
  return places.length > 1 ? places.sort(byPlace) : places;
}

/** The end of the walk once all facts have been looked through that were known. */
function walkCandidates(plan: Plan, message: MessageView): Resolution | null {
  const { run } = plan;
  const lists: (readonly number[])[] = [plan.always];
  let last: FactIndex | null = null;
  for (const index of plan.indexes) {
    if (index.fact === "body" && message.body !== undefined) last = index;
    else if (run.lookThrough(index, plan.rules.length) === "unknown") lists.push(index.rules);
  }
  for (const [fact, needing] of plan.alsoNeeding) {
    if (message[fact] === undefined) lists.push(needing);
  }
  // A rule that waits for an unknown fact may match by its body: then nothing can be put off.
  const atOnce = last !== null && lists.length > 1;
  if (atOnce) run.lookThrough(last!, plan.rules.length);
  else if (last !== null) run.phase = "body-later";
  lists.push(inOrder(run.takeOpened()));
  const end = tryInOrder(run, lists, plan.rules.length);
  if (last === null || atOnce || last.rules[0]! > end.place) return end.resolution;
  run.phase = "body-only";
  run.lookThrough(last, end.place);
  const earlier = tryInOrder(run, [inOrder(run.takeOpened())], end.place);
  return earlier.resolution ?? end.resolution;
}

/** `null` if the budget may not last: then who gets it depends on the order of rules, and a plain walk has it. */
export function resolveByPlan(
  domain: CompiledDomain,
  message: MessageView,
  budget: Budget,
  stats: ResolveStats | null,
): Resolution | null {
  const plan = domain.plan();
  plan.run.start(message, budget, stats);
  const resolution = walkCandidates(plan, message);
  plan.run.end();
  if (budget.strained || budget.fuel > budget.fuelMax) return null;
  return resolution ?? unmatched(domain);
}
