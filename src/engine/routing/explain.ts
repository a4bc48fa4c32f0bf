/** `explain`: the resolution, and what happened to every alias or rule on the way to it. */
import { Guard } from "../../base/guard.ts";
import type { Facts } from "../facts/facts.ts";
import { traceAliases } from "./aliases/walk-aliases.ts";
import type { CompiledDomain } from "./compile-domain.ts";
import { viewMessage } from "./message-view.ts";
import { type ResolveOptions, readFuelMax, resolveView } from "./resolve.ts";
import { traceRules } from "./rules/walk-rules.ts";
import type { Explanation } from "./trace.ts";

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
  const guard = new Guard(readFuelMax(options));
  const message = viewMessage(facts);
  const resolution = resolveView(domain, message, guard, null);
  const { used: fuel } = guard;
  switch (domain.engine) {
    case "alias":
      return { resolution, trace: traceAliases(domain, message, guard), fuel };
    case "rules":
      return { resolution, trace: traceRules(domain, message, resolution, guard), fuel };
    case null:
      return { resolution, trace: [], fuel };
  }
}
