/** `resolve`: a compiled domain and the facts of a message → where it goes. */
import type { Facts } from "../mail/facts.ts";
import type { CompiledDomain } from "./compile-domain.ts";
import { REJECT_DISABLED } from "./decision.ts";
import { viewMessage } from "./message-view.ts";
import type { Resolution } from "./resolution.ts";
import { resolveByAlias } from "./walk-aliases.ts";
import { resolveByRule } from "./walk-rules.ts";

/**
 * Resolves one message for one recipient. Pure, total and synchronous: any facts give a decision, or
 * `undecided` with the stage whose facts can decide. A decision never changes when more facts are known.
 */
export function resolve(domain: CompiledDomain, facts: Facts): Resolution {
  switch (domain.engine) {
    case "alias":
      return resolveByAlias(domain, viewMessage(facts));
    case "rules":
      return resolveByRule(domain, viewMessage(facts));
    case null:
      return REJECT_DISABLED;
  }
}
