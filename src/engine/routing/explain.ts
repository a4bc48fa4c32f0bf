/** `explain`: the resolution, and what happened to every alias or rule on the way to it. */
import { Guard } from "../../base/guard.ts";
import type { Facts } from "../facts/facts.ts";
import { traceAliases } from "./aliases/walk-aliases.ts";
import type { CompiledDomain } from "./compile-domain.ts";
import { viewMessage } from "./message-view.ts";
import type { Resolution } from "./resolution.ts";
import { type ResolveOptions, readFuelMax, resolveView } from "./resolve.ts";
import { traceDecider, traceRules } from "./rules/walk-rules.ts";
import type { Explanation, RuleTraceEntry, TraceEntry } from "./trace.ts";

/** An explanation whose trace is found when it is asked for: once, because the budget pays for it. */
interface LazyExplanation {
  readonly resolution: Resolution;
  readonly fuel: number;
  /** The rule that decided; `null`: none did, or the domain routes by aliases. */
  readonly decider: RuleTraceEntry | null;
  trace(): readonly TraceEntry[];
}

/** The parts of `explain` one by one, for a host that shows the decision before the trace. Throws what `resolve` throws. */
export function explainLazily(
  domain: CompiledDomain,
  facts: Facts,
  options: Pick<ResolveOptions, "fuelMax"> = {},
): LazyExplanation {
  const guard = new Guard(readFuelMax(options));
  const message = viewMessage(facts);
  const resolution = resolveView(domain, message, guard, null);
  const { used: fuel } = guard;
  const { engine } = domain;
  const decider = engine === "rules" ? traceDecider(domain, message, resolution, guard) : null;
  const trace = (): readonly TraceEntry[] => {
    if (engine === "alias") return traceAliases(domain, message, guard);
    return engine === "rules" ? traceRules(domain, message, decider, guard) : [];
  };
  return { resolution, fuel, decider, trace };
}

/**
 * The resolution of `resolve`, and a trace entry for every alias or every rule, in the order of trial. The rest of
 * the budget pays for the trace: each rule is tried by itself, the one that decided first. Entries reached after the
 * budget is spent are `over-budget`. Throws what `resolve` throws.
 */
export function explain(
  domain: CompiledDomain,
  facts: Facts,
  options: Pick<ResolveOptions, "fuelMax"> = {},
): Explanation {
  const { resolution, trace, fuel } = explainLazily(domain, facts, options);
  return { resolution, trace: trace(), fuel };
}
