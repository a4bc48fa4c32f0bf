/** A trace of many rules in few rows: long runs of rules that took no part are folded. */
import type { ShownOutcome } from "./decide.ts";

export type TraceItem =
  | { readonly kind: "row"; readonly outcome: ShownOutcome }
  | { readonly kind: "fold"; readonly from: number; readonly end: number; readonly words: string };

/** Rows that stay visible at each end of a run. */
const SEEN_ROWS = 4;
/** Runs up to this long are not folded. */
const RUN_ROWS_MAX = 20;

const QUIET: Readonly<Record<string, string>> = {
  missed: "missed",
  inactive: "are switched off",
  unreached: "were not reached",
};

/** `opened`: the starts of folds that a person has opened. */
export function foldRuns(
  outcomes: readonly ShownOutcome[],
  opened: ReadonlySet<number>,
): readonly TraceItem[] {
  const items: TraceItem[] = [];
  const show = (from: number, end: number): void => {
    for (const outcome of outcomes.slice(from, end)) items.push({ kind: "row", outcome });
  };
  for (let start = 0; start < outcomes.length; ) {
    const { verdict } = outcomes[start]!;
    let end = start + 1;
    while (outcomes[end]?.verdict === verdict) end++;
    const words = QUIET[verdict];
    const [from, to] = [start + SEEN_ROWS, end - SEEN_ROWS];
    if (words === undefined || end - start <= RUN_ROWS_MAX || opened.has(from)) show(start, end);
    else {
      show(start, from);
      items.push({ kind: "fold", from, end: to, words: `${to - from} more rules ${words}` });
      show(to, end);
    }
    start = end;
  }
  return items;
}
