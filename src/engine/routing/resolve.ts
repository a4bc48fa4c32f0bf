/** `resolve`: a compiled domain and the facts of a message → where it goes. */
import { Guard, readFuel } from "../../base/guard.ts";
import { LIMITS } from "../../base/limits.ts";
import { assertOptions } from "../../base/options.ts";
import { jsTypeName } from "../../base/type-name.ts";
import { type FactName, type Facts, STAGE_OF, STAGES } from "../facts/facts.ts";
import { resolveByAlias } from "./aliases.ts";
import type { CompiledDomain } from "./compile-domain.ts";
import { isRecord } from "./config/config-fields.ts";
import { decideFallback, REJECT_DISABLED, REJECT_OVER_BUDGET, unmatched } from "./decision.ts";
import { type MessageView, viewMessage } from "./message-view.ts";
import { resolveByPlan } from "./plan/resolve-by-plan.ts";
import type { Resolution } from "./resolution.ts";
import { assertStats, type ResolveStats } from "./resolve-stats.ts";

/** Options of `resolve` and `explain`. */
export interface ResolveOptions {
  /**
   * Budget of the message in units of work, of 20 ns at most: for finding literals, searching with patterns,
   * evaluating expressions and filling forwards. When it is spent, the decision is the fallback, or 554 5.3.4 if there
   * is none, with the reason `over-budget`; while any fact is unknown, it is `undecided`. Default: `LIMITS.messageFuelMax`.
   */
  readonly fuelMax?: number;
  /** Counters that the call adds to. */
  readonly stats?: ResolveStats;
}

/** Most calls have no options; the defaults need no check. */
const DEFAULTS: ResolveOptions = {};

/** Throws a `TypeError` or `RangeError` on invalid options. */
export function readFuelMax(options: ResolveOptions): number {
  if (options === DEFAULTS) return LIMITS.messageFuelMax;
  assertOptions(options, ["fuelMax", "stats"]);
  const { fuelMax = LIMITS.messageFuelMax, stats } = options;
  if (stats !== undefined) assertStats(stats);
  return readFuel("fuelMax", fuelMax);
}

const FACT_NAMES = Object.keys(STAGE_OF) as readonly FactName[];

/** The resolution of a message whose budget is spent; while a fact is unknown, the stage at which it may become known. */
function overBudget({ fallback }: CompiledDomain, message: MessageView): Resolution {
  const unknown = FACT_NAMES.filter((name) => message[name] === undefined);
  const needs = STAGES.find((stage) => unknown.some((name) => STAGE_OF[name] === stage));
  if (needs !== undefined) return { verdict: "undecided", needs };
  return fallback === null ? REJECT_OVER_BUDGET : decideFallback(fallback, "over-budget");
}

/** The resolution of a message; the guard pays for it. Throws a `TypeError` on a domain that is not compiled. */
export function resolveView(
  domain: CompiledDomain,
  message: MessageView,
  guard: Guard,
  stats: ResolveStats | null,
): Resolution {
  if (typeof domain?.plan !== "function") {
    const what = isRecord(domain) ? "a domain that is not compiled" : jsTypeName(domain);
    const advice = "compile it with `compileDomain` first, and give `domain` of the result";
    throw new TypeError(`the domain is ${what}: ${advice}`);
  }
  if (domain.engine === null) return REJECT_DISABLED;
  if (domain.engine === "alias") {
    const resolution = resolveByAlias(domain.aliasPlan, message, guard);
    return guard.isSpent ? REJECT_OVER_BUDGET : resolution;
  }
  const resolution = resolveByPlan(domain.plan(), message, guard, stats);
  return guard.isSpent ? overBudget(domain, message) : (resolution ?? unmatched(domain));
}

/**
 * Resolves one message for one recipient. Synchronous, without side effects that an answer shows: any facts give a decision, or
 * `undecided` with the stage whose facts can decide. Only whether a message near its budget is over it can depend on earlier messages:
 * the first one to need a state of an automaton pays for it, and the first rules are tried alone where that saved work on the latest messages. A decision does
 * not change when more facts are known, unless these take more work than the budget allows. Throws a `TypeError` or `RangeError` on
 * invalid options, and a `TypeError` on facts of the wrong type and on a domain that is not compiled.
 */
export function resolve(
  domain: CompiledDomain,
  facts: Facts,
  options: ResolveOptions = DEFAULTS,
): Resolution {
  const guard = new Guard(readFuelMax(options));
  const stats = options.stats ?? null;
  const resolution = resolveView(domain, viewMessage(facts), guard, stats);
  if (stats !== null) {
    stats.messages++;
    stats.fuel += guard.used;
    if (guard.isSpent) stats.overBudget++;
  }
  return resolution;
}
