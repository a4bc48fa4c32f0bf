/** `explain`: the resolution, and what became of every alias or rule on the way to it. */
import type { Facts } from "../mail/facts.ts";
import { Budget } from "./budget.ts";
import type { CompiledDomain } from "./compile-domain.ts";
import { REJECT_DISABLED } from "./decision.ts";
import { viewMessage } from "./message-view.ts";
import { openGates } from "./plan.ts";
import type { Explanation } from "./resolution.ts";
import { type ResolveOptions, readFuelMax } from "./resolve.ts";
import { explainByAlias } from "./walk-aliases.ts";
import { explainByRule } from "./walk-rules.ts";

/**
 * The same resolution as `resolve` with the same budget, and a trace entry for every alias or every rule, in
 * the order of trial. Each rule is tried in turn, whatever the plan says of it.
 */
export function explain(
  domain: CompiledDomain,
  facts: Facts,
  options: Pick<ResolveOptions, "fuelMax"> = {},
): Explanation {
  const fuelMax = readFuelMax(options);
  const message = viewMessage(facts);
  switch (domain.engine) {
    case "alias":
      return explainByAlias(domain, message);
    case "rules":
      return explainByRule(domain, message, new Budget(fuelMax), openGates(domain.plan(), message));
    case null:
      return { resolution: REJECT_DISABLED, trace: [], fuel: 0 };
  }
}
