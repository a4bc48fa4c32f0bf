/** `resolve`: a compiled domain and the facts of a message → where it goes. */
import { LIMITS } from "../base/limits.ts";
import { assertOptions } from "../base/options.ts";
import type { Facts } from "../mail/facts.ts";
import { Budget } from "./budget.ts";
import type { CompiledDomain } from "./compile-domain.ts";
import { REJECT_DISABLED } from "./decision.ts";
import { type MessageView, viewMessage } from "./message-view.ts";
import { openGates } from "./plan.ts";
import type { Resolution } from "./resolution.ts";
import { resolveByPlan } from "./resolve-by-plan.ts";
import type { ResolveStats } from "./resolve-stats.ts";
import { resolveByAlias } from "./walk-aliases.ts";
import { resolveByRule } from "./walk-rules.ts";

export interface ResolveOptions {
  /**
   * Budget of the message: for each pattern that has to be searched, its fuel per character times the length
   * of the text, and what expressions spend. Rules that it does not last for fail. Default:
   * `LIMITS.messageFuelMax`.
   */
  readonly fuelMax?: number;
  /** Counters that are added to. */
  readonly stats?: ResolveStats;
}

/** Most calls have no options: these need no check. */
const DEFAULTS: ResolveOptions = {};

/** Throws a `TypeError` or `RangeError` on options that are none. */
export function readFuelMax(options: ResolveOptions): number {
  if (options === DEFAULTS) return LIMITS.messageFuelMax;
  assertOptions(options, ["fuelMax", "stats"]);
  const { fuelMax = LIMITS.messageFuelMax } = options;
  if (fuelMax >= 0) return fuelMax;
  throw new RangeError(`\`fuelMax\` is ${fuelMax}: give a number that is not negative`);
}

/** The plain walk, where the budget may not last: gates tell what each rule costs. */
function walk(domain: CompiledDomain, message: MessageView, budget: Budget): Resolution {
  return resolveByRule(domain, message, budget, openGates(domain.plan(), message));
}

function resolveRules(
  domain: CompiledDomain,
  message: MessageView,
  options: ResolveOptions,
): Resolution {
  const fuelMax = readFuelMax(options);
  const stats = options.stats ?? null;
  let budget = new Budget(fuelMax);
  const planned = resolveByPlan(domain, message, budget, stats);
  if (planned === null) budget = new Budget(fuelMax);
  const resolution = planned ?? walk(domain, message, budget);
  if (stats !== null) {
    if (planned === null) stats.walks++;
    else stats.plans++;
    stats.fuel += budget.fuel;
  }
  return resolution;
}

/**
 * Resolves one message for one recipient. Pure, total and synchronous: any facts give a decision, or
 * `undecided` with the stage whose facts can decide. A decision never changes when more facts are known.
 * Throws only on wrong options.
 */
export function resolve(
  domain: CompiledDomain,
  facts: Facts,
  options: ResolveOptions = DEFAULTS,
): Resolution {
  switch (domain.engine) {
    case "alias":
      return resolveByAlias(domain, viewMessage(facts));
    case "rules":
      return resolveRules(domain, viewMessage(facts), options);
    case null:
      return REJECT_DISABLED;
  }
}
