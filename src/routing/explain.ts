/** `explain`: the resolution, and what became of every alias or rule on the way to it. */
import type { Facts } from "../mail/facts.ts";
import type { CompiledDomain } from "./compile-domain.ts";
import { REJECT_DISABLED } from "./decision.ts";
import { viewMessage } from "./message-view.ts";
import type { Explanation } from "./resolution.ts";
import { explainByAlias } from "./walk-aliases.ts";
import { explainByRule } from "./walk-rules.ts";

/** The same resolution as `resolve`, and a trace entry for every alias or every rule, in the order of trial. */
export function explain(domain: CompiledDomain, facts: Facts): Explanation {
  switch (domain.engine) {
    case "alias":
      return explainByAlias(domain, viewMessage(facts));
    case "rules":
      return explainByRule(domain, viewMessage(facts));
    case null:
      return { resolution: REJECT_DISABLED, trace: [] };
  }
}
