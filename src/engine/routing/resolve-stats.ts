/** Counters of what resolving did, for a host that watches its cost. */
import { jsTypeName } from "../../base/type-name.ts";
import { isRecord } from "./config/config-fields.ts";

/** Counters for the options of `resolve`, which adds to them; a host may read and reset them at any time. */
export interface ResolveStats {
  /** Messages resolved, and those of them that ran over their budget. */
  messages: number;
  overBudget: number;
  /** Facts that were searched for literals in one pass. */
  scans: number;
  /** Rules that were tried because a plan could not rule them out. */
  candidates: number;
  /** Windows around literals that candidates searched, and texts that they searched whole. */
  windows: number;
  fullScans: number;
  /** Pattern sets run over a text. */
  setsRun: number;
  /** Units of work taken from the budgets of the messages. */
  fuel: number;
}

/** Counters at zero, to be given to `resolve` as `stats`; each call adds to them. */
export function createResolveStats(): ResolveStats {
  return {
    messages: 0,
    overBudget: 0,
    scans: 0,
    candidates: 0,
    windows: 0,
    fullScans: 0,
    setsRun: 0,
    fuel: 0,
  };
}

/** Throws a `TypeError` on anything that cannot count. */
export function assertStats(stats: ResolveStats): void {
  const isCounting = typeof stats?.messages === "number" && !Object.isFrozen(stats);
  if (isCounting) return;
  const shown = Object.isFrozen(stats) && isRecord(stats) ? "frozen" : jsTypeName(stats);
  throw new TypeError(`\`stats\` is ${shown}: give what \`createResolveStats()\` returns`);
}
